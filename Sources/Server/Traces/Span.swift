// What a trace is made of: a request or an attempt of a job, with its times.

import HTTP

/// One recorded piece of work. It holds no text of a client: what it is about is in words of the program,
/// and in ids that are random or a job's.
struct Span: Sendable {
  /// What was done.
  enum Work: Sendable {
    /// A request, and the scheme of its listener: `http` or `https`.
    case request(RequestOutcome, scheme: String)
    case job(JobOutcome)
  }

  let trace: TraceID
  let id: UInt64
  /// The span of the request's sender, if it told one.
  let parent: UInt64?
  /// In nanoseconds since 1970.
  let start: UInt64
  let end: UInt64
  let work: Work
}
