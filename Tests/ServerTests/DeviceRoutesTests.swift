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
  private let door: ListenerClient

  init() throws {
    studio = try TestStudio()
    door = ListenerClient(.network, of: studio)
  }

  private func devices(_ token: String) -> [JSONValue] {
    guard case .array(let all) = door.send(.get, "/api/devices", token: token).json?["devices"]
    else { return [] }
    return all
  }

  @Test func `each device finds itself in the list`() throws {
    let phone = try door.pair("Phone")
    // Two devices of the same millisecond can be in either order.
    let paired = Library.now()
    while Library.now() <= paired { sched_yield() }
    let tablet = try door.pair("Tablet")
    let seen = devices(tablet.token)
    #expect(seen.map { $0["name"] } == ["Phone", "Tablet"])
    #expect(seen.map { $0["isThis"] } == [false, true])
    #expect(seen.map { $0["id"] } == [.string(phone.id), .string(tablet.id)])
    #expect(seen.allSatisfy { $0["tokenHash"] == nil })
    #expect(studio.send(.get, "/api/devices").text.contains("\"isThis\":true") == false)
  }

  @Test func `a device gets another name`() throws {
    let phone = try door.pair("Phone")
    let renamed = door.send(
      .patch, "/api/devices/\(phone.id)", token: phone.token, json: "{\"name\":\" Studio phone \"}")
    #expect(renamed.status == 200)
    #expect(renamed.json?["name"] == "Studio phone")
    #expect(
      door.send(
        .patch, "/api/devices/\(phone.id)", token: phone.token, json: "{\"name\":\"\"}"
      ).status == 422)
    let owner = ListenerClient(.loopback, of: studio)
    let nobody = "/api/devices/00000000-0000-7000-8000-000000000000"
    #expect(owner.send(.patch, nobody, json: "{\"name\":\"x\"}", peer: "127.0.0.1").status == 404)
    #expect(studio.library.devices.all.map(\.name) == ["Studio phone"])
  }

  @Test func `a device names itself, but no other, and the owner names all`() throws {
    let phone = try door.pair("Phone")
    let tablet = try door.pair("Tablet")
    let refused = door.send(
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
    let phone = try door.pair("Phone")
    let tablet = try door.pair("Tablet")
    let stream = try #require(door.send(.get, "/api/events", token: phone.token).stream)
    let other = try #require(door.send(.get, "/api/events", token: tablet.token).stream)
    #expect(studio.send(.delete, "/api/devices/\(phone.id)").status == 204)
    #expect(stream.isClosed)
    #expect(!other.isClosed)
    #expect(door.send(.get, "/api/devices", token: phone.token).status == 401)
    #expect(door.send(.get, "/api/events", token: phone.token).status == 401)
    #expect(door.send(.get, "/api/devices", token: tablet.token).status == 200)
    #expect(studio.send(.delete, "/api/devices/\(phone.id)").status == 404)
  }

  @Test func `a device removes itself, but no other`() throws {
    let phone = try door.pair("Phone")
    let tablet = try door.pair("Tablet")
    let refused = door.send(.delete, "/api/devices/\(tablet.id)", token: phone.token)
    #expect(refused.status == 403)
    #expect(studio.library.devices.isPaired(tablet.id))
    let removed = door.send(.delete, "/api/devices/\(phone.id)", token: phone.token)
    #expect(removed.status == 204)
    #expect(removed.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(door.send(.get, "/api/devices", token: phone.token).status == 401)
  }

  @Test func `a device leaves, and its cookie goes`() throws {
    let phone = try door.pair()
    let stream = try #require(door.send(.get, "/api/events", token: phone.token).stream)
    let left = door.send(.delete, "/api/session", token: phone.token)
    #expect(left.status == 204)
    let cookie = try #require(left.headers["Set-Cookie"])
    #expect(cookie.hasPrefix("__Host-segmance_device_7743=; Max-Age=0"))
    #expect(stream.isClosed)
    #expect(studio.library.devices.all.isEmpty)
    #expect(studio.send(.delete, "/api/session").status == 409)
  }

  @Test func `a device revoked while its stream opens hears nothing more`() throws {
    let phone = try door.pair()
    // Authenticated, then revoked.
    try studio.library.revoke(phone.id)
    #expect(throws: LibraryError.self) {
      try studio.library.players.listen(nil, name: "", by: .device(phone.id), initial: [])
    }
    #expect(studio.library.hub.subscriberCount == 0)
  }

  @Test func `devices outlive a restart, and so does when they were seen`() throws {
    let folder = try TemporaryFolder()
    let token: String
    let seen: Int
    do {
      let studio = try TestStudio(in: folder)
      let door = ListenerClient(.network, of: studio)
      let phone = try door.pair("Phone")
      token = phone.token
      seen = Library.now() + 100_000
      #expect(studio.library.devices.find(token: token, now: seen) == phone.id)
      try studio.library.devices.save()
      let gone = try door.pair("Gone")
      try studio.library.revoke(gone.id)
    }
    let again = try TestStudio(in: folder)
    #expect(again.library.devices.all.map(\.name) == ["Phone"])
    #expect(again.library.devices.all.first?.lastSeenAt == seen)
    #expect(
      ListenerClient(.network, of: again).send(.get, "/api/devices", token: token).status == 200)
  }

  @Test func `a device revoked while nothing can be written is out for good`() throws {
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

  @Test func `a revocation on a full disk says that the device is out`() throws {
    let phone = try door.pair("Phone")
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
    #expect(door.send(.get, "/api/devices", token: phone.token).status == 401)
  }
}
