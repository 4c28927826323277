// The accounts at a provider of OpenID Connect with which people sign in.

/// A stored account of a person at a provider.
public struct AccountRow: Sendable, Equatable {
  public var id: String
  /// The provider's name for itself, an address.
  public var issuer: String
  /// The id that the provider gave the account.
  public var subject: String
  /// The id of the person whose it is.
  public var person: String
  /// What its person signs in with there, to show; empty if the provider doesn't tell it.
  public var name: String
  /// When it was added and last used, in milliseconds since 1970.
  public var createdAt: Int
  public var lastUsedAt: Int?

  /// Makes a row that was not used yet.
  public init(
    id: String, issuer: String, subject: String, person: String, name: String, createdAt: Int
  ) {
    self.id = id
    self.issuer = issuer
    self.subject = subject
    self.person = person
    self.name = name
    self.createdAt = createdAt
  }

  fileprivate init(row: Row) {
    id = row.text(0)
    issuer = row.text(1)
    subject = row.text(2)
    person = row.text(3)
    name = row.text(4)
    createdAt = row.integer(5)
    lastUsedAt = row.isNull(6) ? nil : row.integer(6)
  }
}

extension CredentialStore {
  private static let accountColumns = "id, issuer, subject, person, name, createdAt, lastUsedAt"

  /// Returns all accounts, the earliest first.
  public func accounts() throws(DatabaseError) -> [AccountRow] { try accounts("TRUE") }

  /// Returns the accounts of a person, the earliest first.
  public func accounts(of person: String) throws(DatabaseError) -> [AccountRow] {
    try accounts("person = ?", [.text(person)])
  }

  /// Returns the account with this id.
  public func account(_ id: String) throws(DatabaseError) -> AccountRow? {
    try accounts("id = ?", [.text(id)]).first
  }

  /// Returns the account to which an issuer gave an id.
  public func account(of issuer: String, _ subject: String) throws(DatabaseError) -> AccountRow? {
    try accounts("issuer = ? AND subject = ?", [.text(issuer), .text(subject)]).first
  }

  /// Adds an account, which must be new.
  public func add(_ account: AccountRow) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try CredentialStore.add(account, connection)
    }
  }

  /// Stores that an account was used.
  public func noteUse(ofAccount id: String, at time: Int) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE account SET lastUsedAt = ? WHERE id = ?", [.integer(time), .text(id)])
    }
  }

  /// Removes an account.
  public func removeAccount(_ id: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM account WHERE id = ?", [.text(id)])
    }
  }

  private func accounts(
    _ condition: String, _ values: [SQLValue] = []
  ) throws(DatabaseError) -> [AccountRow] {
    try database.read { connection throws(DatabaseError) in
      var rows: [AccountRow] = []
      try connection.query(
        "SELECT \(CredentialStore.accountColumns) FROM account WHERE \(condition) "
          + "ORDER BY createdAt, id", values
      ) { row in rows.append(AccountRow(row: row)) }
      return rows
    }
  }

  static func add(_ account: AccountRow, _ connection: any Connection) throws(DatabaseError) {
    try connection.run(
      "INSERT INTO account (\(accountColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(account.id), .text(account.issuer), .text(account.subject), .text(account.person),
        .text(account.name), .integer(account.createdAt),
        account.lastUsedAt.map(SQLValue.integer) ?? .null,
      ])
  }
}
