// Runs jobs: a limited number at a time, with progress and cancellation. Jobs resume after a
// restart.

import Database
import Dispatch
import FoundationEssentials
import Locking
import Logging
import Media
import Model
import Storage

/// The track or video of a job was removed before the end of the job was committed.
private struct MediaIsRemoved: Error {}

/// The runner of a library's jobs.
final class JobRunner: Sendable {
  private struct State {
    var schedule = JobSchedule(width: JobRunner.width)
    /// The number of ended jobs by kind and state.
    var ended: [String: [JobRow.State: Int]] = [:]
  }

  /// One import uses about two cores.
  private static let width = 2
  /// The message when the edits at a job's end violate a rule.
  private static let unusable =
    "What this file says of itself can't be right, so it can't be used. Save it anew with another "
    + "program, then add that file."

  let library: Library
  private let definitions: [String: any JobDefinition]
  private let log: Logger
  private let state = OrderedMutex(.jobs, State())
  private let queue = DispatchQueue(label: "segmance.jobs", attributes: .concurrent)
  private let group = DispatchGroup()
  private let leavesBackgroundJobs: Bool
  private let observer: (any JobObserver)?

  /// Makes a runner. One that leaves background jobs alone leaves them to the next server.
  /// `observer` is called after every attempt of a job, `onReplaced` when a restored library is ready
  /// to be opened in place of this one.
  init(
    library: Library, leavesBackgroundJobs: Bool = false, observer: (any JobObserver)? = nil,
    onReplaced: @escaping @Sendable () -> Void = {}
  ) {
    self.library = library
    self.leavesBackgroundJobs = leavesBackgroundJobs
    self.observer = observer
    log = library.log
    definitions = JobKinds.definitions(of: library, onReplaced: onReplaced)
  }

  /// Resumes jobs that an earlier run left unfinished. Those that run at another server stay there.
  func resume() throws {
    for job in try library.jobs.unfinished() where library.sharing == nil || job.state == .queued {
      enqueue(job)
    }
  }

  /// Interrupts a job that was cancelled at another server, if it runs here.
  func cancelHere(_ id: String) { state.withLock { $0.schedule[id]?.context }?.cancel() }

  /// Enqueues a job. If it has ended by the time its turn comes, it is skipped.
  func enqueue(_ job: JobRow) {
    // Another server that shares the library may be of a later version, and knows it.
    if library.sharing != nil, definitions[job.kind] == nil { return }
    let rules = rules(of: job)
    if leavesBackgroundJobs, rules.isBackground { return }
    state.withLock { $0.schedule.add(job, rules) }
    startNext()
  }

  /// Cancels a job that has not ended.
  func cancel(_ id: String) throws {
    guard let job = try library.jobs.job(id), !job.state.isFinal else { return }
    if let sharing = library.sharing, job.state == .running,
      state.withLock({ $0.schedule[id]?.context }) == nil
    {
      // The server that runs it ends it.
      sharing.announce(.cancel(job: id))
      return
    }
    let isMine = state.withLock { $0.schedule.cancel(job, rules(of: job)) }
    guard isMine else { return }
    var ended: JobRow?
    defer {
      if let ended { definitions[ended.kind]?.onEnd(ended) }
      state.withLock { $0.schedule.cancelled(id) }
      if let ended { publish(ended) }
    }
    // Read the row again: a job that no longer runs may have ended.
    guard let job = try library.jobs.job(id), !job.state.isFinal else { return }
    logEvent("job.cancelled", job)
    ended = end(job, .cancelled, message: nil)
  }

  /// Returns the status of a job; nil if it does not exist. A job counts as ended after all steps
  /// at its end are done.
  func status(_ id: String) throws -> JobStatus? {
    // Read the schedule before the row, so that a job that ends in between is reported as still
    // running.
    let entry = state.withLock { $0.schedule[id] }
    guard var job = try library.jobs.job(id) else { return nil }
    let progress = entry?.context?.progress
    let isCancelling = entry?.isCancelling == true
    if progress != nil || isCancelling, job.state.isFinal {
      job.state = isCancelling ? .queued : .running
      job.message = nil
    } else if progress == nil, let message = entry?.retryMessage, !job.state.isFinal {
      job.state = .queued
      job.message = message
    }
    return JobStatus(job, progress: progress)
  }

  /// Interrupts the work without ending the jobs. They resume at the next start.
  func halt() { state.withLock { $0.schedule.stop() } }

  /// Interrupts the work and waits until all of it has stopped.
  func stop() {
    halt()
    group.wait()
  }

  /// Waits until no job is waiting or running.
  func waitUntilIdle() { group.wait() }

  /// The number of jobs by kind that wait and run, and that have ended since the start.
  var counts: (waiting: [String: Int], running: [String: Int], ended: [String: [JobRow.State: Int]])
  {
    state.withLock { state in
      let (waiting, running) = state.schedule.counts
      return (waiting, running, state.ended)
    }
  }

  /// The kinds of jobs, sorted.
  var kindNames: [String] { definitions.keys.sorted() }

  private func rules(of job: JobRow) -> JobSchedule.Rules {
    guard let definition = definitions[job.kind] else { return JobSchedule.Rules() }
    return JobSchedule.Rules(isBackground: definition.isBackground, limit: definition.limit)
  }

  private func startNext() {
    let next = state.withLock { state in
      state.schedule.next { job in
        JobContext { [weak self] in self?.publish(running: job, progress: $0) }
      }
    }
    guard let (job, context) = next else { return }
    queue.async(group: group) { [self] in
      let ended = run(job, context)
      // Call `onEnd` before the status reports the end, so that its results are visible by then.
      // Call it without the lock, because it may read tables.
      if let ended { definitions[ended.kind]?.onEnd(ended) }
      let isToCancel = state.withLock { $0.schedule.stopped(job.id) }
      if let ended { publish(ended) }
      if isToCancel { cancelRetry(of: job) }
      startNext()
    }
    // The end of one job can allow several to start.
    startNext()
  }

  /// Runs a job. Returns the ended row, or nil if the job has not ended.
  private func run(_ job: JobRow, _ context: JobContext) -> JobRow? {
    // The work is done; only the end has to be written.
    if let pending = state.withLock({ $0.schedule[job.id]?.pendingEnd }) {
      return end(job, pending.state, message: pending.message)
    }
    guard let definition = definitions[job.kind] else {
      logEvent("job.failed", job, .warning, error: "unknown kind")
      return end(job, .failed, message: LibraryError.unknownWork.message)
    }
    guard let observer else { return attempt(job, definition, context).ended }
    let earlier = state.withLock { $0.schedule[job.id]?.attempts.count ?? 0 }
    let begun = ContinuousClock.now
    let open = observer.begin()
    let attempt = open.during { self.attempt(job, definition, context) }
    if let result = attempt.result {
      observer.observe(
        JobOutcome(
          job: job.id, kind: job.kind, attempt: earlier + 1, result: result,
          error: attempt.error.map(JobOutcome.name(of:)),
          seconds: (ContinuousClock.now - begun) / .seconds(1)), open)
    }
    return attempt.ended
  }

  private func attempt(
    _ job: JobRow, _ definition: any JobDefinition, _ context: JobContext
  ) -> JobAttempt {
    do {
      // The job may have ended after it was read and before it was enqueued.
      let isDue = try library.jobs.write { writer throws(DatabaseError) in
        try writer.begin(job.id, at: library.sharing?.shared.number)
      }
      guard isDue else { return JobAttempt(nil) }
      logEvent("job.started", job)
      publish(running: job, progress: 0)
      let begun = ContinuousClock.now
      let edits = try definition.run(job, context)
      let seconds = (ContinuousClock.now - begun) / .seconds(1)
      logEvent("job.done", job, seconds: (seconds * 1000).rounded() / 1000)
      return JobAttempt(ended: end(job, .done, message: context.note, edits: edits))
    } catch is JobSuperseded {
      logEvent("job.handedOver", job)
      return JobAttempt(.handedOver)
    } catch let failure {
      // A command does not wait for a retry; the next server retries. What this server may not do, as it is of
      // an earlier version than another one, that one does when this one ends.
      let isAway =
        (failure as? StorageError)?.code == .unreachable
        || (failure as? DatabaseError)?.code == .sealed
      let retries = (definition.retries || isAway) && !leavesBackgroundJobs
      let error = retries ? cause(of: failure, in: job, definition, context) : failure
      if context.shouldStop {
        // When the server stops, the row is left unchanged and the next start resumes the job.
        let goesOn = state.withLock { $0.schedule.isStopping } && !context.isCancelled
        logEvent(goesOn ? "job.interrupted" : "job.cancelled", job)
        return goesOn
          ? JobAttempt(.interrupted) : JobAttempt(ended: end(job, .cancelled, message: nil))
      }
      if retries, let message = retryMessage(for: error, in: job) {
        logEvent("job.putOff", job, .warning, error: LogRecord.describe(error))
        retryLater(job, message, after: error)
        return JobAttempt(.putOff, error)
      }
      return JobAttempt(ended: end(job, .failed, message: sentence(for: error, in: job)), error)
    }
  }

  /// Returns the cause of a failure: the job's own error, which may blame the file, or a server
  /// fault.
  private func cause(
    of failure: any Error, in job: JobRow, _ definition: any JobDefinition, _ context: JobContext
  ) -> any Error {
    guard failure is MediaError || failure is StorageError, !context.shouldStop,
      retryMessage(for: failure, in: job) == nil
    else { return failure }
    do {
      try definition.diagnose(job, context)
      return failure
    } catch {
      return error
    }
  }

  /// The edits for a job that failed or was cancelled. There are none if the same bytes were added
  /// again and another job still has to prepare them: the last job to end decides. Creation times
  /// do not tell which job is newer, because the clock may have been set back. There are none either if
  /// another job has made the record ready already: the end of this one may come late, when it could not be
  /// written before.
  private func failureEdits(of job: JobRow, _ problem: String?) throws -> [Library.Edit] {
    let record = job.record
    if let record, JobKinds.preparingFirst.contains(job.kind),
      try library.records.medium(record.type, record.id)?.state == .ready
    {
      return []
    }
    let isTaken = try library.jobs.unfinished().contains {
      $0.id != job.id && $0.isPreparing && $0.record == record
    }
    return isTaken && record != nil
      ? [] : definitions[job.kind]?.onFailure(job, problem: problem) ?? []
  }

  /// The message for the performer. It is not written to the log.
  private func sentence(for error: any Error, in job: JobRow) -> String {
    let cause = LogRecord.describe(error)
    switch error {
    case let problem as LibraryError:
      logEvent("job.failed", job, .warning)
      return problem.message
    case let problem as DatabaseError where [.full, .newerSchema, .sealed].contains(problem.code):
      logEvent("job.failed", job, .error, error: cause)
      return problem.sentence ?? problem.message
    case let problem as MediaError:
      logEvent("job.failed", job, problem.isServerFault ? .error : .warning, error: cause)
      return problem.message
    case let problem as StorageError:
      logEvent("job.failed", job, problem.isServerFault ? .error : .warning, error: cause)
      return problem.message
    default:
      logEvent("job.failed", job, .error, error: cause)
      return RetryPolicy.unexplained
    }
  }

  private func logEvent(
    _ name: StaticString, _ job: JobRow, _ level: LogRecord.Level = .info, seconds: Double? = nil,
    error: String? = nil
  ) {
    log.write(
      LogRecord(
        level, name,
        [
          "job": .text(job.id), "kind": .text(definitions[job.kind] == nil ? "unknown" : job.kind),
          "seconds": seconds.map { .number($0) }, "error": error.map { .text($0) },
        ]))
  }

  /// Commits the end of a job, with its edits or, unless it is done, with its failure edits.
  /// Returns the ended row; nil if it could not be written.
  @discardableResult
  func end(
    _ job: JobRow, _ end: JobRow.State, message: String?, edits: [Library.Edit] = []
  ) -> JobRow? {
    var ended = job
    ended.state = end
    ended.message = message
    var next: JobRow?
    do {
      if end == .done { next = try definitions[job.kind]?.followUp(job) }
      // The lock prevents the same bytes from being added between the check and the failure edits.
      try library.mediaLock.withLock {
        if end == .done, job.isPreparing, let record = job.record,
          try library.media.isRemoved(record.type, record.id)
        {
          throw MediaIsRemoved()
        }
        let edits = end == .done ? edits : try failureEdits(of: job, message)
        try library.commit(edits) { writer throws(DatabaseError) in
          if let server = library.sharing?.shared.number {
            try writer.requireHeld(job.id, by: server)
          }
          try writer.update(job.id, to: end, message: message, now: Library.now())
          if let next { try writer.add(next, now: Library.now()) }
        }
      }
    } catch is MediaIsRemoved {
      // The record was deleted permanently during the last step, so it must not become ready
      // without its bytes.
      return self.end(job, .cancelled, message: nil)
    } catch let error as Rejection where message != JobRunner.unusable {
      // No later start could commit this end either, and each one would repeat all of the work.
      logEvent("job.failed", job, .error, error: LogRecord.describe(error))
      return self.end(job, .failed, message: JobRunner.unusable)
    } catch {
      // The row still says that the job runs. The write is retried soon; after a restart, the whole
      // job is.
      log.error("job.endUnwritten", error, ["job": .text(job.id), "state": .text(end.rawValue)])
      if end != .done {
        let pending = JobSchedule.PendingEnd(state: end, message: message)
        state.withLock { $0.schedule.keepEnd(pending, of: job, rules(of: job)) }
      }
      // The upload of a failed restore may occupy the space that the database needs.
      if job.kind == RestoreJob.kind { cleanUp(after: ended) }
      retryLater(
        job, retryMessage(for: error, in: job) ?? RetryPolicy.unexplained, after: error)
      return nil
    }
    if let next {
      enqueue(next)
      library.sharing?.announce(.jobs)
    }
    cleanUp(after: ended)
    state.withLock { state in
      state.ended[job.kind, default: [:]][end, default: 0] += 1
      state.schedule.ended(job.id)
    }
    return ended
  }

  /// Does the file steps at the end of a job. If they fail, files stay until the next start; the
  /// job has ended anyway.
  private func cleanUp(after ended: JobRow) {
    do {
      if let record = ended.record {
        try library.quota.derivedSizes.refresh(record.id)
        library.quota.updateHealth()
      }
      try definitions[ended.kind]?.cleanUp(ended)
    } catch {
      log.error("job.leftovers", error, ["job": .text(ended.id)])
    }
  }

  private func retryMessage(for error: any Error, in job: JobRow) -> String? {
    let attempts = state.withLock { $0.schedule[job.id]?.attempts }
    return RetryPolicy.message(for: error, after: attempts ?? RetryPolicy.Attempts())
  }

  /// Schedules a retry, and reports `message` until then.
  func retryLater(_ job: JobRow, _ message: String, after error: any Error) {
    let attempts = state.withLock {
      $0.schedule.retryLater(job, rules(of: job), message, after: error)
    }
    var waiting = job
    waiting.state = .queued
    waiting.message = message
    publish(waiting, progress: 0)
    let seconds = RetryPolicy.delaySeconds(after: attempts)
    library.timers.after(seconds * 1_000, on: queue) { [weak self] in
      // The job may have been cancelled or enqueued before.
      let isDue = self?.state.withLock { $0.schedule[job.id]?.retryMessage != nil }
      if isDue == true { self?.enqueue(job) }
    }
  }

  /// Cancels a job that waits for a retry and was cancelled while it ran.
  private func cancelRetry(of job: JobRow) {
    do { try cancel(job.id) } catch { log.error("job.notCancelled", error, ["job": .text(job.id)]) }
  }

  private func publish(running job: JobRow, progress: Double) {
    var job = job
    job.state = .running
    publish(job, progress: progress)
  }

  private func publish(_ job: JobRow, progress: Double? = nil) {
    do {
      let bytes = try JSONEncoder().encode(JobStatus(job, progress: progress))
      let spaces =
        library.people.isAlone ? [Person.owner] : try library.spaces(ofJob: job.id) ?? []
      library.events.publish(
        "job", data: String(decoding: bytes, as: UTF8.self), to: .spaces(Set(spaces)))
    } catch {
      log.error("job.untold", error, ["job": .text(job.id)])
    }
  }
}
