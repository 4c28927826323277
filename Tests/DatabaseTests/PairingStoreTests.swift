// The tables of pairing codes, secrets and answered challenges.

import TestSupport
import Testing

@testable import Database

@Suite struct PairingStoreTests {
  private let folder: TemporaryFolder
  private let database: LibraryDatabase
  private let store: PairingStore

  init() throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(in: folder)
    store = PairingStore(database: database)
  }

  private func add(_ hash: String, by maker: String? = nil, until end: Int) throws {
    try store.add(
      PairingRow(hash: hash, maker: maker, person: "p", expiresAt: end), limit: 3,
      removingBefore: 100)
  }

  private func device(_ number: Int) -> DeviceRow {
    DeviceRow(id: "d\(number)", name: "Phone", tokenHash: "t\(number)", createdAt: number)
  }

  @Test func `a code comes back as it was added, and those that ended long ago are removed`() throws
  {
    try add("a", by: "m", until: 100)
    try add("b", until: 101)
    #expect(try store.pairing("a") == nil)
    let row = try #require(try store.pairing("b"))
    #expect(row == PairingRow(hash: "b", maker: nil, person: "p", expiresAt: 101))
    try store.removeAll()
    #expect(try store.pairing("b") == nil)
  }

  @Test func `only the latest unused codes of each maker stay`() throws {
    for (index, hash) in ["a", "b", "c", "d"].enumerated() { try add(hash, until: 200 + index) }
    // Of the same end, the one that was just added stays.
    try add("e", until: 203)
    try add("other", by: "m", until: 150)
    let left = try ["a", "b", "c", "d", "e", "other"].filter { try store.pairing($0) != nil }
    #expect(left == ["c", "d", "e", "other"])
    try DeviceStore(database: database).add(device(1), using: "c")
    try add("f", until: 204)
    #expect(try store.pairing("c")?.isUsed == true)
    #expect(try store.pairing("d") != nil)
  }

  @Test func `a code is used once, and without it no device is added`() throws {
    let devices = DeviceStore(database: database)
    try add("a", until: 200)
    #expect(try devices.add(device(1), using: "a"))
    #expect(try !devices.add(device(2), replacing: "d1", using: "a"))
    #expect(try !devices.add(device(3), using: "unknown"))
    #expect(try devices.all().map(\.id) == ["d1"])
  }

  @Test func `a secret is made once`() throws {
    let store = SecretStore(database: database)
    #expect(try store.secret("a") == nil)
    #expect(try store.secret("a", orNew: "1") == "1")
    #expect(try store.secret("a", orNew: "2") == "1")
    #expect(try store.secret("b", orNew: "3") == "3")
    #expect(try store.all() == ["a": "1", "b": "3"])
    try store.replaceAll(with: ["c": "4"])
    #expect(try store.all() == ["c": "4"])
  }

  @Test func `a challenge is answered once, and forgotten after its end`() throws {
    let store = SecretStore(database: database)
    #expect(try store.noteAnswer(to: "a", endingAt: 10, now: 5))
    #expect(try !store.noteAnswer(to: "a", endingAt: 10, now: 10))
    #expect(try store.noteAnswer(to: "b", endingAt: 20, now: 11))
    #expect(try store.noteAnswer(to: "a", endingAt: 20, now: 11))
  }
}
