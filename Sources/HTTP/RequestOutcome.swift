// The outcome of a request, for metrics and traces.

/// An answered request in words of the route table; it holds no text from a client.
public struct RequestOutcome: Sendable {
  /// The method; `OTHER` for one that is not listed in `Method`.
  public let method: String
  /// The pattern of the route, or one of `RouteName`.
  public let route: String
  /// The status of the answer.
  public let status: Int
  /// The time from the complete header to the finished answer, before it is sent. Receiving the body
  /// counts.
  public let seconds: Double

  /// Whether `route` is a pattern of the route table.
  public var hasPattern: Bool { route != RouteName.client && route != RouteName.none }
}

/// Observes every answer. Called on the threads that serve connections, so it must not block.
public protocol RequestObserver: Sendable {
  /// Records the answer to a request. Its header fields are what a client sent.
  func observe(_ outcome: RequestOutcome, headers: Headers)
}

/// Names of requests without a route.
enum RouteName {
  /// The application's own files.
  static let client = "client"
  /// A path that is not in the route table.
  static let none = "none"
}
