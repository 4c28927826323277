// Sends to a collector of OpenTelemetry: `segmance serve --otlp-metrics` and `--otlp-traces`.

import Dispatch
import HTTPClient
import Logging
import Synchronization
import Timing

/// What an exporter sends.
protocol OTLPSource: Sendable {
  /// Which signal it is.
  var signal: OTLPOptions.Signal { get }
  /// The time between two sendings, in milliseconds.
  var interval: Int { get }

  /// Makes the body of the next request; nil if there is nothing to send.
  func next() throws -> String?
  /// Lets go of what `next` gave: the collector has taken it, or never will. Before that, `next` gives
  /// the same again.
  func settle(isTaken: Bool)
  /// Whether another request is to follow at once.
  func hasMore(atEnd: Bool) -> Bool
}

extension OTLPSource {
  func settle(isTaken: Bool) {}
  func hasMore(atEnd: Bool) -> Bool { false }
}

/// Sends a source again and again, apart from what answers requests.
final class OTLPExporter: Sendable {
  /// The longest wait for a collector that fails, or that it may ask for, in milliseconds.
  static let longestWait = 300_000
  /// How long the last sendings may take at a stop, in milliseconds.
  static let stopLimit = 2_000

  private struct State {
    /// How many attempts failed, one after the other.
    var failures = 0
    /// The number of the next sending; an earlier one that still waits is dropped.
    var turn = 0
    var isStopped = false
  }

  private let source: any OTLPSource
  private let options: OTLPOptions
  private let log: Logger
  private let timers: any Timers
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "segmance.otlp", qos: .utility)

  /// Makes an exporter of what `source` gives.
  init(_ source: any OTLPSource, options: OTLPOptions, log: Logger, timers: any Timers) {
    self.source = source
    self.options = options
    self.log = log
    self.timers = timers
  }

  /// Begins to send.
  func start() { start(after: source.interval) }

  /// Sends after so many milliseconds, and from then on.
  func start(after milliseconds: Int) {
    let turn = state.withLock { state in
      state.turn += 1
      return state.turn
    }
    timers.after(milliseconds, on: queue) { [weak self] in
      guard let self, isDue(turn) else { return }
      let wait = step()
      if isDue(turn) { start(after: wait) }
    }
  }

  /// Sends without waiting for the time, unless it has not begun or the collector is away.
  func sendSoon() {
    if state.withLock({ $0.turn > 0 && $0.failures == 0 && !$0.isStopped }) { start(after: 0) }
  }

  private func isDue(_ turn: Int) -> Bool {
    state.withLock { !$0.isStopped && $0.turn == turn }
  }

  /// Ends the sending of several, all at once. What is left is sent, unless the collector is away.
  static func stop(_ exporters: [OTLPExporter], within milliseconds: Int = stopLimit) {
    let group = DispatchGroup()
    for exporter in exporters {
      exporter.state.withLock { $0.isStopped = true }
      exporter.queue.async(group: group) {
        let isAway = exporter.state.withLock { $0.failures > 0 }
        if !isAway { exporter.step(lastWithin: milliseconds) }
      }
    }
    _ = group.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  /// Sends what there is: for the last time, and each within `milliseconds`, if they are given. Returns
  /// after how many milliseconds to send again.
  @discardableResult
  func step(lastWithin milliseconds: Int? = nil) -> Int {
    while true {
      let body: String
      do {
        guard let next = try source.next() else { return source.interval }
        body = next
      } catch {
        log.error("otlp.unmeasured", error)
        return source.interval
      }
      let refusal = options.send(body, timeout: milliseconds)
      if refusal?.mayRetry != true { source.settle(isTaken: refusal == nil) }
      let wait = note(refusal)
      guard refusal == nil, source.hasMore(atEnd: milliseconds != nil) else { return wait }
    }
  }

  /// Counts an attempt, and logs the first and the last of an outage. Returns the wait until the next.
  private func note(_ refusal: OTLPOptions.Refusal?) -> Int {
    let failures = state.withLock { state in
      defer { state.failures = refusal == nil ? 0 : state.failures + 1 }
      return state.failures
    }
    let signal = LogRecord.Value.text(source.signal.rawValue)
    guard let refusal else {
      if failures > 0 {
        log.info("otlp.reachable", ["attempts": .integer(failures), "signal": signal])
      }
      return source.interval
    }
    if failures == 0 {
      log.warning("otlp.unreachable", ["error": .text(refusal.reason), "signal": signal])
    }
    let asked = min(max(refusal.afterSeconds ?? 0, 0), Self.longestWait / 1_000) * 1_000
    return max(asked, min(source.interval << min(failures, 6), Self.longestWait))
  }
}
