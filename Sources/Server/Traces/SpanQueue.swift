// Spans that wait to be sent to a collector.

import Synchronization

/// Keeps the last spans in order until the collector has taken them; drops new ones when it is full.
final class SpanQueue: OTLPSource {
  /// The most spans that wait.
  static let limit = 2_048
  /// The most spans of a request. So many are sent without waiting for the time.
  static let batch = 512

  /// What became of a span.
  enum Addition {
    case waits
    /// It completes a batch.
    case completesBatch
    /// There is no room. `isFirst` of those since the collector took some.
    case dropped(isFirst: Bool)
  }

  private struct State {
    var spans: [Span] = []
    /// How many of them, from the first, are being sent.
    var sending = 0
    var isBatchTold = false
    var isFullTold = false
    var sent = 0
    var dropped = 0
  }

  let signal = OTLPOptions.Signal.traces
  let interval = 5_000
  private let state = Mutex(State())

  /// How many spans the collector took, and how many it never will.
  var counts: (sent: Int, dropped: Int) { state.withLock { ($0.sent, $0.dropped) } }

  /// Adds a span. It takes a moment at most, whatever the collector does.
  func add(_ span: Span) -> Addition {
    state.withLock { state in
      guard state.spans.count < Self.limit else {
        state.dropped += 1
        defer { state.isFullTold = true }
        return .dropped(isFirst: !state.isFullTold)
      }
      state.spans.append(span)
      guard state.spans.count >= Self.batch, !state.isBatchTold else { return .waits }
      state.isBatchTold = true
      return .completesBatch
    }
  }

  func next() -> String? {
    let spans = state.withLock { state in
      state.sending = min(state.spans.count, Self.batch)
      state.isBatchTold = false
      return Array(state.spans.prefix(state.sending))
    }
    return spans.isEmpty ? nil : OTLPTraces.request(spans)
  }

  func settle(isTaken: Bool) {
    state.withLock { state in
      state.spans.removeFirst(state.sending)
      if isTaken {
        state.sent += state.sending
        state.isFullTold = false
      } else {
        state.dropped += state.sending
      }
      state.sending = 0
    }
  }

  func hasMore(atEnd: Bool) -> Bool {
    state.withLock { $0.spans.count >= (atEnd ? 1 : Self.batch) }
  }

  /// Writes the numbers of spans to a metrics page.
  func write(to page: inout MetricsText) {
    let counts = counts
    page.family(
      "segmance_spans_total", .counter, "Spans of traces that a collector took, and dropped ones.")
    page.sample("segmance_spans_total", ["result": "sent"], Double(counts.sent))
    page.sample("segmance_spans_total", ["result": "dropped"], Double(counts.dropped))
  }
}
