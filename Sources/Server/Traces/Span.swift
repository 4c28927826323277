// What a trace is made of: a request, an attempt of a job, or a transaction of one of these, with its times.

import Database
import HTTP

/// One recorded piece of work. It holds no text of a client: what it is about is in words of the program,
/// and in ids that are random or a job's.
struct Span: Sendable {
  /// What was done.
  enum Work: Sendable {
    /// A request, and the scheme of its listener: `http` or `https`.
    case request(RequestOutcome, scheme: String)
    case job(JobOutcome)
    case transaction(TransactionLog.Entry)
  }

  let trace: TraceID
  let id: UInt64
  /// The span that it is part of: of the request's sender, if it told one; of the request or the job of a transaction.
  let parent: UInt64?
  /// In nanoseconds since 1970.
  let start: UInt64
  let end: UInt64
  let work: Work
  /// How many transactions have no span, as there were too many of the same request or job.
  var unlisted = 0
}

/// A request or an attempt of a job that is under way. It notes its transactions if it is recorded.
final class OpenSpan: Sendable {
  let trace: TraceID
  let id: UInt64
  let parent: UInt64?
  /// Nil if it is not recorded.
  let transactions: TransactionLog?

  init(trace: TraceID, id: UInt64, parent: UInt64?, isRecorded: Bool) {
    self.trace = trace
    self.id = id
    self.parent = parent
    transactions = isRecorded ? TransactionLog() : nil
  }
}

extension OpenSpan: RequestRecord {
  func during<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let transactions else { return try work() }
    return try transactions.during(work)
  }
}
