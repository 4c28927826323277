// Runs jobs: a few at a time, with progress, cancellable, going on after a restart.

import Database
import Dispatch
import FoundationEssentials
import HTTP
import Locking
import Media
import Model
import Storage

/// The runner of a library's jobs. Threads: any.
final class JobRunner: Sendable {
  private struct State {
    var waiting: [JobRow] = []
    var running: [String: (job: JobRow, context: JobContext)] = [:]
    /// Those that were cancelled in line, until all of their end is done.
    var leaving: Set<String> = []
    /// How many of each kind are running.
    var atWork: [String: Int] = [:]
    /// How many of each kind have ended in each state.
    var ended: [String: [JobRow.State: Int]] = [:]
    /// Those that wait until the server is well, each with the sentence that says so.
    var putOff: [String: (job: JobRow, sentence: String)] = [:]
    /// How jobs ended that are put off because that could not be written.
    var unwritten: [String: (end: JobRow.State, message: String?)] = [:]
    /// How often a job that has not ended was put off.
    var tries: [String: Int] = [:]
    /// How often running it was put off because its program failed.
    var failures: [String: Int] = [:]
    var isStopping = false
    var isBusyInBackground = false
  }

  private let library: Library
  private let kinds: [String: JobKind]
  private let log: EventLog
  private let state = OrderedMutex(.jobs, State())
  private let queue = DispatchQueue(label: "segmance.jobs", attributes: .concurrent)
  private let group = DispatchGroup()
  /// Importing keeps about two cores busy by itself.
  private let width = 2
  private let leavesBackgroundJobs: Bool

  /// Makes a runner; one that leaves background jobs alone leaves them to the next server.
  /// `onReplaced` is called when a restored library waits to be opened in this one's place.
  init(
    library: Library, leavesBackgroundJobs: Bool = false,
    onReplaced: @escaping @Sendable () -> Void = {}
  ) {
    self.library = library
    self.leavesBackgroundJobs = leavesBackgroundJobs
    log = library.log
    kinds = [
      Library.alignmentKind: library.alignmentJob,
      Library.analysisKind: library.analysisJob, Library.exportKind: library.exportJob,
      Library.importKind: library.limited(library.importJob),
      Library.conversionKind: library.limited(library.conversionJob),
      Library.renewKind: library.renewJob, Library.reconvertKind: library.reconvertJob,
      Library.backupKind: library.backupJob,
      Library.restoreKind: library.restoreJob(replaced: onReplaced),
    ]
  }

  /// Takes up what an earlier run left unfinished.
  func resume() throws {
    for job in try library.jobs.unfinished() { enqueue(job) }
  }

  /// Puts the job `id`, which is in the database, in line.
  func enqueue(id: String) throws {
    if let job = try library.jobs.job(id), !job.state.isFinal { enqueue(job) }
  }

  /// Puts a job in line; what has ended meanwhile is left alone when its turn comes.
  func enqueue(_ job: JobRow) {
    if leavesBackgroundJobs, isBackground(job) { return }
    state.withLock { state in
      // One that is put off this moment stays so.
      guard state.running[job.id] == nil else { return }
      state.putOff[job.id] = nil
      if !state.waiting.contains(where: { $0.id == job.id }) { state.waiting.append(job) }
    }
    startNext()
  }

  /// Cancels a job that is not finished.
  func cancel(_ id: String) throws {
    guard try library.jobs.job(id)?.state.isFinal == false else { return }
    let isMine = state.withLock { state in
      if let running = state.running[id] {
        running.context.giveUp()
        return false
      }
      state.waiting.removeAll { $0.id == id }
      state.putOff[id] = nil
      // What is in no line is ended as well: nobody else would.
      return state.leaving.insert(id).inserted
    }
    guard isMine else { return }
    var ended: JobRow?
    defer {
      if let ended { kinds[ended.kind]?.tell(ended) }
      state.withLock { _ = $0.leaving.remove(id) }
      if let ended { publish(ended) }
    }
    // Read once more: what does not run any more may have ended.
    guard let job = try library.jobs.job(id), !job.state.isFinal else { return }
    note("job.cancelled", job)
    ended = end(job, .cancelled, message: nil)
  }

  /// Returns how a job stands; nil when there is none. One that has ended is told when all that
  /// belongs to its end is done.
  func status(_ id: String) throws -> JobStatus? {
    // Before the row: a job that ends in between is told as it was.
    let (live, isLeaving, sentence) = state.withLock { state in
      let live = state.running[id]?.context.progress
      return (live, state.leaving.contains(id), live == nil ? state.putOff[id]?.sentence : nil)
    }
    guard var job = try library.jobs.job(id) else { return nil }
    if live != nil || isLeaving, job.state.isFinal {
      job.state = isLeaving ? .queued : .running
      job.message = nil
    } else if let sentence, !job.state.isFinal {
      job.state = .queued
      job.message = sentence
    }
    return status(of: job, progress: live)
  }

  /// Breaks the work off without ending the jobs: they go on at the next start.
  func halt() {
    state.withLock { state in
      state.isStopping = true
      state.waiting = []
      state.putOff = [:]
      for running in state.running.values { running.context.cancel() }
    }
  }

  /// Breaks the work off and waits until nothing of it runs any more.
  func stop() {
    halt()
    group.wait()
  }

  /// Waits until no job is waiting or running.
  func waitUntilIdle() { group.wait() }

  /// How many jobs of each kind wait and run, and have ended since the start.
  var counts: (waiting: [String: Int], running: [String: Int], ended: [String: [JobRow.State: Int]])
  {
    state.withLock { state in
      let all = state.waiting + state.putOff.values.map(\.job)
      let waiting = Dictionary(all.map { ($0.kind, 1) }, uniquingKeysWith: +)
      return (waiting, state.atWork, state.ended)
    }
  }

  /// The kinds of jobs, in order.
  var kindNames: [String] { kinds.keys.sorted() }

  private func status(of job: JobRow, progress: Double?) -> JobStatus {
    let progress = job.state == .done ? 1 : progress ?? 0
    let type = kinds[job.kind]?.subject ?? .track
    return JobStatus(
      id: job.id, kind: job.kind, state: job.state, progress: progress, message: job.message,
      track: type == .track ? job.record : nil, video: type == .video ? job.record : nil)
  }

  private func isBackground(_ job: JobRow) -> Bool { kinds[job.kind]?.isBackground ?? false }

  /// Two jobs never work on the same record: they would write the same files.
  private func hasTurn(_ job: JobRow, _ state: borrowing State) -> Bool {
    state.atWork[job.kind, default: 0] < kinds[job.kind]?.atOnce ?? .max
      && !(isBackground(job) && state.isBusyInBackground)
      && !state.running.values.contains { $0.job.record != nil && $0.job.record == job.record }
  }

  private func startNext() {
    let next: (JobRow, JobContext)? = state.withLock { state in
      guard !state.isStopping, state.running.count < width,
        let index = state.waiting.firstIndex(where: { !isBackground($0) && hasTurn($0, state) })
          ?? state.waiting.firstIndex(where: { hasTurn($0, state) })
      else { return nil }
      let job = state.waiting.remove(at: index)
      let context = JobContext { [weak self] in self?.publish(running: job, progress: $0) }
      state.running[job.id] = (job, context)
      state.atWork[job.kind, default: 0] += 1
      if isBackground(job) { state.isBusyInBackground = true }
      return (job, context)
    }
    guard let (job, context) = next else { return }
    queue.async(group: group) { [self] in
      let ended = run(job, context)
      // Before its status says that it has ended, so that what is told of the end is there by then;
      // and not under the lock, as it may read tables.
      if let ended { kinds[ended.kind]?.tell(ended) }
      let isGivenUp = state.withLock { state in
        state.running.removeValue(forKey: job.id)
        state.atWork[job.kind, default: 1] -= 1
        if isBackground(job) { state.isBusyInBackground = false }
        return context.isUnwanted && state.putOff[job.id] != nil
      }
      if let ended { publish(ended) }
      if isGivenUp { giveUp(job) }
      startNext()
    }
    // One end can give more than one its turn.
    startNext()
  }

  /// Does a job; returns it as it ended, or nil when it has not.
  private func run(_ job: JobRow, _ context: JobContext) -> JobRow? {
    // Its work is over: only that is still to be written.
    if let (end, message) = state.withLock({ $0.unwritten[job.id] }) {
      return self.end(job, end, message: message)
    }
    guard let kind = kinds[job.kind] else {
      note("job.failed", job, .warning, error: "unknown kind")
      return end(job, .failed, message: "This version of Segmance does not know this work.")
    }
    do {
      // It may have ended between being read and being put in line.
      let isDue = try library.jobs.write { writer throws(DatabaseError) in
        try writer.begin(job.id)
      }
      guard isDue else { return nil }
      note("job.started", job)
      publish(running: job, progress: 0)
      let begun = ContinuousClock.now
      let edits = try kind.perform(job, context)
      let seconds = (ContinuousClock.now - begun) / .seconds(1)
      note("job.done", job, seconds: (seconds * 1000).rounded() / 1000)
      return end(job, .done, message: context.remark, edits: edits)
    } catch is JobHandover {
      note("job.handedOver", job)
      return nil
    } catch let failure {
      // The next server has the patience that a command has not.
      let isPatient = kind.isPatient && !leavesBackgroundJobs
      let error = isPatient ? cause(of: failure, in: job, kind, context) : failure
      if context.isCancelled {
        // On a stop the row stays as it is, and the next start takes the job up again.
        let goesOn = state.withLock { $0.isStopping } && !context.isUnwanted
        note(goesOn ? "job.interrupted" : "job.cancelled", job)
        return goesOn ? nil : end(job, .cancelled, message: nil)
      }
      if isPatient, let sentence = patience(of: job, with: error) {
        note("job.putOff", job, .warning, error: LogEvent.describe(error))
        putOff(job, sentence, after: error)
        return nil
      }
      return end(job, .failed, message: sentence(for: error, in: job))
    }
  }

  /// What made a job fail: what it says, which may blame the file, or what ails the server itself.
  private func cause(
    of failure: any Error, in job: JobRow, _ kind: JobKind, _ context: JobContext
  ) -> any Error {
    guard failure is MediaError || failure is StorageError, !context.isCancelled,
      patience(of: job, with: failure) == nil
    else { return failure }
    do {
      try kind.examine(job, context)
      return failure
    } catch {
      return error
    }
  }

  /// The edits that give up what a job worked on; none where the same bytes have come once more, and
  /// another job is still to prepare them: the last one to end decides. Which of them is the newer
  /// can't be asked: the clock that told their times may have been put back.
  private func abandoned(_ job: JobRow, _ problem: String?) throws -> [Library.Edit] {
    let isTaken = try library.jobs.unfinished().contains {
      $0.id != job.id && $0.record == job.record && Library.preparingKinds.contains($0.kind)
    }
    return isTaken && job.record != nil ? [] : kinds[job.kind]?.abandon(job, problem) ?? []
  }

  /// What the performer is told; what the log is told has none of it.
  private func sentence(for error: any Error, in job: JobRow) -> String {
    let cause = LogEvent.describe(error)
    switch error {
    case let problem as JobProblem:
      note("job.failed", job, .warning)
      return problem.message
    case let problem as DatabaseError where problem.code == .full || problem.code == .newerSchema:
      note("job.failed", job, .error, error: cause)
      return problem.httpError?.detail ?? problem.message
    case let problem as MediaError:
      note("job.failed", job, isFault(problem) ? .error : .warning, error: cause)
      return problem.message
    case let problem as StorageError:
      note("job.failed", job, isFault(problem) ? .error : .warning, error: cause)
      return problem.message
    default:
      note("job.failed", job, .error, error: cause)
      return Self.unexplained
    }
  }

  private func note(
    _ name: StaticString, _ job: JobRow, _ level: LogEvent.Level = .info, seconds: Double? = nil,
    error: String? = nil
  ) {
    log.write(
      LogEvent(
        level, name,
        [
          "job": .text(job.id), "kind": .text(kinds[job.kind] == nil ? "unknown" : job.kind),
          "seconds": seconds.map { .number($0) }, "error": error.map { .text($0) },
        ]))
  }

  /// What is told when the edits of a job's end break a rule.
  private static let unfit =
    "What this file says of itself can't be right, so it can't be used. Save it anew with another "
    + "program, then add that file."

  /// Writes down how a job ended, with its edits or, unless it is done, those that give it up.
  /// Returns it as it ended; nil when that could not be written.
  @discardableResult
  func end(
    _ job: JobRow, _ end: JobRow.State, message: String?, edits: [Library.Edit] = []
  ) -> JobRow? {
    let next = end == .done ? kinds[job.kind]?.next(job) : nil
    var ended = job
    ended.state = end
    ended.message = message
    do {
      // Under the lock, so that the same bytes do not come again between looking and giving up.
      try library.mediaLock.withLock { _ in
        if end == .done, Library.preparingKinds.contains(job.kind),
          try library.isRemoved(kinds[job.kind]?.subject ?? .track, job.subject)
        {
          throw MediaProblem.unknown
        }
        let edits = end == .done ? edits : try abandoned(job, message)
        try library.commit(edits) { writer throws(DatabaseError) in
          try writer.update(job.id, to: end, message: message, now: Library.now())
          if let next { try writer.add(next, now: Library.now()) }
        }
      }
    } catch MediaProblem.unknown {
      // Deleted at once while its last step was done: it must not be ready without its bytes.
      return self.end(job, .cancelled, message: nil)
    } catch let error as Rejection where message != JobRunner.unfit {
      // No start could end it otherwise either: all of the work would be done again at each.
      note("job.failed", job, .error, error: LogEvent.describe(error))
      return self.end(job, .failed, message: JobRunner.unfit)
    } catch {
      // The row still says that it runs: what is done is done again soon, or all at the next start.
      log.error("job.endUnwritten", error, ["job": .text(job.id), "state": .text(end.rawValue)])
      if end != .done { state.withLock { $0.unwritten[job.id] = (end, message) } }
      // What nobody restores any more may have the very room that is wanting.
      if job.kind == Library.restoreKind { cleanUp(after: ended) }
      putOff(job, patience(of: job, with: error) ?? Self.unexplained, after: error)
      return nil
    }
    if let next { enqueue(next) }
    cleanUp(after: ended)
    state.withLock { state in
      state.ended[job.kind, default: [:]][end, default: 0] += 1
      state.tries[job.id] = nil
      state.failures[job.id] = nil
      state.unwritten[job.id] = nil
      state.putOff[job.id] = nil
    }
    return ended
  }

  /// Does what belongs to the end of a job on the disk. What can't be done stays there until the
  /// next start, and the job has ended all the same.
  private func cleanUp(after ended: JobRow) {
    do {
      if let record = ended.record {
        try library.derivedSizes.lookAgain(record)
        library.noteRoom()
      }
      try kinds[ended.kind]?.afterwards(ended, ended.state)
    } catch {
      log.error("job.leftovers", error, ["job": .text(ended.id)])
    }
  }

  private func isFault(_ problem: any HTTPErrorConvertible) -> Bool {
    (problem.httpError?.status ?? 500) >= 500
  }

  /// What is told while a job waits until the server is well again; nil when it is not the server that
  /// ails, or not for all one can tell: a program that fails ten times running may not bear the file.
  func patience(of job: JobRow, with error: any Error) -> String? {
    let ours: Set<MediaError.Code> = [.toolMissing, .sandboxUnavailable]
    let sentence: String
    switch error {
    case let problem as StorageError where problem.code == .noSpace:
      return "\(problem.message) What waits goes on by itself then."
    case let problem as StorageError where [.fileSystem, .corrupt].contains(problem.code):
      sentence = problem.message
    case let problem as MediaError where ours.contains(problem.code): sentence = problem.message
    case let problem as MediaError where problem.code == .toolFailed && failures(of: job) < 10:
      sentence = problem.message
    case let problem as DatabaseError: sentence = problem.httpError?.detail ?? Self.unexplained
    case is CocoaError: sentence = Self.unexplained
    default: return nil
    }
    return "\(sentence) It is tried again."
  }

  private static let unexplained = "Something went wrong on the server. Its log says what."

  private func failures(of job: JobRow) -> Int {
    state.withLock { $0.failures[job.id, default: 0] }
  }

  /// Puts a job in line again in some seconds, a minute at last, and says until then why it waits.
  func putOff(_ job: JobRow, _ sentence: String, after error: any Error) {
    let tries = state.withLock { state in
      if !state.isStopping { state.putOff[job.id] = (job, sentence) }
      let isFailure = (error as? MediaError)?.code == .toolFailed
      state.failures[job.id] = isFailure ? state.failures[job.id, default: 0] + 1 : nil
      state.tries[job.id, default: 0] += 1
      return state.tries[job.id, default: 1]
    }
    var told = job
    told.state = .queued
    told.message = sentence
    publish(told, progress: 0)
    let seconds = min(60, 5 << min(tries - 1, 4))
    queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      // Unless it was given up, or somebody else put it in line.
      let isDue = self?.state.withLock { $0.putOff[job.id] != nil }
      if isDue == true { self?.enqueue(job) }
    }
  }

  /// Cancels a job that was put off while somebody gave it up.
  private func giveUp(_ job: JobRow) {
    do { try cancel(job.id) } catch { log.error("job.notCancelled", error, ["job": .text(job.id)]) }
  }

  private func publish(running job: JobRow, progress: Double) {
    var job = job
    job.state = .running
    publish(job, progress: progress)
  }

  private func publish(_ job: JobRow, progress: Double? = nil) {
    do {
      let bytes = try JSONEncoder().encode(status(of: job, progress: progress))
      library.hub.publish("job", data: String(decoding: bytes, as: UTF8.self))
    } catch {
      log.error("job.untold", error, ["job": .text(job.id)])
    }
  }
}
