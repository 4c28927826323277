// What keeps the network from being used, in words that an owner can act on.

import HTTP
import Network

/// A sentence about the network.
struct NetworkProblem: Error, CustomStringConvertible, HTTPErrorConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  var httpError: HTTPError? { .conflict(description) }
}

extension ServerError: HTTPErrorConvertible {
  /// A port that is taken, or an address that is not this machine's.
  public var httpError: HTTPError? { .conflict(message) }
}

extension CertificateError: HTTPErrorConvertible {
  public var httpError: HTTPError? { .conflict(description) }
}
