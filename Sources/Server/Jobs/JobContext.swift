// The connection between a running job and its runner.

import Synchronization

/// Progress, message and cancellation of a running job.
final class JobContext: Sendable {
  private struct Progress {
    var current = 0.0
    /// The last published progress, and its time.
    var published = -1.0
    var publishedAt = ContinuousClock.now
  }

  private let isInterrupted = Atomic(false)
  private let cancelled = Atomic(false)
  private let noted = Mutex<String?>(nil)
  private let reached = Mutex(Progress())
  private let onProgress: @Sendable (Double) -> Void

  init(onProgress: @escaping @Sendable (Double) -> Void) { self.onProgress = onProgress }

  /// Whether the work should stop, because the job was cancelled or the server stops.
  var shouldStop: Bool { isInterrupted.load(ordering: .relaxed) || isCancelled }

  /// Whether the job was cancelled. A cancelled job does not resume at the next start.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// The progress, 0–1.
  var progress: Double { reached.withLock { $0.current } }

  /// Reports progress. It is published at every half percent, and every half second while it
  /// changes.
  func report(_ progress: Double) {
    let progress = min(1, max(0, progress))
    let isNews = reached.withLock { reached in
      reached.current = progress
      let now = ContinuousClock.now
      let step = abs(reached.current - reached.published)
      guard step >= 0.005 || (step > 0 && now - reached.publishedAt >= .milliseconds(500)) else {
        return false
      }
      reached.published = reached.current
      reached.publishedAt = now
      return true
    }
    if isNews { onProgress(progress) }
  }

  /// A sentence about the work done. It becomes the job's message.
  var note: String? { noted.withLock { $0 } }

  /// Sets the message.
  func note(_ sentence: String) { noted.withLock { $0 = sentence } }

  /// Stops the work; the job resumes at the next start.
  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  /// Stops the work permanently.
  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
