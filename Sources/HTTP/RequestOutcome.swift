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
  /// Begins a record of a request with these header fields, which are what a client sent; nil if its answer says
  /// all.
  func begin(_ headers: Headers) -> (any RequestRecord)?

  /// Records the answer to a request. `record` is the one that was begun; nil if it was refused before that.
  func observe(_ outcome: RequestOutcome, headers: Headers, record: (any RequestRecord)?)
}

extension RequestObserver {
  public func begin(_ headers: Headers) -> (any RequestRecord)? { nil }
}

/// What an observer keeps of a request between its header and its answer.
public protocol RequestRecord: AnyObject, Sendable {
  /// Runs a piece of the work on the request, on any thread.
  func during<Result>(_ work: () throws -> Result) rethrows -> Result
}

/// Names of requests without a route.
enum RouteName {
  /// The application's own files.
  static let client = "client"
  /// A path that is not in the route table.
  static let none = "none"
}
