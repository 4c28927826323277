// The operator's options for a collector of OpenTelemetry, given at the start.

import HTTPClient

/// Turns the sending of metrics to a collector on.
public struct OTLPOptions: Sendable {
  /// The most milliseconds that a collector may take to answer, and to be reached.
  private static let timeout = 5_000
  private static let connectTimeout = 2_000
  /// The longest answer, in bytes. Collectors answer with an object or a sentence.
  private static let answerLimit = 65_536

  /// Where metrics are sent.
  let address: String
  /// Sends a request to the collector and waits for its response.
  let send: @Sendable (HTTPClient.Request) throws -> HTTPClient.Response

  /// Makes the options; nil unless `collector` is the base address of one, such as
  /// `http://127.0.0.1:4318`.
  public init?(collector: String) {
    let client = HTTPClient(
      allowsHTTP: collector.hasPrefix("http://"), timeout: Self.timeout,
      connectTimeout: Self.connectTimeout, limit: Self.answerLimit)
    self.init(collector: collector) { try client.send($0) }
  }

  /// Makes the options with another way to send.
  init?(
    collector: String,
    send: @escaping @Sendable (HTTPClient.Request) throws -> HTTPClient.Response
  ) {
    guard let scheme = ["http://", "https://"].first(where: collector.hasPrefix) else { return nil }
    let rest = collector.utf8.dropFirst(scheme.utf8.count)
    // A name and a password would be seen in the list of processes.
    guard rest.allSatisfy({ (0x21...0x7E).contains($0) && !"@?#\"<>\\^`{|}".utf8.contains($0) }),
      let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":")
    else { return nil }
    address = (collector.hasSuffix("/") ? String(collector.dropLast()) : collector) + "/v1/metrics"
    self.send = send
  }
}
