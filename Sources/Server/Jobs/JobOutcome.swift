// The outcome of one attempt of a job, for traces.

import Database
import Media
import Storage

/// How a job ran, from its start until it ended or stopped. Names and codes are words of the program.
struct JobOutcome: Sendable {
  /// How it came out.
  enum Result: String, Sendable {
    case done, failed, cancelled
    /// Its work goes on elsewhere: a restored library is opened by the next start.
    case handedOver
    /// The server stops; the next start begins the job again.
    case interrupted
    /// It is tried again.
    case putOff

    /// The state at a job's end.
    init(_ state: JobRow.State) {
      self =
        switch state {
        case .done: .done
        case .cancelled: .cancelled
        case .failed, .queued, .running: .failed
        }
    }
  }

  /// The id of the job.
  let job: String
  let kind: String
  /// 1 at first; another one for each time that it was put off since the start.
  let attempt: Int
  let result: Result
  /// The kind of the error, if there was one.
  let error: String?
  let seconds: Double

  /// The kind of an error: its type, and its code where it has one.
  static func name(of error: any Error) -> String {
    let type = "\(type(of: error))"
    return switch error {
    case let error as MediaError: "\(type).\(error.code)"
    case let error as StorageError: "\(type).\(error.code)"
    case let error as DatabaseError: "\(type).\(error.code)"
    case let error as LibraryError: "\(type).\(error.code)"
    default: type
    }
  }
}

/// What an attempt to run a job came to, for its runner.
struct JobAttempt {
  /// The ended row; nil if the job has not ended.
  let ended: JobRow?
  /// Nil if there was nothing to do.
  let result: JobOutcome.Result?
  let error: (any Error)?

  /// Makes an attempt that ended the job; with nil its end could not be written, and will be again.
  init(ended: JobRow?, _ error: (any Error)? = nil) {
    self.ended = ended
    result = ended.map { JobOutcome.Result($0.state) } ?? .putOff
    self.error = error
  }

  /// Makes an attempt that did not end the job.
  init(_ result: JobOutcome.Result?, _ error: (any Error)? = nil) {
    ended = nil
    self.result = result
    self.error = error
  }
}

/// Observes every attempt of a job. Called on the runner's threads, so it must not block.
protocol JobObserver: Sendable {
  /// Begins to record an attempt.
  func begin() -> OpenSpan

  /// Records the end of an attempt.
  func observe(_ outcome: JobOutcome, _ open: OpenSpan)
}
