// What became of a request, for whoever counts.

/// Describes an answered request in words of the route table: nothing in it is a client's.
public struct RequestOutcome: Sendable {
  /// The method; `OTHER` for one that no route can know.
  public let method: String
  /// The pattern of the route, or one of `RouteName`.
  public let route: String
  /// The status of the answer.
  public let status: Int
  /// From the complete header to the finished answer, before it is sent; a body's way in counts.
  public let seconds: Double
}

/// Is told of every answer. Threads: any; called on those that serve connections, so it must not wait.
public protocol RequestObserver: Sendable {
  /// Takes note of an answer.
  func observe(_ outcome: RequestOutcome)
}

/// Names for what has no route.
enum RouteName {
  /// The application's own files.
  static let client = "client"
  /// Nothing that is listed.
  static let none = "none"
}
