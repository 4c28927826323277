// A device is revoked while a request of its own is under way, over real sockets.

import Glibc
import TestSupport
import Testing

@testable import HTTP
@testable import Media
@testable import Server

@Suite struct RevocationTests {
  private let studio: TestStudio
  private let door: Doorway

  init() throws {
    studio = try TestStudio()
    door = Doorway(.network, of: studio)
  }

  /// Opens the door at a port of this machine, without its certificate.
  private func serve(_ test: (_ port: Int) throws -> Void) throws {
    let server = HTTPServer(
      configuration: Configuration(port: 0), router: door.router,
      doorkeeper: StudioDoorkeeper(
        door: .network, devices: studio.library.devices, ownerKeyHash: nil))
    let port = try server.start()
    defer { server.stop() }
    try test(port)
  }

  /// Sends a header as a device, and waits until the server asks for the body: it is past the door.
  private func begin(
    _ line: String, as token: String, length: Int, headers: [String] = [], at port: Int
  ) throws -> SocketClient {
    let client = try SocketClient(port: port)
    let own = [
      "Cookie: \(DeviceCookie.name)=\(token)", "Content-Length: \(length)", "Expect: 100-continue",
    ]
    try client.send(line, own + headers)
    try #require(try client.receiveHead().status == 100, "\(line)")
    return client
  }

  /// Tells whether an answer is what a device hears that is not paired.
  private func isRefusal(_ answer: SocketClient.Answer) -> Bool {
    answer.status == 401 && answer.headers["WWW-Authenticate"] == "Pairing"
      && answer.headers["Content-Type"] == "application/problem+json"
  }

  @Test func `no guarded route does anything for a device that is revoked before its body's end`()
    throws
  {
    let routes = door.router.routes.filter { route in
      // What streams has a test of its own, and a HEAD is answered by its GET.
      if case .stream = route.action { return false }
      return route.access == .device && route.method != .head
    }
    #expect(routes.count > 30)
    try serve { port in
      for route in routes {
        let path = route.pattern.split(separator: "/").map { segment in
          segment.hasPrefix("{") ? "/00000000-0000-7000-8000-000000000000" : "/\(segment)"
        }.joined()
        let phone = try door.pair()
        let client = try begin(
          "\(route.method.rawValue) \(path)", as: phone.token, length: 2, at: port)
        try client.send(bytes: Array("{".utf8))
        try studio.library.revoke(phone.id)
        try client.send(bytes: Array("}".utf8))
        #expect(isRefusal(try client.receive()), "\(route.method.rawValue) \(path)")
      }
    }
  }

  @Test func `edits of a device that is revoked before their end are not merged`() throws {
    let (phone, tablet) = (try door.pair("Phone"), try door.pair("Tablet"))
    let body = Array(
      #"""
      {"since":0,"changes":[{"id":"0193a5b0-0000-7000-8000-000000000001","type":"routine",\#
      "record":"0193a5b0-0000-7000-8000-000000000002","fields":{"title":"Swan"},\#
      "at":"1700000000001-0000-0000abcd"}]}
      """#.utf8)
    try serve { port in
      let clients = try [phone, tablet].map { device in
        let client = try begin("POST /api/sync", as: device.token, length: body.count, at: port)
        try client.send(bytes: Array(body[..<40]))
        return client
      }
      try studio.library.revoke(phone.id)
      try clients[0].send(bytes: Array(body[40...]))
      #expect(isRefusal(try clients[0].receive()))
      #expect(try studio.library.records.latestSeq() == 0)
      // The same of a device that stays.
      try clients[1].send(bytes: Array(body[40...]))
      #expect(try clients[1].receive().status == 200)
      #expect(try studio.library.records.latestSeq() == 1)
    }
  }

  @Test func `of an upload nothing more is stored, and what was stored harms nobody`() throws {
    let (phone, tablet) = (try door.pair("Phone"), try door.pair("Tablet"))
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 13 / 5) }
    let upload = try studio.library.createUpload(length: bytes.count, fileName: "song.wav").id
    func stored() throws -> Int { try studio.library.uploads.upload(upload).offset }
    func fields(from offset: Int) -> [String] {
      [
        "Tus-Resumable: 1.0.0", "Upload-Offset: \(offset)",
        "Content-Type: application/offset+octet-stream",
      ]
    }
    try serve { port in
      let line = "PATCH /api/uploads/\(upload)"
      let client = try begin(
        line, as: phone.token, length: bytes.count, headers: fields(from: 0), at: port)
      try client.send(bytes: Array(bytes[..<400_000]))
      for _ in 0..<2_000 where try stored() == 0 { usleep(10_000) }
      let beginning = try stored()
      try #require(beginning > 0)
      try studio.library.revoke(phone.id)
      try client.send(bytes: Array(bytes[400_000...]))
      #expect(isRefusal(try client.receive()))
      #expect(try stored() == beginning)
      // Another device goes on where it was.
      let next = try begin(
        line, as: tablet.token, length: bytes.count - beginning, headers: fields(from: beginning),
        at: port)
      try next.send(bytes: Array(bytes[beginning...]))
      #expect(try next.receive().status == 204)
      #expect(try stored() == bytes.count)
    }
    let taken = try studio.library.uploads.take(upload)
    #expect(try Files.read(taken.path) == bytes)
  }
}
