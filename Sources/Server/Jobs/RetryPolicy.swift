// Which job failures are retried, when, and with which message meanwhile.

import Database
import FoundationEssentials
import Media
import Storage

/// Decides whether and when a failed job runs again.
enum RetryPolicy {
  /// The failed attempts of a job.
  struct Attempts: Equatable {
    /// The number of postponements since the job was added.
    fileprivate(set) var count = 0
    /// The number of consecutive failures of the job's program.
    fileprivate(set) var toolFailures = 0

    /// Counts a failure.
    mutating func add(_ error: any Error) {
      count += 1
      toolFailures = (error as? MediaError)?.code == .toolFailed ? toolFailures + 1 : 0
    }
  }

  /// After this many consecutive failures, the program may be unable to read the file.
  private static let toolFailureLimit = 10

  /// The message for an error that has no sentence for the performer.
  static let unexplained = "Something went wrong on the server. Its log says what."

  /// The message while a job waits for its retry. Nil if a retry is pointless: the error is not the
  /// server's, or the program failed ten times in a row.
  static func message(for error: any Error, after attempts: Attempts) -> String? {
    let sentence: String
    switch error {
    case let problem as StorageError where problem.code == .noSpace:
      return "\(problem.message) What waits goes on by itself then."
    case let problem as StorageError
    where [.fileSystem, .corrupt, .unreachable].contains(problem.code):
      sentence = problem.message
    case let problem as MediaError
    where problem.code == .toolMissing || problem.code == .sandboxUnavailable:
      sentence = problem.message
    case let problem as MediaError
    where problem.code == .toolFailed && attempts.toolFailures < toolFailureLimit:
      sentence = problem.message
    case let problem as DatabaseError: sentence = problem.sentence ?? unexplained
    case is CocoaError: sentence = unexplained
    default: return nil
    }
    return "\(sentence) It is tried again."
  }

  /// The delay before the next attempt, in seconds: 5 at first, doubled each time, at most 60.
  static func delaySeconds(after attempts: Attempts) -> Int {
    min(60, 5 << min(max(attempts.count, 1) - 1, 4))
  }
}
