// Pairing: a one-use token, valid for five minutes, registers a device.

import Database
import Network
import Synchronization

/// Issues and redeems pairing tokens. They are kept only in memory, as hashes.
final class Pairings: Sendable {
  /// The lifetime of a token.
  static let lifeMilliseconds = 5 * 60_000
  /// The maximum number of open tokens. A new one replaces the oldest.
  private static let openLimit = 20
  /// How long a used or expired token is distinguished from an unknown one.
  private static let memoryMilliseconds = 60 * 60_000

  private struct Entry {
    enum State { case open, taken, used }
    /// The device that made the token; nil for the owner.
    let maker: String?
    /// The person whose device it makes; nil for the owner's.
    let person: String?
    let expiresAt: Int
    var state = State.open
  }

  private let devices: Devices
  private let now: @Sendable () -> Int
  private let entries = Mutex<[String: Entry]>([:])
  private let attempts: RateLimit

  /// Makes pairings for `devices`; `now` returns milliseconds since 1970.
  init(devices: Devices, now: @escaping @Sendable () -> Int) {
    self.devices = devices
    self.now = now
    attempts = RateLimit(10, per: 60_000, now: now)
  }

  /// Makes a token that pairs a device of a person; nil is the owner. Returns it with its expiry time.
  func make(by maker: String?, for person: String? = nil) -> (token: String, expiresAt: Int) {
    let time = now()
    let token = Token().text
    let entry = Entry(
      maker: maker, person: person, expiresAt: time + Pairings.lifeMilliseconds)
    entries.withLock { entries in
      entries = entries.filter { $0.value.expiresAt + Pairings.memoryMilliseconds > time }
      let open = entries.filter { $0.value.state == .open }
      if open.count >= Pairings.openLimit,
        let oldest = open.min(by: { $0.value.expiresAt < $1.value.expiresAt })
      {
        entries[oldest.key] = nil
      }
      entries[Token.hash(token)] = entry
    }
    return (token, entry.expiresAt)
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
    let address = address ?? ""
    try attempts.take(
      address, "Too many pairing codes were tried. Wait a minute, then scan a new code.")
    let hash = Token.hash(token)
    let entry = try take(hash)
    do {
      let paired = try devices.pair(
        name: name, invitedBy: entry.maker, person: entry.person, replacing: replaced)
      entries.withLock { $0[hash]?.state = .used }
      attempts.refund(address)
      return paired
    } catch {
      // No device was paired, so the code stays valid.
      entries.withLock { $0[hash]?.state = .open }
      throw error
    }
  }

  /// The person whose device an open token makes; nil for the owner's. The token stays open.
  func person(of token: String, from address: String?) throws(LibraryError) -> String? {
    let (address, time) = (address ?? "", now())
    try attempts.take(
      address, "Too many pairing codes were tried. Wait a minute, then scan a new code.")
    let entry = try entries.withLock { entries throws(LibraryError) in
      try Pairings.open(Token.hash(token), in: entries, at: time)
    }
    attempts.refund(address)
    return entry.person
  }

  /// Takes a valid token.
  private func take(_ hash: String) throws(LibraryError) -> Entry {
    let time = now()
    return try entries.withLock { entries throws(LibraryError) in
      let entry = try Pairings.open(hash, in: entries, at: time)
      entries[hash]?.state = .taken
      return entry
    }
  }

  /// The entry of a token that can be redeemed.
  private static func open(
    _ hash: String, in entries: [String: Entry], at time: Int
  ) throws(LibraryError) -> Entry {
    guard let entry = entries[hash] else {
      throw LibraryError(.notFound, "This pairing code is not known. Scan a new one.")
    }
    guard entry.state == .open else {
      throw LibraryError(
        .gone, "This pairing code has been used. Each works once; make a new one.")
    }
    // A clock that was set back would extend the token's life.
    guard (entry.expiresAt - Pairings.lifeMilliseconds..<entry.expiresAt).contains(time) else {
      throw LibraryError(.gone, "This pairing code was good for five minutes. Make a new one.")
    }
    return entry
  }
}
