// How a job at work and its runner talk to each other.

import Synchronization

/// Progress, notes and cancellation of a job at work. Threads: any.
final class JobContext: Sendable {
  private struct Progress {
    var current = 0.0
    /// What was passed on last, and when.
    var published = -1.0
    var publishedAt = ContinuousClock.now
  }

  private let isInterrupted = Atomic(false)
  private let cancelled = Atomic(false)
  private let noted = Mutex<String?>(nil)
  private let reached = Mutex(Progress())
  private let onProgress: @Sendable (Double) -> Void

  init(onProgress: @escaping @Sendable (Double) -> Void) { self.onProgress = onProgress }

  /// Whether the work should stop: it was cancelled, or the server stops.
  var shouldStop: Bool { isInterrupted.load(ordering: .relaxed) || isCancelled }

  /// Whether the job was cancelled: it does not go on at the next start.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// How far the work is, 0–1.
  var progress: Double { reached.withLock { $0.current } }

  /// Reports how far the work is; passed on with every half percent, and every half second while it
  /// moves.
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

  /// A sentence about work that was done, which becomes the message of the job.
  var note: String? { noted.withLock { $0 } }

  /// Leaves such a sentence.
  func note(_ sentence: String) { noted.withLock { $0 = sentence } }

  /// Stops the work; the job goes on at the next start.
  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  /// Stops the work for good.
  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
