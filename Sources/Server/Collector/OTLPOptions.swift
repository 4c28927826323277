// The operator's options for a collector of OpenTelemetry, given at the start.

import HTTPClient
import Logging

/// Turns the sending of one signal to a collector on.
public struct OTLPOptions: Sendable {
  /// What is sent. Each has its own address at a collector.
  public enum Signal: String, Sendable {
    case metrics, traces
  }

  /// Why the collector did not take what was sent.
  struct Refusal {
    let reason: String
    /// Whether the same may be sent again.
    let mayRetry: Bool
    /// What its Retry-After says.
    var afterSeconds: Int?
  }

  /// The most milliseconds that a collector may take to answer, and to be reached.
  private static let timeout = 5_000
  private static let connectTimeout = 2_000
  /// The longest answer, in bytes. Collectors answer with an object or a sentence.
  private static let answerLimit = 65_536

  /// Where the signal is sent.
  let address: String
  private let exchange: @Sendable (HTTPClient.Request) throws -> HTTPClient.Response

  /// Makes the options; nil unless `collector` is the base address of one, such as
  /// `http://127.0.0.1:4318`, or its whole address for the signal: `http://127.0.0.1:4318/v1/metrics`.
  public init?(_ signal: Signal, collector: String) {
    let client = HTTPClient(
      allowsHTTP: collector.hasPrefix("http://"), timeout: Self.timeout,
      connectTimeout: Self.connectTimeout, limit: Self.answerLimit)
    self.init(signal, collector: collector) { try client.send($0) }
  }

  /// Makes the options with another way to send.
  init?(
    _ signal: Signal, collector: String,
    exchange: @escaping @Sendable (HTTPClient.Request) throws -> HTTPClient.Response
  ) {
    guard let scheme = ["http://", "https://"].first(where: collector.hasPrefix) else { return nil }
    let rest = collector.utf8.dropFirst(scheme.utf8.count)
    // A name and a password would be seen in the list of processes.
    guard rest.allSatisfy({ (0x21...0x7E).contains($0) && !"@?#\"<>\\^`{|}".utf8.contains($0) }),
      let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":")
    else { return nil }
    let base = collector.hasSuffix("/") ? String(collector.dropLast()) : collector
    let path = "/v1/\(signal.rawValue)"
    address = base.hasSuffix(path) ? base : base + path
    self.exchange = exchange
  }

  /// Sends a body of JSON and waits for the answer. Returns why it was not taken; nil if it was.
  func send(_ body: String, timeout: Int? = nil) -> Refusal? {
    var request = HTTPClient.Request(
      "POST", address, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    request.timeout = timeout
    do {
      let response = try exchange(request)
      if (200..<300).contains(response.status) { return nil }
      return Refusal(
        reason: "status \(response.status)",
        mayRetry: [429, 502, 503, 504].contains(response.status),
        afterSeconds: response.headers["retry-after"].flatMap { Int($0) })
    } catch {
      return Refusal(reason: LogRecord.describe(error), mayRetry: true)
    }
  }
}
