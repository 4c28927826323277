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
  private let sharing: Sharing?

  /// `sharing` is nil where one server has the library alone.
  init(sharing: Sharing? = nil) { self.sharing = sharing }

  private var runner: JobRunner? { connection.withLock { $0.runner } }

  /// Connects a runner that receives all jobs from now on; nil disconnects it.
  func connect(_ runner: JobRunner?) { connection.withLock { $0.runner = runner } }

  /// Passes on a job that is in the table. A job that waits for a retry is tried at once. A job
  /// that has ended is ignored.
  func add(_ job: JobRow) {
    guard !job.state.isFinal else { return }
    runner?.enqueue(job)
    // One that has nothing to do may be faster.
    sharing?.announce(.jobs)
  }

  /// Other servers have added jobs, or jobs of one that is gone wait again.
  func resume() throws { try runner?.resume() }

  /// A job that may run here was cancelled at another server.
  func cancelHere(_ id: String) { runner?.cancelHere(id) }

  /// Cancels a job. The caller must hold no lock.
  func cancel(_ id: String) throws { try runner?.cancel(id) }
}
