// The request methods that routes can answer.

/// Names a request method; a method that is not listed is never routed.
public enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  /// Tells whether the method changes something, so that its sender must prove where it comes from.
  public var isWrite: Bool {
    switch self {
    case .get, .head, .options: false
    case .post, .put, .patch, .delete: true
    }
  }
}
