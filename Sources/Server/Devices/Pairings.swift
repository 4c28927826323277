// Pairing: a one-use token, valid for five minutes, registers a device.

import Database
import Network

/// Issues and redeems pairing tokens, of which the library keeps the hashes.
final class Pairings: Sendable {
  /// The lifetime of a token.
  static let lifeMilliseconds = 5 * 60_000
  /// The maximum number of open tokens of one maker. A new one replaces the oldest.
  private static let openLimit = 20
  /// How long a used or expired token is distinguished from an unknown one.
  private static let memoryMilliseconds = 60 * 60_000

  private let store: PairingStore
  private let devices: Devices
  private let now: @Sendable () -> Int
  private let attempts: RateLimit

  /// Makes pairings for `devices`; `now` returns milliseconds since 1970.
  init(store: PairingStore, devices: Devices, now: @escaping @Sendable () -> Int) {
    self.store = store
    self.devices = devices
    self.now = now
    attempts = RateLimit(10, per: 60_000, now: now)
  }

  /// Makes a token that pairs a device of a person; nil is the owner. Returns it with its expiry time.
  func make(
    by maker: String?, for person: String? = nil
  ) throws(DatabaseError) -> (token: String, expiresAt: Int) {
    let time = now()
    let token = Token().text
    let row = PairingRow(
      hash: Token.hash(token), maker: maker, person: person,
      expiresAt: time + Pairings.lifeMilliseconds)
    try store.add(
      row, limit: Pairings.openLimit, removingBefore: time - Pairings.memoryMilliseconds)
    return (token, row.expiresAt)
  }

  /// Redeems a token. Returns the new device with the token for its cookie.
  ///
  /// - Parameters:
  ///   - address: the origin of the attempt. A token has 256 random bits and cannot be guessed; the
  ///     limit only keeps the log short.
  ///   - replaced: the device that the same browser was until now.
  func claim(
    _ token: String, name: String, from address: String?, replacing replaced: String?
  ) throws -> (row: DeviceRow, token: String) {
    let row = try open(token, from: address)
    let paired = try devices.pair(
      name: name, invitedBy: row.maker, person: row.person, replacing: replaced, using: row.hash)
    attempts.refund(address ?? "")
    return paired
  }

  /// The person whose device an open token makes; nil for the owner's. The token stays open.
  func person(of token: String, from address: String?) throws -> String? {
    let row = try open(token, from: address)
    attempts.refund(address ?? "")
    return row.person
  }

  /// Counts an attempt, and returns what is known of a token that can be redeemed.
  private func open(_ token: String, from address: String?) throws -> PairingRow {
    try attempts.take(
      address ?? "", "Too many pairing codes were tried. Wait a minute, then scan a new code.")
    guard let row = try store.pairing(Token.hash(token)) else {
      throw LibraryError(.notFound, "This pairing code is not known. Scan a new one.")
    }
    guard !row.isUsed else { throw LibraryError.usedPairingCode }
    // A clock that was set back would extend the token's life.
    guard (row.expiresAt - Pairings.lifeMilliseconds..<row.expiresAt).contains(now()) else {
      throw LibraryError(.gone, "This pairing code was good for five minutes. Make a new one.")
    }
    return row
  }
}

extension LibraryError {
  static let usedPairingCode = LibraryError(
    .gone, "This pairing code has been used. Each works once; make a new one.")
}
