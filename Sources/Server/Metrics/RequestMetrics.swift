// Request metrics: numbers, statuses and durations.

import HTTP
import Synchronization

/// Counts responses.
final class RequestMetrics: RequestObserver {
  /// The upper bounds of the histogram's buckets, in seconds; the last bucket has none.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private struct Key: Hashable {
    let route: String
    let method: String
    let status: Int
  }

  private struct Latency {
    /// The number of values per bucket, not cumulative.
    var counts = [Int](repeating: 0, count: RequestMetrics.bounds.count + 1)
    var sum = 0.0
  }

  private struct State {
    var answers: [Key: Int] = [:]
    var latencies: [String: Latency] = [:]
  }

  private let state = Mutex(State())
  private let connectionCounts = Mutex<[@Sendable () -> Int]>([])

  /// The number of open connections at all listeners.
  var connections: Int { connectionCounts.withLock { $0 }.reduce(0) { $0 + $1() } }

  /// Adds a listener, with a function that returns its number of open connections.
  func addListener(_ connections: @escaping @Sendable () -> Int) {
    connectionCounts.withLock { $0.append(connections) }
  }

  /// Counts a response.
  func observe(_ outcome: RequestOutcome, headers: Headers, record: (any RequestRecord)?) {
    let key = Key(route: outcome.route, method: outcome.method, status: outcome.status)
    let bucket =
      RequestMetrics.bounds.firstIndex { outcome.seconds <= $0 } ?? RequestMetrics.bounds.count
    state.withLock { state in
      state.answers[key, default: 0] += 1
      state.latencies[outcome.route, default: Latency()].counts[bucket] += 1
      state.latencies[outcome.route, default: Latency()].sum += outcome.seconds
    }
  }

  /// Writes the counts to a metrics page.
  func write(to page: inout MetricsText) {
    let (answers, latencies) = state.withLock { ($0.answers, $0.latencies) }
    page.family(
      "segmance_http_requests_total", .counter,
      "Answered requests by method, route and status.")
    let sorted = answers.sorted {
      ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
    }
    for (key, count) in sorted {
      page.sample(
        "segmance_http_requests_total",
        ["method": key.method, "route": key.route, "status": "\(key.status)"], Double(count))
    }
    let name = "segmance_http_request_duration_seconds"
    page.family(
      name, .histogram, "From the complete header to the finished answer, before it is sent.")
    for (route, latency) in latencies.sorted(by: { $0.key < $1.key }) {
      var below = 0
      for (bound, count) in zip(RequestMetrics.bounds + [.infinity], latency.counts) {
        below += count
        page.sample(
          name + "_bucket", ["route": route, "le": MetricsText.number(bound)], Double(below))
      }
      page.sample(name + "_sum", ["route": route], latency.sum)
      page.sample(name + "_count", ["route": route], Double(below))
    }
  }
}
