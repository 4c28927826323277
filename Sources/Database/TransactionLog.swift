// What the transactions of a piece of work took, for traces.

import Synchronization

/// Notes the transactions of one piece of work, such as a request or a job.
///
/// Threads: those that `during` runs on. What the work leaves to other threads is not noted.
public final class TransactionLog: Sendable {
  /// A transaction that has ended.
  public struct Entry: Sendable {
    public let isWrite: Bool
    /// What keeps the tables, as OpenTelemetry names it.
    public let system: String
    /// When it was asked for.
    public let asked: ContinuousClock.Instant
    /// When its first statement could run, after those before it that write; nil if it never came to that.
    public let begun: ContinuousClock.Instant?
    public let ended: ContinuousClock.Instant
    /// Why it failed.
    public let problem: DatabaseError.Code?
  }

  /// The most transactions that are kept. The others are counted.
  public static let most = 32

  private struct State {
    var entries: [Entry] = []
    var unlisted = 0
  }

  @TaskLocal private static var current: TransactionLog?
  /// Whether there ever was a log: where nothing is traced, a transaction asks for this alone.
  private static let isUsed = Atomic(false)

  private let state = Mutex(State())

  /// Makes an empty log.
  public init() { Self.isUsed.store(true, ordering: .relaxed) }

  /// The first transactions, in the order in which they ended, and how many came after these.
  public var noted: (entries: [Entry], unlisted: Int) {
    state.withLock { ($0.entries, $0.unlisted) }
  }

  /// Runs `work`, and notes its transactions.
  public func during<Result>(_ work: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: work)
  }

  /// The log of the work that this thread does; nil where nothing is traced.
  static var ofThisWork: TransactionLog? {
    isUsed.load(ordering: .relaxed) ? current : nil
  }

  /// Runs a transaction, which calls what it is given when it has begun, and notes it.
  func note<Result>(
    isWrite: Bool, _ system: String,
    _ transaction: (_ begin: () -> Void) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let asked = ContinuousClock.now
    var begun: ContinuousClock.Instant?
    var problem: DatabaseError.Code?
    defer {
      add(
        Entry(
          isWrite: isWrite, system: system, asked: asked, begun: begun, ended: .now,
          problem: problem))
    }
    do throws(DatabaseError) {
      return try transaction { begun = .now }
    } catch {
      problem = error.code
      throw error
    }
  }

  private func add(_ entry: Entry) {
    state.withLock { state in
      if state.entries.count < Self.most {
        state.entries.append(entry)
      } else {
        state.unlisted += 1
      }
    }
  }
}
