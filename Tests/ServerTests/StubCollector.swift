// A collector of OpenTelemetry for tests.

import Synchronization
import Testing

@testable import HTTPClient
@testable import Server

/// A collector without a network.
final class StubCollector: Sendable {
  private struct State {
    /// What it was sent.
    var requests: [HTTPClient.Request] = []
    var answers: [@Sendable () throws -> HTTPClient.Response] = []
  }
  private let state = Mutex(State())

  /// What it was sent.
  var requests: [HTTPClient.Request] { state.withLock { $0.requests } }

  /// The next answers, in order; after them it takes all.
  func answers(_ answers: (@Sendable () throws -> HTTPClient.Response)...) {
    state.withLock { $0.answers += answers }
  }

  /// The options that send to it.
  func options(_ signal: OTLPOptions.Signal) throws -> OTLPOptions {
    try #require(
      OTLPOptions(signal, collector: "http://collector.example:4318") { request in
        let answer = self.state.withLock { state in
          state.requests.append(request)
          return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        return try answer?() ?? HTTPClient.Response(status: 200)
      })
  }
}
