// Moving the records of a library to a database server and back.

import Database
import FoundationEssentials
import Model
import Storage
import TestSupport
import Testing

@testable import Server

@Suite struct LibraryMigrationTests {
  let folder: TemporaryFolder
  var data: DataDirectory { DataDirectory(root: folder.path) }

  init() throws { folder = try TemporaryFolder() }

  /// The files of the records in the folder.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.contains(".sqlite") || $0.hasPrefix("database") }.sorted()
  }

  /// Opens the library, writes a routine, and closes it. Returns the library's name.
  @discardableResult
  private func add(_ title: String, in folder: TemporaryFolder) throws -> String {
    let library = try TestStudio(in: folder).library
    try library.commit([.init(.routine, Identifier.make(milliseconds: 1), ["title": .text(title)])])
    return library.database.identity
  }

  private func titles() throws -> [String] {
    let database = try LibraryDatabase(reading: data)
    return try RecordStore(database: database).present(.routine).compactMap { $0["title"].text }
      .sorted()
  }

  private func newAddress() throws -> String { try #require(TestDatabase.newAddress()) }

  @Test func `a folder that has its records is not opened with an address`() throws {
    try add("Swan", in: folder)
    let error = #expect(throws: StorageError.self) {
      try LibraryDatabase(of: data, newAt: "postgres://a/b")
    }
    #expect(error?.message.contains("segmance migrate") == true)
    #expect(try files() == ["segmance.sqlite"])
  }

  @Test func `a folder whose records are on a server is opened with no other address`() throws {
    try data.prepare()
    try data.requireRecords(at: "postgres://a/b")
    try data.writeDatabaseAddress("postgres://a/b")
    try data.requireRecords(at: "postgres://a/b")
    #expect(throws: StorageError.self) { try LibraryDatabase(of: data, newAt: "postgres://a/c") }
    #expect(try data.databaseAddress == "postgres://a/b")
    let mode = try FileManager.default.attributesOfItem(atPath: data.addressFile)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    try data.writeDatabaseAddress("")
    #expect(throws: StorageError.self) { try data.databaseAddress }
  }

  @Test func `a folder keeps no address at which there is no server`() throws {
    try data.prepare()
    let address = "postgres://segmance@/postgres?host=/nonexistent"
    let error = #expect(throws: DatabaseError.self) {
      try LibraryDatabase(of: data, newAt: address)
    }
    #expect(error?.code == .unreachable)
    #expect(!data.hasLibrary)
  }

  @Test(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
  func `a new library at an address is named by its folder`() throws {
    try data.prepare()
    let address = try newAddress()
    let identity = try LibraryDatabase(of: data, newAt: address).identity
    #expect(try LibraryDatabase(of: data).identity == identity)
    #expect(try LibraryDatabase(of: data, newAt: address).identity == identity)
    #expect(try files() == ["database.address"])
  }

  @Test func `a library that is open, or none, is not moved`() throws {
    #expect(throws: LibraryError.self) { try LibraryMigration(root: folder.path) }
    let studio = try TestStudio(in: folder)
    #expect(throws: LibraryError.self) { try LibraryMigration(root: folder.path) }
    withExtendedLifetime(studio) {}
  }

  @Test(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
  func `records move to a server and back, and clients follow the same library`() throws {
    let identity = try add("Swan", in: folder)
    let address = try newAddress()
    try LibraryMigration(root: folder.path).run(toServer: address)
    #expect(try files() == ["database.address", "segmance-before-move.sqlite"])
    #expect(try titles() == ["Swan"])
    #expect(try add("Lake", in: folder) == identity)
    #expect(throws: LibraryError.self) {
      try LibraryMigration(root: folder.path).run(toServer: address)
    }

    try LibraryMigration(root: folder.path).runToFolder()
    #expect(try files() == ["segmance-before-move.sqlite", "segmance.sqlite"])
    #expect(try titles() == ["Lake", "Swan"])
    #expect(try add("Fire", in: folder) == identity)
    #expect(throws: LibraryError.self) { try LibraryMigration(root: folder.path).runToFolder() }

    // The one that is there is the same library: it is replaced.
    try LibraryMigration(root: folder.path).run(toServer: address)
    #expect(try titles() == ["Fire", "Lake", "Swan"])
  }

  @Test(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
  func `another library on the server is not replaced`() throws {
    try add("Swan", in: folder)
    let other = try TemporaryFolder()
    let address = try newAddress()
    _ = try other.write("database.address", Array(address.utf8))
    try add("Theirs", in: other)
    #expect(throws: LibraryError.self) {
      try LibraryMigration(root: folder.path).run(toServer: address)
    }
    #expect(try files() == ["segmance.sqlite"])
    #expect(try titles() == ["Swan"])
    let theirs = try LibraryDatabase(reading: DataDirectory(root: other.path))
    #expect(try RecordStore(database: theirs).present(.routine).count == 1)
  }

  @Test(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
  func `a move that was interrupted after its last check is finished by the next start`() throws {
    let identity = try add("Swan", in: folder)
    let address = try newAddress()
    do {
      let target = try LibraryDatabase(at: .server(address))
      try target.replace(by: LibraryDatabase(reading: data))
    }
    try data.writeDatabaseAddress(address)
    // The file is still in its place.
    #expect(throws: StorageError.self) { try LibraryDatabase(reading: data) }
    #expect(try add("Lake", in: folder) == identity)
    #expect(try files() == ["database.address", "segmance-before-move.sqlite"])
    #expect(try titles() == ["Lake", "Swan"])
  }

  @Test(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
  func `a restore replaces what is on the server, and keeps what was there as a file`() throws {
    let identity = try add("Swan", in: folder)
    try LibraryMigration(root: folder.path).run(toServer: newAddress())
    // What was made of a song that both libraries have.
    let song: String
    do {
      let studio = try TestStudio(in: folder)
      song = try studio.importTrack(WAV.impulses([1], frames: 48_000)).id
    }
    let backup = folder.path + "/backup.tar"
    let snapshot = try BackupSnapshot(root: folder.path)
    _ = try snapshot.write(to: backup)
    try snapshot.remove()
    try add("Lake", in: folder)

    let summary = try LibraryRestore.run(root: folder.path, backup: backup)
    #expect(try titles() == ["Swan"])
    #expect(Files.exists(data.chunk(track: song, 0)))
    #expect(!data.hasDatabaseFile)
    let library = try LibraryDatabase(reading: data)
    #expect(library.identity != identity && library.isSameLibrary(identity))
    let aside = try #require(summary.aside)
    let before = try LibraryDatabase(readingAt: aside + "/segmance.sqlite")
    #expect(before.identity == identity)
    #expect(
      try RecordStore(database: before).present(.routine).compactMap { $0["title"].text }.sorted()
        == ["Lake", "Swan"])
    try add("Fire", in: folder)
    #expect(try titles() == ["Fire", "Swan"])
  }
}
