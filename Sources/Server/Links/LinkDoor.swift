// The opening of links: from the secret of an address, and a passcode, to the token of a cookie.

import Database
import HTTP
import Network

/// Opens links, and slows those down who guess.
final class LinkDoor: Sendable {
  /// The shortest and longest passcode, in characters.
  private static let passcodeLength = 4...100

  private let links: Links
  private let records: RecordStore
  /// Wrong secrets and passcodes by address.
  private let attempts: RateLimit
  /// Wrong passcodes by link: guesses may come from many addresses. Who has opened the link already
  /// needs no passcode, so nobody who is inside can be locked out.
  private let passcodes: RateLimit
  private let hashing: HashTurns

  /// Makes the door of `links`; `now` returns milliseconds since 1970.
  init(
    links: Links, records: RecordStore, hashing: HashTurns, now: @escaping @Sendable () -> Int
  ) {
    self.hashing = hashing
    self.links = links
    self.records = records
    attempts = RateLimit(10, per: 60_000, now: now)
    passcodes = RateLimit(30, per: 600_000, now: now)
  }

  /// Opens a link. Returns it with the token for its cookie.
  ///
  /// - Throws: `LibraryError` `notFound` for an unknown id or a wrong secret, which look the same;
  ///   `gone` when it has ended; `wrongPasscode`; `tooOften`.
  func open(
    _ id: String, secret: String, passcode: String?, by caller: Caller, from address: IPAddress?
  ) throws -> (row: LinkRow, token: String) {
    let address = address?.subscriber.description ?? ""
    try attempts.take(address, "Too many links were tried. Wait a minute, then try again.")
    // Comparing hashes prevents timing attacks on the secret.
    guard let row = links[id], secret.utf8.count <= 64,
      Token.hash(secret) == Token.hash(row.secret)
    else {
      throw LibraryError(
        .notFound, "This link is not known. Check the address, or ask for a new one.")
    }
    guard links.isValid(id) else {
      attempts.refund(address)
      throw LibraryError(.gone, "This link has ended. Ask for a new one.")
    }
    guard try records.isThere(row.scope) else {
      attempts.refund(address)
      throw LibraryError(.gone, "What this link showed was deleted.")
    }
    var isInside = false
    if case .visitor(let ids) = caller { isInside = ids.contains(id) }
    if let hash = row.passcodeHash, !isInside {
      guard let passcode else {
        attempts.refund(address)
        throw LibraryError(.wrongPasscode, "This link needs a passcode.")
      }
      try passcodes.take(
        id, "This link was tried with too many wrong passcodes. Try again in ten minutes.")
      guard try hashing.matches(passcode, hash) else {
        throw LibraryError(.wrongPasscode, "The passcode is wrong.")
      }
      passcodes.refund(id)
    }
    attempts.refund(address)
    if !isInside, !caller.isPaired { links.countOpening(of: id) }
    return (row, Token.derive(from: row.secret, salt: row.salt))
  }

  /// Checks and hashes a passcode that a person chose.
  func hash(_ passcode: String) throws -> String {
    let length = LinkDoor.passcodeLength
    guard length.contains(passcode.count), passcode.utf8.count <= length.upperBound * 16 else {
      throw LibraryError(
        .unusable,
        "A passcode has \(length.lowerBound) to \(length.upperBound) characters.")
    }
    return try hashing.hash(passcode)
  }
}
