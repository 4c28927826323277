// Records requests and jobs as spans of traces: `segmance serve --otlp-traces`.

import HTTP
import Logging
import Timing

/// Turns traces on.
public struct TraceOptions: Sendable {
  let collector: OTLPOptions
  let share: Double

  /// Makes the options. `share` is how much of what begins here is recorded, 0–1; what a sender's trace
  /// has begun is recorded if the sender records it.
  public init(collector: OTLPOptions, share: Double = 1) {
    precondition((0...1).contains(share), "A share is between 0 and 1.")
    self.collector = collector
    self.share = share
  }
}

/// Decides what is recorded, and queues it for the collector.
final class Tracer: Sendable {
  let spans = SpanQueue()
  let exporter: OTLPExporter
  /// A trace that begins here is recorded if its random bits are at least this.
  private let threshold: UInt64
  private let log: Logger
  /// Nanoseconds since 1970.
  private let clock: @Sendable () -> UInt64
  /// Random bits; never zero.
  private let random: @Sendable () -> UInt64

  /// The bits of a trace's id by which all who take a part in it decide the same.
  private static let randomBits: UInt64 = 1 << 56

  /// Makes a tracer that does not send yet: its exporter is to be started.
  init(
    options: TraceOptions, log: Logger, timers: any Timers,
    clock: @escaping @Sendable () -> UInt64 = OTLPJSON.now,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 1 ... .max) }
  ) {
    exporter = OTLPExporter(spans, options: options.collector, log: log, timers: timers)
    threshold = UInt64((1 - options.share) * Double(Self.randomBits))
    self.log = log
    self.clock = clock
    self.random = random
  }

  /// Begins a span, and decides whether it is recorded. `traceparent` is what the sender says.
  func begin(traceparent: String? = nil) -> OpenSpan {
    let parent = traceparent.flatMap(TraceContext.init(traceparent:))
    let trace = parent?.trace ?? TraceID(high: random(), low: random())
    let isRecorded = parent?.isSampled ?? (trace.low % Self.randomBits >= threshold)
    return OpenSpan(
      trace: trace, id: isRecorded ? random() : 0, parent: parent?.span, isRecorded: isRecorded)
  }

  /// Records what has just ended, and its transactions, unless it is left out.
  func end(_ open: OpenSpan, _ work: Span.Work, seconds: Double) {
    guard let (entries, unlisted) = open.transactions?.noted else { return }
    let (end, now) = (clock(), ContinuousClock.now)
    let start = end - min(end, UInt64(max(0, seconds) * 1e9))
    add(
      Span(
        trace: open.trace, id: open.id, parent: open.parent, start: start, end: end, work: work,
        unlisted: unlisted))
    for entry in entries {
      // The work's own time was taken a moment ago: what ran before that would begin before it.
      func time(_ instant: ContinuousClock.Instant) -> UInt64 {
        max(start, end - min(end, UInt64(max(0, (now - instant) / .nanoseconds(1)))))
      }
      add(
        Span(
          trace: open.trace, id: random(), parent: open.id, start: time(entry.asked),
          end: time(entry.ended), work: .transaction(entry)))
    }
  }

  private func add(_ span: Span) {
    switch spans.add(span) {
    case .waits, .dropped(isFirst: false): break
    case .completesBatch: exporter.sendSoon()
    case .dropped(isFirst: true):
      log.warning("otlp.full", ["spans": .integer(SpanQueue.limit)])
    }
  }
}

extension Tracer: JobObserver {
  /// An attempt of a job is a trace of its own.
  func begin() -> OpenSpan { begin(traceparent: nil) }

  func observe(_ outcome: JobOutcome, _ open: OpenSpan) {
    end(open, .job(outcome), seconds: outcome.seconds)
  }
}

/// Records the requests of one listener.
struct RequestTracer: RequestObserver {
  let tracer: Tracer
  /// What its clients use: `http` or `https`.
  let scheme: String

  func begin(_ headers: Headers) -> (any RequestRecord)? {
    tracer.begin(traceparent: headers["traceparent"])
  }

  func observe(_ outcome: RequestOutcome, headers: Headers, record: (any RequestRecord)?) {
    let open = record as? OpenSpan ?? tracer.begin(traceparent: headers["traceparent"])
    tracer.end(open, .request(outcome, scheme: scheme), seconds: outcome.seconds)
  }
}
