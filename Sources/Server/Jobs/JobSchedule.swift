// The state of waiting and running jobs, and the choice of the next one. It reads no table and
// starts no work.

import Database

/// The jobs of a runner that have not ended.
struct JobSchedule {
  /// The scheduling properties of a job's kind.
  struct Rules {
    var isBackground = false
    /// The maximum number of concurrent jobs of the kind.
    var limit = Int.max
  }

  /// The end of a job that could not be written yet.
  struct PendingEnd: Equatable {
    var state: JobRow.State
    var message: String?
  }

  /// What is known of a job that has not ended.
  struct Entry {
    let row: JobRow
    let rules: Rules
    let record: JobRecord?
    /// Whether the job waits for its turn.
    fileprivate(set) var isWaiting = false
    /// The message while the job waits for a retry; nil if it does not.
    fileprivate(set) var retryMessage: String?
    /// Nil while the job does not run.
    fileprivate(set) var context: JobContext?
    /// Whether the job was cancelled while it did not run, and its end is being written.
    fileprivate(set) var isCancelling = false
    fileprivate(set) var attempts = RetryPolicy.Attempts()
    fileprivate(set) var pendingEnd: PendingEnd?

    fileprivate init(_ row: JobRow, _ rules: Rules) {
      self.row = row
      self.rules = rules
      record = row.record
    }

    /// Whether the entry is still needed.
    fileprivate var isActive: Bool {
      isWaiting || retryMessage != nil || context != nil || isCancelling || pendingEnd != nil
    }
  }

  /// The maximum number of concurrent jobs.
  let width: Int
  private var entries: [String: Entry] = [:]
  /// The ids of the jobs that wait for their turn, in order.
  private var line: [String] = []
  /// Whether no further job may start.
  private(set) var isStopping = false

  init(width: Int) { self.width = width }

  /// What is known of a job that has not ended.
  subscript(id: String) -> Entry? { entries[id] }

  /// Enqueues a job, unless it runs or is enqueued. It no longer waits for a retry.
  mutating func add(_ row: JobRow, _ rules: Rules) {
    var entry = entries[row.id] ?? Entry(row, rules)
    // A job that is to be retried after it stops stays so.
    guard entry.context == nil else { return }
    entry.retryMessage = nil
    if !entry.isWaiting {
      entry.isWaiting = true
      line.append(row.id)
    }
    entries[row.id] = entry
  }

  /// Takes the next job that may run; nil if there is none. Background jobs come last.
  mutating func next(_ makeContext: (JobRow) -> JobContext) -> (row: JobRow, context: JobContext)? {
    let running = entries.values.filter { $0.context != nil }
    guard !isStopping, running.count < width else { return nil }
    let ready = line.compactMap { entries[$0] }.filter { mayRun($0, beside: running) }
    guard let entry = ready.first(where: { !$0.rules.isBackground }) ?? ready.first else {
      return nil
    }
    let context = makeContext(entry.row)
    update(entry.row.id) {
      $0.isWaiting = false
      $0.context = context
    }
    return (entry.row, context)
  }

  /// Two jobs never run on the same record, because they would write the same files.
  private func mayRun(_ entry: Entry, beside running: [Entry]) -> Bool {
    running.count { $0.row.kind == entry.row.kind } < entry.rules.limit
      && !(entry.rules.isBackground && running.contains { $0.rules.isBackground })
      && !running.contains { $0.record != nil && $0.record == entry.record }
  }

  /// Records that a job has stopped running.
  ///
  /// - Returns: whether it was cancelled but waits for a retry, so that it has to be cancelled
  ///   again.
  mutating func stopped(_ id: String) -> Bool {
    guard let entry = entries[id] else { return false }
    update(id) { $0.context = nil }
    return entry.context?.isCancelled == true && entry.retryMessage != nil
  }

  /// Makes a job wait for its retry after `error`.
  ///
  /// - Returns: the number of attempts.
  mutating func retryLater(
    _ row: JobRow, _ rules: Rules, _ message: String, after error: any Error
  ) -> RetryPolicy.Attempts {
    var entry = entries[row.id] ?? Entry(row, rules)
    if !isStopping { entry.retryMessage = message }
    entry.attempts.add(error)
    entries[row.id] = entry
    return entry.attempts
  }

  /// Keeps the end of a job that could not be written.
  mutating func keepEnd(_ end: PendingEnd, of row: JobRow, _ rules: Rules) {
    entries[row.id, default: Entry(row, rules)].pendingEnd = end
  }

  /// Begins to cancel a job; a running one is asked to stop.
  ///
  /// - Returns: whether the caller has to write the end, and then call `cancelled`.
  mutating func cancel(_ row: JobRow, _ rules: Rules) -> Bool {
    if let context = entries[row.id]?.context {
      context.cancel()
      return false
    }
    // A job that is not in the schedule is cancelled as well, because nothing else would.
    var entry = entries[row.id] ?? Entry(row, rules)
    guard !entry.isCancelling else { return false }
    entry.isCancelling = true
    entry.isWaiting = false
    entry.retryMessage = nil
    entries[row.id] = entry
    line.removeAll { $0 == row.id }
    return true
  }

  /// Records that the end of a cancelled job was written, or could not be.
  mutating func cancelled(_ id: String) { update(id) { $0.isCancelling = false } }

  /// Records that the end of a job was written. The entry is kept during the last steps.
  mutating func ended(_ id: String) {
    update(id) {
      $0.attempts = RetryPolicy.Attempts()
      $0.pendingEnd = nil
      $0.retryMessage = nil
    }
  }

  /// Prevents further starts, removes waiting jobs and interrupts running ones.
  mutating func stop() {
    isStopping = true
    for id in Array(entries.keys) {
      update(id) {
        $0.isWaiting = false
        $0.retryMessage = nil
        $0.context?.interrupt()
      }
    }
  }

  /// The number of jobs by kind that wait, for their turn or a retry, and that run.
  var counts: (waiting: [String: Int], running: [String: Int]) {
    func count(_ entries: [Entry]) -> [String: Int] {
      Dictionary(entries.map { ($0.row.kind, 1) }, uniquingKeysWith: +)
    }
    return (
      count(entries.values.filter { $0.isWaiting || $0.retryMessage != nil }),
      count(entries.values.filter { $0.context != nil })
    )
  }

  private mutating func update(_ id: String, _ change: (inout Entry) -> Void) {
    guard var entry = entries[id] else { return }
    change(&entry)
    if !entry.isWaiting { line.removeAll { $0 == id } }
    entries[id] = entry.isActive ? entry : nil
  }
}
