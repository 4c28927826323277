// Passes new jobs from a library to its runner.

import Database
import Synchronization

/// Passes a library's jobs to the connected runner. Without a runner, jobs wait in the table until
/// one resumes them.
final class JobQueue: Sendable {
  /// Weak, because the runner holds the library, which holds this queue.
  private struct Connection {
    weak var runner: JobRunner?
  }

  private let connection = Mutex(Connection())

  private var runner: JobRunner? { connection.withLock { $0.runner } }

  /// Connects a runner that receives all jobs from now on; nil disconnects it.
  func connect(_ runner: JobRunner?) { connection.withLock { $0.runner = runner } }

  /// Passes on a job that is in the table. A job that waits for a retry is tried at once. A job
  /// that has ended is ignored.
  func add(_ job: JobRow) {
    if !job.state.isFinal { runner?.enqueue(job) }
  }

  /// Cancels a job. The caller must hold no lock.
  func cancel(_ id: String) throws { try runner?.cancel(id) }
}
