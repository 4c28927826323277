// The hashing of passcodes and passwords, few at once.

import Dispatch
import Network

/// Hashes when it is a request's turn, as a hash takes time and memory.
final class HashTurns: Sendable {
  /// How many are hashed at once, and how many requests may wait for that.
  private static let mostAtOnce = 2
  private static let mostWaiting = 2

  private let turns = DispatchSemaphore(value: HashTurns.mostAtOnce)
  private let requests = ConcurrencyLimit()

  /// Returns the hash of a text that a person chose.
  func hash(_ text: String) throws -> String { try inTurn { try Passcode.hash(text) } }

  /// Whether a text has this hash.
  func matches(_ text: String, _ hash: String) throws -> Bool {
    try inTurn { try Passcode.matches(text, hash) }
  }

  private func inTurn<Result>(_ hash: () throws -> Result) throws -> Result {
    guard requests.begin(limit: HashTurns.mostAtOnce + HashTurns.mostWaiting) else {
      throw LibraryError(
        .busy(retryAfterSeconds: 1), "Many passwords are being checked. Try again in a moment.")
    }
    defer { requests.end() }
    turns.wait()
    defer { turns.signal() }
    return try hash()
  }
}
