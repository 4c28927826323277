// Sends metrics to a collector of OpenTelemetry: `segmance serve --otlp-metrics`.

import Dispatch
import FoundationEssentials
import Glibc
import HTTPClient
import Logging
import Synchronization

/// Sends the figures every fifteen seconds, apart from what answers requests. They count from the start,
/// so one that is lost is made good by the next: nothing waits in memory, and nothing is sent twice.
final class MetricsExporter: Sendable {
  /// The time between two sendings, in milliseconds.
  static let interval = 15_000
  /// The longest wait for a collector that fails, or that it may ask for, in milliseconds.
  static let longestWait = 300_000
  /// How long the last sending may take at a stop.
  private static let stopMilliseconds = 2_000

  private struct State {
    /// How many attempts failed, one after the other.
    var failures = 0
    var isStopped = false
  }

  /// Why the collector did not take the figures.
  private struct Refusal {
    let reason: String
    /// What its Retry-After says.
    var afterSeconds: Int?
  }

  private let options: OTLPOptions
  private let log: Logger
  private let families: @Sendable () throws -> [MetricsText.Family]
  /// Nanoseconds since 1970.
  private let clock: @Sendable () -> UInt64
  private let start: UInt64
  private let instance = UUID().uuidString.lowercased()
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "segmance.otlp", qos: .utility)

  /// Makes an exporter of what `families` collects.
  init(
    options: OTLPOptions, log: Logger,
    clock: @escaping @Sendable () -> UInt64 = MetricsExporter.now,
    families: @escaping @Sendable () throws -> [MetricsText.Family]
  ) {
    self.options = options
    self.log = log
    self.clock = clock
    self.families = families
    start = clock()
  }

  /// Begins to send.
  func start(after milliseconds: Int = MetricsExporter.interval) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      guard let self, !state.withLock({ $0.isStopped }) else { return }
      start(after: step())
    }
  }

  /// Ends sending. The last figures are sent, unless the collector is away.
  func stop() {
    state.withLock { $0.isStopped = true }
    let idle = DispatchSemaphore(value: 0)
    queue.async { [self] in
      if state.withLock({ $0.failures == 0 }) { step(timeout: Self.stopMilliseconds) }
      idle.signal()
    }
    _ = idle.wait(timeout: .now() + .milliseconds(Self.stopMilliseconds))
  }

  /// Sends the figures once. Returns after how many milliseconds they are sent again.
  @discardableResult
  func step(timeout: Int? = nil) -> Int {
    let text: String
    do {
      text = OTLPMetrics.request(
        try families(), version: SegmanceServer.version, instance: instance, start: start,
        now: clock())
    } catch {
      log.error("otlp.unmeasured", error)
      return Self.interval
    }
    let refusal = send(text, timeout)
    let failures = state.withLock { state in
      defer { state.failures = refusal == nil ? 0 : state.failures + 1 }
      return state.failures
    }
    guard let refusal else {
      if failures > 0 { log.info("otlp.reachable", ["attempts": .integer(failures)]) }
      return Self.interval
    }
    if failures == 0 { log.warning("otlp.unreachable", ["error": .text(refusal.reason)]) }
    let asked = min(max(refusal.afterSeconds ?? 0, 0), Self.longestWait / 1_000) * 1_000
    return max(asked, min(Self.interval << min(failures, 5), Self.longestWait))
  }

  private func send(_ text: String, _ timeout: Int?) -> Refusal? {
    var request = HTTPClient.Request(
      "POST", options.address, headers: [("Content-Type", "application/json")],
      body: Array(text.utf8))
    request.timeout = timeout
    do {
      let response = try options.send(request)
      if (200..<300).contains(response.status) { return nil }
      return Refusal(
        reason: "status \(response.status)",
        afterSeconds: response.headers["retry-after"].flatMap { Int($0) })
    } catch {
      return Refusal(reason: LogRecord.describe(error))
    }
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
