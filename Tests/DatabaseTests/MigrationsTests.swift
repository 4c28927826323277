// Migration of earlier libraries: Tests/Fixtures/schemas has one of each schema.

import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Database

@Suite struct MigrationsTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/segmance.sqlite"
  }

  private func fixture(_ version: Int) throws -> String {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let file = "/\(tests)/Fixtures/schemas/v\(version).sql"
    return String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
  }

  private func write(_ version: Int) throws {
    try SQLiteConnection(path: path, .copy).execute(try fixture(version))
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// The tables with their columns.
  private func columns() throws -> [(table: String, names: [String])] {
    var columns: [(table: String, names: [String])] = []
    try SQLiteConnection(path: path, .reader).query(
      """
      SELECT name, (SELECT group_concat(name, ' ') FROM pragma_table_info(s.name))
      FROM sqlite_schema AS s WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name
      """
    ) { row in
      columns.append((row.text(0), row.text(1).split(separator: " ").map(String.init)))
    }
    return columns
  }

  /// Every row of every table, with these columns, as text.
  private func rows(_ columns: [(table: String, names: [String])]) throws -> [String] {
    let connection = try SQLiteConnection(path: path, .reader)
    var rows: [String] = []
    for (table, names) in columns {
      let quoted = names.map { "'\($0)=' || quote(\($0))" }.joined(separator: " || ' ' || ")
      try connection.query("SELECT '\(table) ' || \(quoted) FROM \(table)") { row in
        rows.append(row.text(0))
      }
    }
    return rows.sorted()
  }

  @Test func `a fixture exists for every schema`() throws {
    for version in 1...Migrations.all.count {
      let text = try fixture(version)
      #expect(text.contains("PRAGMA user_version = \(version);"))
    }
  }

  @Test(arguments: 1...Migrations.all.count)
  func `a library of every schema opens with all its records`(version: Int) throws {
    try write(version)
    let columns = try columns()
    let rows = try rows(columns)
    let records = rows.count { $0.hasPrefix("record ") }
    #expect(records > 5 && rows.contains { $0.hasPrefix("counter ") })
    #expect(version < 5 || rows.contains { $0.hasPrefix("record type='video'") })
    do {
      let store = RecordStore(database: try LibraryDatabase(path: path))
      #expect(try store.problems() == [])
      #expect(try store.page(since: 0, limit: 1_000).records.count == records)
    }
    #expect(Set(rows).subtracting(try self.rows(columns)) == [])
    #expect(try LibraryDatabase.problems(inCopyAt: path) == [])
  }

  @Test(arguments: 1..<Migrations.all.count)
  func `an older library is copied before it is changed`(version: Int) throws {
    try write(version)
    _ = try LibraryDatabase(path: path)
    let copy = "segmance-before-v\(Migrations.all.count).sqlite"
    #expect(try files.contains(copy))
    for name in [copy, "segmance.sqlite"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "others read \(name)")
    }
    let connection = try SQLiteConnection(path: folder.path + "/" + copy, .reader)
    #expect(try Migrations.version(of: connection) == version)
    #expect(try connection.integer("SELECT count(*) FROM record") ?? 0 > 5)
    #expect(try LibraryDatabase.problems(inCopyAt: folder.path + "/" + copy) == [])
  }

  @Test func `a library of today's schema, and a new one, are not copied`() throws {
    _ = try LibraryDatabase(path: path)
    _ = try LibraryDatabase(path: path)
    #expect(try files == ["segmance.sqlite"])
  }

  @Test func `only the last two copies are kept`() throws {
    try write(1)
    for version in [-1, 0, 1] {
      let name = "/segmance-before-v\(Migrations.all.count + version - 2).sqlite"
      _ = try folder.write(name, [1])
    }
    let connection = try SQLiteConnection(path: path, .writer)
    try MigrationBackup.make(of: connection, at: path)
    let kept = (0..<MigrationBackup.kept).map {
      "segmance-before-v\(Migrations.all.count - $0).sqlite"
    }
    // There is no schema before the first to forget.
    let copies = try files.filter {
      $0.contains("before") && !$0.contains("-v0") && !$0.contains("-v-")
    }
    #expect(copies == kept.sorted())
  }

  @Test func `a damaged library is left as it is`() throws {
    try write(1)
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // Damages the second and later pages, with rows and indexes, but not the header.
    for index in 4096..<min(bytes.count, 12_288) { bytes[index] ^= 0x55 }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(throws: DatabaseError.self) { try LibraryDatabase(path: path) }
    // The first page may already declare WAL mode.
    let after = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(after.count == bytes.count && after.dropFirst(4_096) == bytes.dropFirst(4_096))
    let connection = try SQLiteConnection(path: path, .reader)
    #expect(try Migrations.version(of: connection) == 1)
    #expect(try !files.contains { $0.contains("before") })
  }

  @Test func `a later version's library is refused and untouched`() throws {
    _ = try LibraryDatabase(path: path)
    try SQLiteConnection(path: path, .copy).execute("PRAGMA user_version = 99")
    let error = #expect(throws: DatabaseError.self) { try LibraryDatabase(path: path) }
    #expect(error?.code == .newerSchema)
    #expect(try !files.contains { $0.contains("before") })
  }
}
