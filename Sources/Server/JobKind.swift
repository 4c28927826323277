// What the kinds of jobs do, and what a job at work tells and is told.

import Database
import Model
import Synchronization

/// What one kind of job does.
struct JobKind: Sendable {
  /// Does the work; the edits it returns are committed together with the end of the job.
  var perform: @Sendable (JobRow, JobContext) throws -> [Library.Edit]
  /// The edits of a job that failed, with the sentence that says why, or was cancelled.
  var abandon: @Sendable (JobRow, _ problem: String?) -> [Library.Edit]
  /// What is done on the disk once the end is committed.
  var afterwards: @Sendable (JobRow, JobRow.State) throws -> Void
  /// Tells health how the job ended, before its status says that it has. It holds no lock of the
  /// runner, and may read tables.
  var tell: @Sendable (JobRow) -> Void = { _ in }
  /// The job that is added in the same transaction when one of this kind is done.
  var next: @Sendable (JobRow) -> JobRow? = { _ in nil }
  /// Whether it waits until the server has room, say, instead of failing: what it works on is nowhere
  /// else any more.
  var isPatient = false
  /// Throws what the server lacks for it; asked before the failure of a patient job is believed.
  var examine: @Sendable (JobRow, JobContext) throws -> Void = { _, _ in }
  /// Whether nobody waits for it: one at a time, and only when nothing else waits.
  var isBackground = false
  /// How many of this kind run at a time.
  var atOnce = Int.max
  /// The type of the record that its jobs work on.
  var subject = RecordType.track
}

/// Why a job could not be done, in words for the performer.
struct JobProblem: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// Thrown by a job whose row is no longer this library's to write.
struct JobHandover: Error {}

/// What a job at work tells and is told. Threads: any.
final class JobContext: Sendable {
  private struct Reached {
    var progress = 0.0
    /// What was passed on last, and when.
    var told = -1.0
    var toldAt = ContinuousClock.now
  }

  private let cancelled = Atomic(false)
  private let unwanted = Atomic(false)
  private let remarked = Mutex<String?>(nil)
  private let reached = Mutex(Reached())
  private let onProgress: @Sendable (Double) -> Void

  init(onProgress: @escaping @Sendable (Double) -> Void) { self.onProgress = onProgress }

  /// Whether the work should stop.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// How far it is, 0–1.
  var progress: Double { reached.withLock { $0.progress } }

  /// Says how far it is; passed on with every half percent, and every half second while it moves.
  func report(_ progress: Double) {
    let progress = min(1, max(0, progress))
    let isNews = reached.withLock { reached in
      reached.progress = progress
      let now = ContinuousClock.now
      let step = abs(reached.progress - reached.told)
      guard step >= 0.005 || (step > 0 && now - reached.toldAt >= .milliseconds(500)) else {
        return false
      }
      reached.told = reached.progress
      reached.toldAt = now
      return true
    }
    if isNews { onProgress(progress) }
  }

  /// A sentence about work that was done, which its job keeps.
  var remark: String? { remarked.withLock { $0 } }

  /// Says something about the work.
  func remark(_ sentence: String) { remarked.withLock { $0 = sentence } }

  /// Whether somebody gave the work up: it does not go on at the next start.
  var isUnwanted: Bool { unwanted.load(ordering: .relaxed) }

  /// Stops the work.
  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Stops the work, which nobody wants any more.
  func giveUp() {
    unwanted.store(true, ordering: .relaxed)
    cancel()
  }
}

/// A job as the interface shows it.
struct JobStatus: Encodable, Sendable {
  var id: String
  var kind: String
  var state: JobRow.State
  /// 0–1.
  var progress: Double
  var message: String?
  /// The track it works on; nil for an export, which may be of several.
  var track: String?
  /// The video it works on.
  var video: String?
}
