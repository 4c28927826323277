// Devices: listed, renamed, last seen, and revoked at once.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct DeviceRoutesTests {
  private let studio: TestStudio
  private let client: ListenerClient

  init() throws {
    studio = try TestStudio()
    client = ListenerClient(.network, of: studio)
  }

  private func devices(_ token: String) -> [JSONValue] {
    guard case .array(let all) = client.send(.get, "/api/devices", token: token).json?["devices"]
    else { return [] }
    return all
  }

  @Test func `each device is marked in its own list`() throws {
    let phone = try client.pair("Phone")
    // Two devices of the same millisecond can be in either order.
    let paired = Library.now()
    while Library.now() <= paired { sched_yield() }
    let tablet = try client.pair("Tablet")
    let seen = devices(tablet.token)
    #expect(seen.map { $0["name"] } == ["Phone", "Tablet"])
    #expect(seen.map { $0["isThis"] } == [false, true])
    #expect(seen.map { $0["id"] } == [.string(phone.id), .string(tablet.id)])
    #expect(seen.allSatisfy { $0["tokenHash"] == nil })
    #expect(studio.send(.get, "/api/devices").text.contains("\"isThis\":true") == false)
  }

  @Test func `a device can be renamed`() throws {
    let phone = try client.pair("Phone")
    let renamed = client.send(
      .patch, "/api/devices/\(phone.id)", token: phone.token, json: "{\"name\":\" Studio phone \"}")
    #expect(renamed.status == 200)
    #expect(renamed.json?["name"] == "Studio phone")
    #expect(
      client.send(
        .patch, "/api/devices/\(phone.id)", token: phone.token, json: "{\"name\":\"\"}"
      ).status == 422)
    let owner = ListenerClient(.loopback, of: studio)
    let nobody = "/api/devices/00000000-0000-7000-8000-000000000000"
    #expect(owner.send(.patch, nobody, json: "{\"name\":\"x\"}", peer: "127.0.0.1").status == 404)
    #expect(studio.library.devices.all.map(\.name) == ["Studio phone"])
  }

  @Test func `a device can rename only itself and the owner can rename all`() throws {
    let phone = try client.pair("Phone")
    let tablet = try client.pair("Tablet")
    let refused = client.send(
      .patch, "/api/devices/\(tablet.id)", token: phone.token, json: "{\"name\":\"Phone\"}")
    #expect(refused.status == 403)
    #expect(refused.text.contains("Only the owner may rename other devices"))
    #expect(studio.library.devices[tablet.id]?.name == "Tablet")
    let owner = ListenerClient(.loopback, of: studio)
    let renamed = owner.send(
      .patch, "/api/devices/\(tablet.id)", json: "{\"name\":\"Stage\"}", peer: "127.0.0.1")
    #expect(renamed.status == 200)
    #expect(studio.library.devices[tablet.id]?.name == "Stage")
  }

  @Test func `the owner revokes a device at once, with its event streams`() throws {
    let phone = try client.pair("Phone")
    let tablet = try client.pair("Tablet")
    let stream = try #require(client.send(.get, "/api/events", token: phone.token).stream)
    let other = try #require(client.send(.get, "/api/events", token: tablet.token).stream)
    #expect(studio.send(.delete, "/api/devices/\(phone.id)").status == 204)
    #expect(stream.isClosed)
    #expect(!other.isClosed)
    #expect(client.send(.get, "/api/devices", token: phone.token).status == 401)
    #expect(client.send(.get, "/api/events", token: phone.token).status == 401)
    #expect(client.send(.get, "/api/devices", token: tablet.token).status == 200)
    #expect(studio.send(.delete, "/api/devices/\(phone.id)").status == 404)
  }

  @Test func `a device can remove only itself`() throws {
    let phone = try client.pair("Phone")
    let tablet = try client.pair("Tablet")
    let refused = client.send(.delete, "/api/devices/\(tablet.id)", token: phone.token)
    #expect(refused.status == 403)
    #expect(studio.library.devices.isPaired(tablet.id))
    let removed = client.send(.delete, "/api/devices/\(phone.id)", token: phone.token)
    #expect(removed.status == 204)
    #expect(removed.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(client.send(.get, "/api/devices", token: phone.token).status == 401)
  }

  @Test func `leaving removes the device and its cookie`() throws {
    let phone = try client.pair()
    let stream = try #require(client.send(.get, "/api/events", token: phone.token).stream)
    let left = client.send(.delete, "/api/session", token: phone.token)
    #expect(left.status == 204)
    let cookie = try #require(left.headers["Set-Cookie"])
    #expect(cookie.hasPrefix("__Host-segmance_device_7743=; Max-Age=0"))
    #expect(stream.isClosed)
    #expect(studio.library.devices.all.isEmpty)
    #expect(studio.send(.delete, "/api/session").status == 409)
  }

  @Test func `a device revoked while its stream opens gets no events`() throws {
    let phone = try client.pair()
    // Authenticated, then revoked.
    try studio.library.revoke(phone.id)
    #expect(throws: LibraryError.self) {
      try studio.library.players.listen(nil, name: "", by: .device(phone.id), initial: [])
    }
    #expect(studio.library.hub.subscriberCount == 0)
  }

  @Test func `devices and the times of their last visits survive a restart`() throws {
    let folder = try TemporaryFolder()
    let token: String
    let seen: Int
    do {
      let studio = try TestStudio(in: folder)
      let client = ListenerClient(.network, of: studio)
      let phone = try client.pair("Phone")
      token = phone.token
      seen = Library.now() + 100_000
      #expect(studio.library.devices.find(token: token, now: seen) == phone.id)
      try studio.library.devices.save()
      let gone = try client.pair("Gone")
      try studio.library.revoke(gone.id)
    }
    let again = try TestStudio(in: folder)
    #expect(again.library.devices.all.map(\.name) == ["Phone"])
    #expect(again.library.devices.all.first?.lastSeenAt == seen)
    #expect(
      ListenerClient(.network, of: again).send(.get, "/api/devices", token: token).status == 200)
  }

  @Test func `a device revoked while nothing can be written stays revoked`() throws {
    let folder = try TemporaryFolder()
    let token: String
    do {
      let studio = try TestStudio(in: folder)
      let phone = try ListenerClient(.network, of: studio).pair("Phone")
      token = phone.token
      studio.library.database.setReadOnly()
      #expect(throws: DatabaseError.self) { try studio.library.revoke(phone.id) }
      #expect(studio.log.all.contains { $0.contains("device.revoked") })
      studio.library.database.setReadOnly(false)
      try studio.library.devices.save()
      #expect(studio.library.devices.all.isEmpty)
    }
    let again = try TestStudio(in: folder)
    #expect(
      ListenerClient(.network, of: again).send(.get, "/api/devices", token: token).status == 401)
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `a revocation on a full disk reports that the device is locked out`() throws {
    let phone = try client.pair("Phone")
    // Removing a device needs more pages than the file may have.
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.execute(
        """
        CREATE TABLE ballast (bytes BLOB);
        CREATE TRIGGER heavy AFTER DELETE ON device BEGIN
          INSERT INTO ballast VALUES (zeroblob(1000000));
        END;
        PRAGMA max_page_count = 1;
        """)
    }
    let answer = studio.send(.delete, "/api/devices/\(phone.id)")
    #expect(answer.status == 507)
    #expect(answer.text.contains("is shut out now"))
    #expect(client.send(.get, "/api/devices", token: phone.token).status == 401)
  }
}
