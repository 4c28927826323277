// Signing in without a code: by a password, a passkey or an account at a provider, from any browser that
// reaches the server.

import Database
import HTTP
import Model
import Network
import Synchronization
import Text

/// Keeps the passwords, passkeys and accounts of people, and lets browsers in that have one.
final class SignIn: Sendable {
  /// The lengths of a password, in characters.
  static let passwordLength = 12...128
  /// How many different characters a password has at least.
  private static let leastVariety = 6
  /// The longest name to sign in with, and the longest name of a passkey, in characters.
  static let nameLimit = 60
  /// The maximum number of passkeys of one person.
  static let passkeyLimit = 20
  /// How long a browser is let in that doesn't stay, in milliseconds.
  static let shortLife = Library.day / 2
  private static let signInPurpose = "sign in"

  /// A browser that asks to be let in.
  struct Browser: Sendable {
    /// The name that it gets in the list of devices.
    let name: String
    /// Whether it stays until it is removed.
    let stays: Bool
    /// Where it asks from.
    let address: IPAddress?
    /// The device that it was until now.
    let replaced: String?
  }

  let store: CredentialStore
  let people: People
  private let devices: Devices
  private let hashing: HashTurns
  private let challenges: SignInChallenges
  let now: @Sendable () -> Int
  /// Wrong attempts by address.
  private let attempts: RateLimit
  /// Wrong passwords by name: guesses may come from many addresses.
  private let guesses: RateLimit
  /// Held while passwords, passkeys and accounts change, and while a device is made with one.
  let editing: EditLock
  /// Where people may sign in besides; nil for nowhere.
  let provider: OpenIDProvider?

  /// `now` returns milliseconds since 1970.
  init(
    store: CredentialStore, secrets: SecretStore, people: People, devices: Devices,
    hashing: HashTurns, sharing: Sharing? = nil,
    openID: OpenIDOptions?, now: @escaping @Sendable () -> Int
  ) {
    self.store = store
    editing = EditLock(.credentials, sharing)
    self.people = people
    self.devices = devices
    self.hashing = hashing
    self.now = now
    let challenges = SignInChallenges(store: secrets, now: now)
    self.challenges = challenges
    provider = openID.map { OpenIDProvider($0, challenges: challenges, now: now) }
    attempts = RateLimit(10, per: 60_000, now: now)
    guesses = RateLimit(15, per: 600_000, now: now)
  }

  // MARK: - Signing in

  /// Whether anybody can sign in by a password, and by a passkey at this host name.
  func ways(at host: String?) throws -> (password: Bool, passkey: Bool) {
    (try store.hasPasswords(), try host.map { try store.hasPasskeys(at: $0) } ?? false)
  }

  /// Lets a browser in by a password. Returns the device with the token for its cookie.
  ///
  /// - Throws: `LibraryError` `wrongCredentials`, which doesn't tell an unknown name from a wrong
  ///   password, `tooOften`, `busy` or `conflict`.
  func enter(
    login: String, password: String, as browser: Browser
  ) throws -> (row: DeviceRow, token: String) {
    let wrong = LibraryError(.wrongCredentials, "The name or the password is wrong.")
    let address = try begin(browser.address)
    let login = Self.folded(login)
    guard login.count <= Self.nameLimit, password.count <= Self.passwordLength.upperBound,
      password.utf8.count <= Self.passwordLength.upperBound * 16
    else { throw wrong }
    try guesses.take(
      login, "This name was tried with too many wrong passwords. Try again in ten minutes.")
    let row = try store.password(login: login)
    // Of an unknown name another hash is made, so that the time tells nothing.
    let isRight = try row.map { try hashing.matches(password, $0.hash) } ?? false
    if row == nil { _ = try hashing.hash(password) }
    guard isRight, let row else { throw wrong }
    guesses.refund(login)
    return try editing.withLock {
      guard try store.password(of: row.person) == row else { throw wrong }
      return try admit(row.person, browser, refunding: address)
    }
  }

  /// Makes a challenge for a passkey to sign in with.
  func challenge() throws -> String { try challenges.make(for: Self.signInPurpose) }

  /// Lets a browser in by a passkey that signed a challenge. Returns the device with the token for its
  /// cookie.
  ///
  /// - Throws: `LibraryError` `wrongCredentials`, whose cause says why, `tooOften` or `conflict`.
  func enter(
    _ assertion: Passkey.Assertion, at site: Passkey.Site, as browser: Browser
  ) throws -> (row: DeviceRow, token: String) {
    let address = try begin(browser.address)
    return try editing.withLock {
      guard let challenge = assertion.challenge,
        try challenges.take(challenge, for: Self.signInPurpose)
      else {
        throw LibraryError(
          .wrongCredentials, "This took too long. Try again with your passkey.")
      }
      guard let passkey = try store.passkey(assertion.id), passkey.site == site.host else {
        throw LibraryError(.wrongCredentials, "This passkey is not known here, or was removed.")
      }
      let counter: Int
      do {
        counter = try assertion.verify(
          challenge, at: site, publicKey: passkey.publicKey, algorithm: passkey.algorithm,
          counter: passkey.counter)
      } catch {
        throw LibraryError(.wrongCredentials, "The passkey was refused.", cause: error)
      }
      let admitted = try admit(passkey.person, browser, refunding: address)
      try store.noteUse(of: passkey.id, counter: counter, at: now())
      return admitted
    }
  }

  /// Counts an attempt.
  func begin(_ address: IPAddress?) throws -> String {
    let address = address?.subscriber.description ?? ""
    try attempts.take(address, "Too many sign-ins were tried. Wait a minute, then try again.")
    return address
  }

  /// Takes an attempt back.
  func refund(_ address: String) { attempts.refund(address) }

  func admit(
    _ person: String, _ browser: Browser, refunding address: String
  ) throws -> (row: DeviceRow, token: String) {
    attempts.refund(address)
    return try devices.pair(
      name: browser.name, person: person == Person.owner ? nil : person,
      replacing: browser.replaced, until: browser.stays ? nil : now() + Self.shortLife)
  }

  // MARK: - Passwords

  /// The password of a person.
  func password(of person: String) throws -> PasswordRow? { try store.password(of: person) }

  /// Gives a person a name to sign in with and a password. Who has one must say it.
  ///
  /// - Throws: `LibraryError` `unusable`, `wrongCredentials`, `conflict` for a name that somebody else
  ///   has, `tooOften` or `busy`.
  func setPassword(
    _ password: String, login: String, current: String?, of person: String,
    from address: IPAddress?
  ) throws {
    let login = Self.folded(try People.name(login))
    try requireStrong(password, login: login, name: people[person]?.name ?? "")
    let before = try store.password(of: person)
    if let before {
      let address = try begin(address)
      try guesses.take(
        before.login, "Too many wrong passwords were tried. Try again in ten minutes.")
      guard let current, try hashing.matches(current, before.hash) else {
        throw LibraryError(.wrongCredentials, "The current password is wrong.")
      }
      guesses.refund(before.login)
      attempts.refund(address)
    }
    let hash = try hashing.hash(password)
    try editing.withLock {
      guard people[person] != nil else { throw LibraryError.unknownPerson }
      guard try store.password(of: person) == before else {
        throw LibraryError(.conflict, "The password was changed at the same moment. Try again.")
      }
      guard try store.password(login: login).map({ $0.person == person }) ?? true else {
        throw LibraryError(
          .conflict, "Somebody else signs in with this name. Take another one.")
      }
      try store.save(PasswordRow(person: person, login: login, hash: hash, changedAt: now()))
    }
  }

  /// Removes a person's password.
  func removePassword(of person: String) throws {
    try editing.withLock { try store.removePassword(of: person) }
  }

  private func requireStrong(
    _ password: String, login: String, name: String
  ) throws(LibraryError) {
    let length = Self.passwordLength
    guard length.contains(password.count), password.utf8.count <= length.upperBound * 16 else {
      throw LibraryError(
        .unusable,
        "A password has \(length.lowerBound) to \(length.upperBound) characters.")
    }
    var rest = password.lowercased()
    for known in [login, name.lowercased(), "segmance", "password"] where !known.isEmpty {
      rest = rest.split(separator: known).joined()
    }
    guard Set(rest).count >= Self.leastVariety, !Self.isSequence(rest) else {
      throw LibraryError(
        .unusable, "This password is easy to guess. Take another one, such as four words.")
    }
  }

  /// Whether a text only counts up or down, such as 1234567890.
  private static func isSequence(_ text: String) -> Bool {
    let values = text.unicodeScalars.map { Int($0.value) }
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    return steps.count { abs($0) == 1 } * 4 > steps.count * 3
  }

  /// A name to sign in with, in the form in which it is stored and looked up.
  private static func folded(_ login: String) -> String { login.asName.lowercased() }

  // MARK: - Passkeys

  /// The passkeys of a person, the earliest first.
  func passkeys(of person: String) throws -> [PasskeyRow] { try store.passkeys(of: person) }

  /// Makes a challenge with which a person adds a passkey.
  func challenge(toAddFor person: String) throws -> String {
    try challenges.make(for: "add for \(person)")
  }

  /// Adds a passkey that a browser has made for a challenge.
  ///
  /// - Throws: `LibraryError` `unusable`, `conflict`.
  func add(
    _ creation: Passkey.Creation, for challenge: String, name: String, at site: Passkey.Site,
    of person: String
  ) throws -> PasskeyRow {
    let name = try People.name(name)
    return try editing.withLock {
      guard people[person] != nil else { throw LibraryError.unknownPerson }
      guard try challenges.take(challenge, for: "add for \(person)") else {
        throw LibraryError(.conflict, "This took too long. Try again.")
      }
      let made: Passkey.Made
      do {
        made = try creation.verify(challenge, at: site)
      } catch {
        throw LibraryError(.unusable, "This passkey can't be used here.", cause: error)
      }
      guard try store.passkeys(of: person).count < Self.passkeyLimit else {
        throw LibraryError(
          .conflict, "A person has at most \(Self.passkeyLimit) passkeys. Remove one first.")
      }
      guard try store.passkey(made.id) == nil else {
        throw LibraryError(.conflict, "This passkey is known already.")
      }
      let row = PasskeyRow(
        id: made.id, person: person, name: name, site: site.host, publicKey: made.publicKey,
        algorithm: made.algorithm.rawValue, counter: made.counter, createdAt: now())
      try store.add(row)
      return row
    }
  }

  /// Removes a passkey of a person; false if they have no such one.
  func removePasskey(_ id: String, of person: String) throws -> Bool {
    try editing.withLock {
      guard try store.passkey(id)?.person == person else { return false }
      try store.removePasskey(id)
      return true
    }
  }
}
