// Copying all tables from one engine to the other: a backup of a server is a file of SQLite, and a
// restored or moved library goes the other way.

import Storage

/// The tables of a library, in an order in which they can be filled.
enum LibraryTables {
  /// What a column holds.
  enum Kind {
    case text
    case integer
  }

  /// One table.
  struct Table {
    var name: String
    var columns: [(name: String, kind: Kind)]
    /// How many of the first columns are the key.
    var key: Int

    /// Makes a table of columns; a name with a `#` before it holds integers.
    init(_ name: String, _ columns: String, key: Int = 1) {
      self.name = name
      self.key = key
      self.columns = columns.split(separator: " ").map {
        $0.hasPrefix("#") ? (String($0.dropFirst()), .integer) : (String($0), .text)
      }
    }

    var list: String { columns.map(\.name).joined(separator: ", ") }
  }

  /// What servers that run have agreed about. It is not copied.
  static let uncopied: Set<String> = ["deletion", "hold"]

  static let all = [
    Table("record", "type id space #seq #createdAt #deletedAt fields stamps", key: 2),
    Table("personal", "person type id #seq #createdAt #deletedAt fields stamps", key: 3),
    Table("earlier", "type record field stamp value replacer #replacedAt #isLate #keptAt", key: 4),
    Table("counter", "name #value"),
    Table("job", "id kind state message subject #createdAt #endedAt #server"),
    Table("device", "id name tokenHash #createdAt #lastSeenAt invitedBy person #endsAt"),
    Table("push", "device endpoint publicKey authentication level language"),
    Table(
      "link",
      "id secret salt tokenHash passcodeHash routine part #startFrame #endFrame #createdAt "
        + "#expiresAt #isOver #openings #lastOpenedAt"),
    Table("person", "id name colour #createdAt #anewFrom"),
    Table("troupe", "id name #createdAt"),
    Table("member", "troupe person role #since", key: 2),
    Table("password", "person login hash #changedAt"),
    Table("passkey", "id person name site publicKey #algorithm #counter #createdAt #lastUsedAt"),
    Table("account", "id issuer subject person name #createdAt #lastUsedAt"),
    Table("pairing", "hash maker person #expiresAt #isUsed"),
    Table("answered", "challenge #endsAt"),
    Table("secret", "name value"),
  ]
}

/// A copy of all tables, within a transaction on each side.
struct TableCopy {
  let from: any Connection
  let to: any Connection

  /// Replaces what is in the tables. `progress` goes from 0 to 1.
  /// - Returns: false when `isCancelled` said so.
  func run(
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(DatabaseError) -> Bool {
    try allowLongStatements()
    var total = 0
    for table in LibraryTables.all {
      total += try from.integer("SELECT count(*) FROM \(table.name)") ?? 0
    }
    for table in LibraryTables.all.reversed() { try to.run("DELETE FROM \(table.name)") }
    var copied = 0
    for table in LibraryTables.all {
      let places = table.columns.map { _ in "?" }.joined(separator: ", ")
      let insert = "INSERT INTO \(table.name) (\(table.list)) VALUES (\(places))"
      let isWhole = try from.eachRow("SELECT \(table.list) FROM \(table.name)") {
        row throws(DatabaseError) in
        try to.run(insert, values(of: row, in: table))
        copied += 1
        if copied % 1024 == 0 { progress(Double(copied) / Double(total)) }
        return !isCancelled()
      }
      guard isWhole else { return false }
    }
    progress(1)
    return true
  }

  /// The statements of a copy may take as long as they need.
  func allowLongStatements() throws(DatabaseError) {
    for side in [from, to] { try side.allowLongStatements() }
  }

  private func values(of row: Row, in table: LibraryTables.Table) -> [SQLValue] {
    table.columns.enumerated().map { index, column in
      let index = Int32(index)
      if row.isNull(index) { return .null }
      return column.kind == .integer ? .integer(row.integer(index)) : .text(row.text(index))
    }
  }

  /// Throws `corrupt` unless both sides hold the same rows.
  func verify() throws(DatabaseError) {
    try allowLongStatements()
    for table in LibraryTables.all where try digest(table, of: from) != digest(table, of: to) {
      throw DatabaseError(
        .corrupt, "What was copied of the table \(table.name) is not what was there.")
    }
  }

  /// The hash of all rows of a table.
  private func digest(
    _ table: LibraryTables.Table, of side: any Connection
  ) throws(DatabaseError) -> String {
    var hasher = SHA256Hasher()
    let order = (1...table.key).map(String.init).joined(separator: ", ")
    _ = try side.eachRow("SELECT \(table.list) FROM \(table.name) ORDER BY \(order)") { row in
      for index in table.columns.indices.map(Int32.init) {
        var text = row.isNull(index) ? "-" : "+\(row.text(index).utf8.count) \(row.text(index))"
        text.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
      }
      return true
    }
    return hasher.digest()
  }
}
