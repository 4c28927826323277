// From a library to the runner of its jobs: whoever adds a job to the table hands it over here.

import Database
import Synchronization

/// The way of a library's jobs to the runner that is connected, if there is one. A job that is handed
/// over without a runner waits in the table until a runner resumes. Threads: any.
final class JobQueue: Sendable {
  /// Weak: the runner holds the library, which holds this.
  private struct Connection {
    weak var runner: JobRunner?
  }

  private let connection = Mutex(Connection())

  private var runner: JobRunner? { connection.withLock { $0.runner } }

  /// Hands all jobs to `runner` from now on; nil: to none.
  func connect(_ runner: JobRunner?) { connection.withLock { $0.runner = runner } }

  /// Lets a job run that is in the table. One that waits for a retry is tried at once; one that has
  /// ended is left alone.
  func add(_ job: JobRow) {
    if !job.state.isFinal { runner?.enqueue(job) }
  }

  /// Cancels a job. The caller holds no lock.
  func cancel(_ id: String) throws { try runner?.cancel(id) }
}
