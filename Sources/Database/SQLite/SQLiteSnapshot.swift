// Copies of a database that is in use, by SQLite's online backup, and what is looked at in a copy.

import CSQLite

extension SQLiteConnection {
  private static let pagesPerStep: Int32 = 2048

  /// Copies the database, as it is now, to a new file at `path` that needs no other file beside it.
  ///
  /// Writers go on meanwhile: the copy is one moment of the library. `progress` goes from 0 to 1.
  /// - Returns: false when `isCancelled` said so; then what is at `path` is of no use.
  func copy(
    to path: String, progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(DatabaseError) -> Bool {
    let target = try SQLiteConnection(path: path, .copy)
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.failure("beginning a copy of the library")
    }
    var result = SQLITE_OK
    while result == SQLITE_OK {
      if isCancelled() {
        sqlite3_backup_finish(backup)
        return false
      }
      result = sqlite3_backup_step(backup, SQLiteConnection.pagesPerStep)
      let total = sqlite3_backup_pagecount(backup)
      let left = sqlite3_backup_remaining(backup)
      if total > 0 { progress(Double(total - left) / Double(total)) }
    }
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else {
      throw target.failure("copying the library", result: result)
    }
    // The copy says of itself that it is in WAL mode, like its source.
    try target.execute("PRAGMA journal_mode = DELETE")
    return true
  }

  /// Returns what SQLite finds wrong with the file; empty when it is sound.
  func integrityProblems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    try query("PRAGMA integrity_check") { row throws(DatabaseError) in
      if row.text(0) != "ok" { problems.append(row.text(0)) }
    }
    try query("PRAGMA foreign_key_check") { row throws(DatabaseError) in
      problems.append("A row of \(row.text(0)) points at nothing.")
    }
    return problems
  }

  /// The tables and indexes as the SQL that made them.
  fileprivate func schema() throws(DatabaseError) -> Set<String> {
    var all: Set<String> = []
    try query("SELECT type, name, sql FROM sqlite_schema") { row throws(DatabaseError) in
      all.insert("\(row.text(0)) \(row.text(1)): \(row.text(2))")
    }
    return all
  }
}

extension LibraryDatabase {
  /// The number of today's schema.
  public static var schemaVersion: Int { Migrations.all.count }

  /// Looks a copied database over and returns what is wrong with it; empty when it can be used.
  ///
  /// A copy may come from anywhere: it must have exactly the tables that its version's migrations
  /// make, and no triggers or views of somebody else's.
  /// - Throws: `newerSchema` when a later version of Segmance wrote it.
  public static func problems(inCopyAt path: String) throws(DatabaseError) -> [String] {
    let copy = try SQLiteConnection(path: path, .reader)
    let version = try Migrations.version(of: copy)
    guard version <= Migrations.all.count else { throw Migrations.newerSchema }
    guard version > 0 else { return ["The file holds no library."] }
    let model = try SQLiteConnection(path: ":memory:", .copy)
    for sql in Migrations.all.prefix(version) { try model.execute(sql) }
    guard try copy.schema() == model.schema() else {
      return ["The database has other tables than version \(version) of the schema."]
    }
    return try copy.integrityProblems()
  }
}
