// Which failures of a job are tried again, when, and what is told meanwhile.

import Database
import FoundationEssentials
import Media
import Storage

/// When a job that failed runs again.
enum RetryPolicy {
  /// How often a job was tried.
  struct Attempts: Equatable {
    /// How often it was put off since it was added.
    fileprivate(set) var count = 0
    /// How many times running its program failed.
    fileprivate(set) var toolFailures = 0

    /// Counts a failure.
    mutating func add(_ error: any Error) {
      count += 1
      toolFailures = (error as? MediaError)?.code == .toolFailed ? toolFailures + 1 : 0
    }
  }

  /// A program that has failed so many times running may not be able to read the file.
  private static let toolFailureLimit = 10

  /// What is told of an error that has no sentence for the performer.
  static let unexplained = "Something went wrong on the server. Its log says what."

  /// What is told while a job waits for its retry; nil if retrying is pointless: the error is not the
  /// server's, or the program failed ten times in a row.
  static func message(for error: any Error, after attempts: Attempts) -> String? {
    let sentence: String
    switch error {
    case let problem as StorageError where problem.code == .noSpace:
      return "\(problem.message) What waits goes on by itself then."
    case let problem as StorageError where problem.code == .fileSystem || problem.code == .corrupt:
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

  /// The seconds until the next try: 5 at first, then twice as many each time, a minute at most.
  static func delaySeconds(after attempts: Attempts) -> Int {
    min(60, 5 << min(max(attempts.count, 1) - 1, 4))
  }
}
