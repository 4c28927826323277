// Signing in at a provider of OpenID Connect, and the accounts there that belong to people.

import Database
import HTTP
import Model
import Network

extension SignIn {
  /// The maximum number of accounts of one person.
  static let accountLimit = 10
  private static let enterPurpose = "sign in at a provider"
  /// The colours of people who come in by themselves, in turn; the client's palette has them too.
  private static let colours = ["#248f36", "#1584bc", "#cb5b10", "#d74291", "#8863de", "#148a7b"]

  /// Begins to sign in at the provider, from where the browser comes back to `address`.
  ///
  /// - Throws: `LibraryError` `notFound` without a provider, `unreachable` or `busy`.
  func depart(returningTo address: String) throws -> OpenIDProvider.Departure {
    try requireProvider().depart(for: Self.enterPurpose, returningTo: address)
  }

  /// Lets a browser in that comes back from the provider. `secret` is what it kept. Returns the device
  /// with the token for its cookie.
  ///
  /// - Throws: `LibraryError` `wrongCredentials`, whose cause says why, `unknownAccount`, `unreachable`,
  ///   `busy`, `tooOften` or `conflict`.
  func enter(
    _ arrival: OpenIDProvider.Return, keeping secret: String, returningTo address: String,
    as browser: Browser
  ) throws -> (row: DeviceRow, token: String, isNew: Bool) {
    let provider = try requireProvider()
    let attempt = try begin(browser.address)
    let (issuer, account): (String, OpenID.Account)
    do {
      (issuer, account) = try provider.account(
        of: arrival, keeping: secret, for: Self.enterPurpose, returningTo: address)
    } catch let error as LibraryError where error.isOfProvider {
      // Nobody has guessed anything: others at this address may go on with their passwords.
      refund(attempt)
      throw error
    }
    return try editing.withLock {
      let known = try store.account(of: issuer, account.subject)
      guard known != nil || provider.options.addsPeople else {
        throw LibraryError(
          .unknownAccount,
          "Nobody here has this account of \(provider.options.name). Ask for a code to come in, then "
            + "connect the account in the settings of your devices.")
      }
      let row = try known ?? add(account, of: issuer)
      let admitted = try admit(row.person, browser, refunding: attempt)
      try store.noteUse(ofAccount: row.id, at: now())
      return (admitted.row, admitted.token, known == nil)
    }
  }

  /// Makes a person of an account that nobody has.
  private func add(_ account: OpenID.Account, of issuer: String) throws -> AccountRow {
    let told = [account.name, account.login].compactMap { $0 }.map(Self.shortened)
    let person = try people.add(
      name: told.first { !$0.isEmpty } ?? Self.shortened(provider?.options.name ?? issuer),
      colour: Self.colours[people.all.count % Self.colours.count], now: now())
    do {
      return try save(account, of: issuer, person: person.id)
    } catch {
      // Otherwise each attempt would leave a person behind whom nobody can be.
      try people.remove(person.id, now: now())
      throw error
    }
  }

  /// A text of the provider's that is short enough for a name.
  private static func shortened(_ text: String) -> String {
    let name = String(text.prefix(Person.nameLimit)).asName
    return name.utf8.count <= Person.nameLimit * 16 ? name : ""
  }

  private func save(
    _ account: OpenID.Account, of issuer: String, person: String
  ) throws -> AccountRow {
    let row = AccountRow(
      id: Identifier.make(milliseconds: now()), issuer: issuer, subject: account.subject,
      person: person, name: Self.shortened(account.login ?? account.name ?? ""), createdAt: now())
    try store.add(row)
    return row
  }

  // MARK: - Accounts of people

  /// The accounts of a person, the earliest first.
  func accounts(of person: String) throws -> [AccountRow] { try store.accounts(of: person) }

  /// Begins to add an account of a person, who comes back from the provider to `address`.
  func depart(
    toAddFor person: String, returningTo address: String
  ) throws -> OpenIDProvider.Departure {
    try requireProvider().depart(for: Self.addPurpose(person), returningTo: address)
  }

  /// Adds an account of a person who comes back from the provider. `secret` is what the browser kept.
  ///
  /// - Throws: `LibraryError` `wrongCredentials`, `conflict`, `unreachable` or `busy`.
  func addAccount(
    _ arrival: OpenIDProvider.Return, keeping secret: String, returningTo address: String,
    of person: String
  ) throws -> AccountRow {
    let (issuer, account) = try requireProvider().account(
      of: arrival, keeping: secret, for: Self.addPurpose(person), returningTo: address)
    return try editing.withLock {
      guard people[person] != nil else { throw LibraryError.unknownPerson }
      if let known = try store.account(of: issuer, account.subject) {
        guard known.person == person else {
          throw LibraryError(.conflict, "Somebody else here signs in with this account.")
        }
        return known
      }
      guard try store.accounts(of: person).count < Self.accountLimit else {
        throw LibraryError(
          .conflict, "A person has at most \(Self.accountLimit) accounts. Remove one first.")
      }
      return try save(account, of: issuer, person: person)
    }
  }

  /// Removes an account of a person; false if they have no such one.
  func removeAccount(_ id: String, of person: String) throws -> Bool {
    try editing.withLock {
      guard try store.account(id)?.person == person else { return false }
      try store.removeAccount(id)
      return true
    }
  }

  private static func addPurpose(_ person: String) -> String { "add an account for \(person)" }

  private func requireProvider() throws(LibraryError) -> OpenIDProvider {
    guard let provider else {
      throw LibraryError(.notFound, "This server knows no provider to sign in at.")
    }
    return provider
  }
}

extension LibraryError {
  /// Whether the provider was not asked, or did not answer.
  fileprivate var isOfProvider: Bool {
    switch code {
    case .busy, .unreachable: true
    default: false
    }
  }
}
