// The challenges that passkeys sign. They are not stored when they are made, so nobody can use up the
// room for them; which ones were answered is kept until they end.

import Database
import Network

/// Makes challenges, each of which can be answered once, within five minutes.
final class SignInChallenges: Sendable {
  /// How long a challenge can be answered, in milliseconds.
  static let life = 5 * 60_000

  /// It has the secret that derives the last part of a challenge, so that others can't make any.
  private let store: SecretStore
  private let now: @Sendable () -> Int

  /// `now` returns milliseconds since 1970.
  init(store: SecretStore, now: @escaping @Sendable () -> Int) {
    self.store = store
    self.now = now
  }

  /// Makes a challenge for a purpose: what is not for the same one is refused. It is base64url.
  func make(for purpose: String) throws(DatabaseError) -> String {
    let random = Token().text
    // The end always has 13 digits, like every time until the year 2286.
    let end = String(now() + Self.life)
    return try random + end + seal(random + end, purpose)
  }

  /// Takes a challenge; false if it was not made here for this purpose, was answered or has ended.
  func take(_ challenge: String, for purpose: String) throws(DatabaseError) -> Bool {
    let bytes = Array(challenge.utf8)
    guard bytes.count == 43 + 13 + 43 else { return false }
    let start = String(decoding: bytes[..<56], as: UTF8.self)
    // Comparing hashes prevents timing attacks.
    guard try Token.hash(start + seal(start, purpose)) == Token.hash(challenge),
      let end = Int(String(decoding: bytes[43..<56], as: UTF8.self))
    else { return false }
    let time = now()
    guard (end - Self.life...end).contains(time) else { return false }
    return try store.noteAnswer(to: Token.hash(challenge), endingAt: end, now: time)
  }

  private func seal(_ text: String, _ purpose: String) throws(DatabaseError) -> String {
    let secret = try store.secret("challenges", orNew: Token().text)
    return Token.derive(from: text + purpose, salt: secret)
  }
}
