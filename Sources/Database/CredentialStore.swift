// The passwords, passkeys and accounts with which people sign in at browsers that are not paired.

import Model

/// A stored password.
public struct PasswordRow: Sendable, Equatable {
  /// The id of the person whose it is.
  public var person: String
  /// The name to sign in with, in lower case; no two people have the same.
  public var login: String
  /// The password's hash by yescrypt.
  public var hash: String
  /// When it was set, in milliseconds since 1970.
  public var changedAt: Int

  /// Makes a row.
  public init(person: String, login: String, hash: String, changedAt: Int) {
    self.person = person
    self.login = login
    self.hash = hash
    self.changedAt = changedAt
  }
}

/// A stored passkey: the public key of a credential that the person's authenticator holds.
public struct PasskeyRow: Sendable, Equatable {
  /// The id that the authenticator gave it, in base64url.
  public var id: String
  /// The id of the person whose it is.
  public var person: String
  /// The name that the person gave it.
  public var name: String
  /// The host name at which it was made, the only one where browsers offer it.
  public var site: String
  /// The public key, DER in base64url.
  public var publicKey: String
  /// How it signs, as COSE numbers it.
  public var algorithm: Int
  /// The last count of signatures that the authenticator gave; 0 if it does not count.
  public var counter: Int
  /// When it was made and last used, in milliseconds since 1970.
  public var createdAt: Int
  public var lastUsedAt: Int?

  /// Makes a row that was not used yet.
  public init(
    id: String, person: String, name: String, site: String, publicKey: String, algorithm: Int,
    counter: Int, createdAt: Int
  ) {
    self.id = id
    self.person = person
    self.name = name
    self.site = site
    self.publicKey = publicKey
    self.algorithm = algorithm
    self.counter = counter
    self.createdAt = createdAt
  }

  fileprivate init(row: Row) {
    id = row.text(0)
    person = row.text(1)
    name = row.text(2)
    site = row.text(3)
    publicKey = row.text(4)
    algorithm = row.integer(5)
    counter = row.integer(6)
    createdAt = row.integer(7)
    lastUsedAt = row.isNull(8) ? nil : row.integer(8)
  }
}

/// The tables of passwords, passkeys and accounts.
public struct CredentialStore: Sendable {
  private static let passkeyColumns =
    "id, person, name, site, publicKey, algorithm, counter, createdAt, lastUsedAt"

  let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Whether anybody has a password.
  public func hasPasswords() throws(DatabaseError) -> Bool {
    try exists("SELECT 1 FROM password")
  }

  /// Whether anybody has a passkey of a host name.
  public func hasPasskeys(at site: String) throws(DatabaseError) -> Bool {
    try exists("SELECT 1 FROM passkey WHERE site = ?", [.text(site)])
  }

  private func exists(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Bool {
    try database.read { connection throws(DatabaseError) in
      try connection.integer("\(sql) LIMIT 1", values) != nil
    }
  }

  /// Returns all passwords.
  public func passwords() throws(DatabaseError) -> [PasswordRow] {
    try passwords("TRUE")
  }

  /// Returns the password of a person.
  public func password(of person: String) throws(DatabaseError) -> PasswordRow? {
    try passwords("person = ?", [.text(person)]).first
  }

  /// Returns the password that belongs to a name to sign in with.
  public func password(login: String) throws(DatabaseError) -> PasswordRow? {
    try passwords("login = ?", [.text(login)]).first
  }

  /// Stores a person's password in place of the one before. The name must be nobody else's.
  public func save(_ password: PasswordRow) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try CredentialStore.save(password, connection)
    }
  }

  /// Removes a person's password.
  public func removePassword(of person: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM password WHERE person = ?", [.text(person)])
    }
  }

  /// Returns all passkeys, the earliest first.
  public func passkeys() throws(DatabaseError) -> [PasskeyRow] { try passkeys("TRUE") }

  /// Returns the passkeys of a person, the earliest first.
  public func passkeys(of person: String) throws(DatabaseError) -> [PasskeyRow] {
    try passkeys("person = ?", [.text(person)])
  }

  /// Returns the passkey with this id.
  public func passkey(_ id: String) throws(DatabaseError) -> PasskeyRow? {
    try passkeys("id = ?", [.text(id)]).first
  }

  /// Adds a passkey, whose id must be new.
  public func add(_ passkey: PasskeyRow) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try CredentialStore.add(passkey, connection)
    }
  }

  /// Stores that a passkey was used.
  public func noteUse(of id: String, counter: Int, at time: Int) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE passkey SET counter = ?, lastUsedAt = ? WHERE id = ?",
        [.integer(counter), .integer(time), .text(id)])
    }
  }

  /// Removes a passkey.
  public func removePasskey(_ id: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM passkey WHERE id = ?", [.text(id)])
    }
  }

  /// All that people of a library sign in with.
  public struct Credentials: Sendable {
    public var passwords: [PasswordRow] = []
    public var passkeys: [PasskeyRow] = []
    public var accounts: [AccountRow] = []

    /// Makes none.
    public init() {}

    /// Those of some people.
    public func of(_ people: Set<String>) -> Credentials {
      var some = Credentials()
      some.passwords = passwords.filter { people.contains($0.person) }
      some.passkeys = passkeys.filter { people.contains($0.person) }
      some.accounts = accounts.filter { people.contains($0.person) }
      return some
    }
  }

  /// Returns all that people sign in with.
  public func all() throws(DatabaseError) -> Credentials {
    var all = Credentials()
    all.passwords = try passwords()
    all.passkeys = try passkeys()
    all.accounts = try accounts()
    return all
  }

  /// Replaces all that people sign in with.
  public func replaceAll(with credentials: Credentials) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      for table in ["password", "passkey", "account"] {
        try connection.run("DELETE FROM \(table)")
      }
      for password in credentials.passwords { try CredentialStore.save(password, connection) }
      for passkey in credentials.passkeys { try CredentialStore.add(passkey, connection) }
      for account in credentials.accounts { try CredentialStore.add(account, connection) }
    }
  }

  /// Describes every password, passkey and account that can't be one; empty if all are valid.
  public func problems() throws(DatabaseError) -> [String] {
    let people = Set(try PeopleStore(database: database).people().map(\.person.id))
    let passwords = try passwords().filter {
      !people.contains($0.person) || $0.login.isEmpty || !$0.hash.hasPrefix("$y$")
    }
    let passkeys = try passkeys().filter {
      !people.contains($0.person) || $0.id.isEmpty || $0.site.isEmpty || $0.publicKey.isEmpty
    }
    let accounts = try accounts().filter {
      !people.contains($0.person) || $0.issuer.isEmpty || $0.subject.isEmpty
    }
    return passwords.map { "The password of the person \($0.person) is damaged. Remove it." }
      + passkeys.map { "The passkey \($0.id) is damaged. Remove it." }
      + accounts.map { "The account \($0.id) is damaged. Remove it." }
  }

  private func passwords(
    _ condition: String, _ values: [SQLValue] = []
  ) throws(DatabaseError) -> [PasswordRow] {
    try database.read { connection throws(DatabaseError) in
      var rows: [PasswordRow] = []
      try connection.query(
        "SELECT person, login, hash, changedAt FROM password WHERE \(condition)", values
      ) { row in
        rows.append(
          PasswordRow(
            person: row.text(0), login: row.text(1), hash: row.text(2), changedAt: row.integer(3)))
      }
      return rows
    }
  }

  private func passkeys(
    _ condition: String, _ values: [SQLValue] = []
  ) throws(DatabaseError) -> [PasskeyRow] {
    try database.read { connection throws(DatabaseError) in
      var rows: [PasskeyRow] = []
      try connection.query(
        "SELECT \(CredentialStore.passkeyColumns) FROM passkey WHERE \(condition) "
          + "ORDER BY createdAt, id", values
      ) { row in rows.append(PasskeyRow(row: row)) }
      return rows
    }
  }

  private static func save(
    _ password: PasswordRow, _ connection: any Connection
  ) throws(DatabaseError) {
    try connection.run(
      """
      INSERT INTO password (person, login, hash, changedAt) VALUES (?, ?, ?, ?)
      ON CONFLICT (person) DO UPDATE
        SET login = excluded.login, hash = excluded.hash, changedAt = excluded.changedAt
      """,
      [
        .text(password.person), .text(password.login), .text(password.hash),
        .integer(password.changedAt),
      ])
  }

  private static func add(_ passkey: PasskeyRow, _ connection: any Connection) throws(DatabaseError)
  {
    try connection.run(
      "INSERT INTO passkey (\(passkeyColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(passkey.id), .text(passkey.person), .text(passkey.name), .text(passkey.site),
        .text(passkey.publicKey), .integer(passkey.algorithm), .integer(passkey.counter),
        .integer(passkey.createdAt), passkey.lastUsedAt.map(SQLValue.integer) ?? .null,
      ])
  }
}
