// Revocation of a device during one of its requests or responses, over real sockets.

import Glibc
import HTTPTesting
import Model
import Network
import Storage
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Media
@testable import Server

@Suite struct RevocationTests {
  private let studio: TestStudio
  private let network: ListenerClient
  /// The clock of links.
  private let clock = TestClock(Library.now())

  init() throws {
    studio = try TestStudio(now: clock.now)
    network = ListenerClient(.network, of: studio)
  }

  /// Runs the network listener at a local port, without its certificate.
  private func serve(_ test: (_ port: Int, _ server: HTTPServer) throws -> Void) throws {
    let server = HTTPServer(
      configuration: .patient, router: network.router,
      authenticator: StudioAuthenticator(
        listener: .network, devices: studio.library.devices,
        permissions: studio.library.permissions, ownerKeyHash: nil))
    let port = try server.start()
    defer { server.stop() }
    try test(port, server)
  }

  /// Sends a header as a device, and waits until the server asks for the body, so that
  /// authentication is over.
  private func begin(
    _ line: String, as token: String, length: Int, headers: [String] = [], at port: Int
  ) throws -> SocketClient {
    let client = try SocketClient(port: port)
    let own = [
      "Cookie: \(DeviceCookie.plainName)=\(token)", "Content-Length: \(length)",
      "Expect: 100-continue",
    ]
    try client.send(line, own + headers)
    try #require(try client.receiveHead().status == 100, "\(line)")
    return client
  }

  /// Whether a response is the one for an unpaired device.
  private func isRefusal(_ answer: SocketClient.Answer) -> Bool {
    answer.status == 401 && answer.headers["WWW-Authenticate"] == "Pairing"
      && answer.headers["Content-Type"] == "application/problem+json"
  }

  @Test func `no guarded route does anything for a device that is revoked before its body's end`()
    throws
  {
    let routes = network.router.routes.filter { route in
      // Streams have a separate test, and a HEAD request uses the GET route.
      if case .stream = route.action { return false }
      return ["device", "person"].contains(route.access.name) && route.method != .head
    }
    #expect(routes.count > 30)
    try serve { port, _ in
      for route in routes {
        let path = route.pattern.split(separator: "/").map { segment in
          segment.hasPrefix("{") ? "/00000000-0000-7000-8000-000000000000" : "/\(segment)"
        }.joined()
        let phone = try network.pair()
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
    let (phone, tablet) = (try network.pair("Phone"), try network.pair("Tablet"))
    let body = Array(
      #"""
      {"since":0,"changes":[{"id":"0193a5b0-0000-7000-8000-000000000001","type":"routine",\#
      "record":"0193a5b0-0000-7000-8000-000000000002","fields":{"title":"Swan"},\#
      "at":"1700000000001-0000-0000abcd"}]}
      """#.utf8)
    try serve { port, _ in
      let clients = try [phone, tablet].map { device in
        let client = try begin("POST /api/sync", as: device.token, length: body.count, at: port)
        try client.send(bytes: Array(body[..<40]))
        return client
      }
      try studio.library.revoke(phone.id)
      try clients[0].send(bytes: Array(body[40...]))
      #expect(isRefusal(try clients[0].receive()))
      #expect(try studio.library.records.latestSeq() == 0)
      // The same request from a device that stays paired.
      try clients[1].send(bytes: Array(body[40...]))
      #expect(try clients[1].receive().status == 200)
      #expect(try studio.library.records.latestSeq() == 1)
    }
  }

  @Test func `of an upload nothing more is stored, and what was stored harms nobody`() throws {
    let (phone, tablet) = (try network.pair("Phone"), try network.pair("Tablet"))
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 13 / 5) }
    let upload = try studio.library.media.createUpload(length: bytes.count, fileName: "song.wav").id
    func stored() throws -> Int { try studio.library.uploads.upload(upload).offset }
    func fields(from offset: Int) -> [String] {
      [
        "Tus-Resumable: 1.0.0", "Upload-Offset: \(offset)",
        "Content-Type: application/offset+octet-stream",
      ]
    }
    try serve { port, _ in
      let line = "PATCH /api/uploads/\(upload)"
      let client = try begin(
        line, as: phone.token, length: bytes.count, headers: fields(from: 0), at: port)
      try client.send(bytes: Array(bytes[..<400_000]))
      try #require(try eventually { try stored() > 0 })
      let beginning = try stored()
      try studio.library.revoke(phone.id)
      try client.send(bytes: Array(bytes[400_000...]))
      #expect(isRefusal(try client.receive()))
      #expect(try stored() == beginning)
      // Another device continues where it was.
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

  // Whether the bytes before the revocation are enough for a piece of the sink or not.
  @Test(arguments: [1_000, 400_000])
  func `an upload without a socket ends where its device is revoked, and is not complete`(
    before: Int
  ) throws {
    let (phone, tablet) = (try network.pair("Phone"), try network.pair("Tablet"))
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 13 / 5) }
    let upload = try studio.library.media.createUpload(length: bytes.count, fileName: "song.wav").id
    func stored() throws -> Int { try studio.library.uploads.upload(upload).offset }
    func begin(_ token: String, at offset: Int) -> InProcessRequest {
      network.begin(
        .patch, "/api/uploads/\(upload)", token: token, length: bytes.count - offset,
        headers: [
          ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "\(offset)"),
          ("Content-Type", "application/offset+octet-stream"),
        ])
    }
    let cut = begin(phone.token, at: 0)
    cut.send(bytes[..<before])
    let beginning = try stored()
    #expect((beginning > 0) == (before > 256 * 1024))
    try studio.library.revoke(phone.id)
    cut.send(bytes[before...])
    let refusal = try #require(cut.finish())
    #expect(refusal.status == 401)
    #expect(refusal.headers["WWW-Authenticate"] == "Pairing")
    #expect(try stored() == beginning)
    #expect(throws: StorageError.self) { try studio.library.uploads.take(upload) }
    let rest = begin(tablet.token, at: beginning)
    rest.send(bytes[beginning...])
    #expect(rest.finish()?.status == 204)
    #expect(try Files.read(try studio.library.uploads.take(upload).path) == bytes)
  }

  /// Begins a download as a device and reads only its first bytes. Returns the number of remaining
  /// bytes.
  private func fetch(
    _ path: String, as token: String, at port: Int
  ) throws -> (client: SocketClient, left: Int) {
    try fetch(path, with: "Cookie: \(DeviceCookie.plainName)=\(token)", at: port)
  }

  /// Does the same with a cookie.
  private func fetch(
    _ path: String, with cookie: String, at port: Int
  ) throws -> (client: SocketClient, left: Int) {
    let client = try SocketClient(port: port)
    try client.send("GET \(path)", [cookie])
    let head = try client.receiveHead()
    try #require(head.status == 200, "\(path)")
    _ = try client.take(1_000)
    return (client, try #require(head.headers["Content-Length"].flatMap { Int($0) }) - 1_000)
  }

  /// Adds a song of this size, larger than the system's socket buffers.
  private func addSong(bytes: Int) throws -> String {
    let (song, sha256) = (Identifier.make(milliseconds: 1), String(repeating: "a", count: 64))
    let path = studio.library.folder.blob(sha256)
    try Files.makeFolder(studio.library.folder.blobs + "/aa")
    try Files.writeNew(path, [])
    try #require(truncate(path, bytes) == 0)
    try studio.library.commit([
      Library.Edit(
        .track, song, ["title": "Song", "sha256": .text(sha256), "size": .integer(bytes)])
    ])
    return song
  }

  @Test func `what is being sent to a device that is revoked ends, and what others fetch goes on`()
    throws
  {
    let song = try addSong(bytes: 32 << 20)
    let library = studio.library
    try serve { port, server in
      for path in ["/api/backup", "/api/tracks/\(song)/original"] {
        let (phone, tablet) = (try network.pair("Phone"), try network.pair("Tablet"))
        let cut = try fetch(path, as: phone.token, at: port)
        let whole = try fetch(path, as: tablet.token, at: port)
        // The connection of the previous round may take a moment to close.
        #expect(eventually { server.connectionCount == 2 }, "\(path)")
        try library.revoke(phone.id)
        #expect(eventually { server.connectionCount == 1 }, "\(path)")
        #expect(throws: SocketClient.Broken.self) { _ = try cut.client.take(cut.left) }
        #expect(try whole.client.take(whole.left).count == whole.left)
      }
      // The backups left no files, and another download may begin.
      #expect(
        eventually {
          guard library.streamedBackups.begin(limit: 1) else { return false }
          library.streamedBackups.end()
          return true
        })
      #expect(try eventually { try Files.names(in: library.folder.tmp) == [] })
    }
  }

  @Test
  func `a device that turns itself away gets its answer, and loses what it fetches beside it`()
    throws
  {
    let song = try addSong(bytes: 32 << 20)
    let phone = try network.pair()
    try serve { port, server in
      let cut = try fetch("/api/tracks/\(song)/original", as: phone.token, at: port)
      let client = try SocketClient(port: port)
      try client.send("DELETE /api/session", ["Cookie: \(DeviceCookie.plainName)=\(phone.token)"])
      #expect(try client.receive().status == 204)
      #expect(eventually { server.connectionCount == 1 })
      #expect(throws: SocketClient.Broken.self) { _ = try cut.client.take(cut.left) }
      // The connection of the revoked device stays open, but its requests are rejected.
      try client.send("GET /api/devices", ["Cookie: \(DeviceCookie.plainName)=\(phone.token)"])
      #expect(try client.receive().status == 401)
    }
  }

  @Test func `what is being sent to a visitor ends with the link, and nothing more is answered`()
    throws
  {
    let song = try addSong(bytes: 32 << 20)
    let library = studio.library
    let (video, sha256) = (Identifier.make(milliseconds: 2), String(repeating: "a", count: 64))
    let (routine, part) = (Identifier.make(milliseconds: 3), Identifier.make(milliseconds: 4))
    try library.commit([
      Library.Edit(.routine, routine, ["title": "Swan"]),
      Library.Edit(
        .part, part,
        [
          "routine": .text(routine), "title": "One", "position": "V", "track": .text(song),
          "video": .text(video),
        ]),
      Library.Edit(
        .video, video, ["sha256": .text(sha256), "state": "ready", "plays": "original"]),
    ])
    try serve { port, server in
      for isRevoked in [true, false] {
        let links = try (0..<2).map { _ in
          try studio.makeLink(to: routine, expiresAt: clock.now() + 86_400_000)
        }
        func cookie(_ link: LinkRow) -> String {
          let token = Token.derive(from: link.secret, salt: link.salt)
          return "Cookie: \(LinkCookie.prefix)\(link.id)=\(token)"
        }
        let path = "/api/videos/\(video)/file"
        let cut = try fetch(path, with: cookie(links[0]), at: port)
        let whole = try fetch(path, with: cookie(links[1]), at: port)
        #expect(eventually { server.connectionCount == 2 })
        if isRevoked {
          try library.revokeLink(links[0].id, by: .owner)
        } else {
          // The end comes while it is sent.
          _ = try library.links.setEnd(of: links[0].id, to: clock.now() + 50)
          clock.advance(50)
        }
        #expect(eventually { server.connectionCount == 1 })
        #expect(throws: SocketClient.Broken.self) { _ = try cut.client.take(cut.left) }
        let client = try SocketClient(port: port)
        try client.send("GET \(path)", [cookie(links[0])])
        #expect(isRefusal(try client.receive()))
        #expect(try whole.client.take(whole.left).count == whole.left)
      }
    }
  }
}
