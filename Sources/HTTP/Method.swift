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

  /// Whether the method changes something and so needs a valid `Origin`.
  public var isWrite: Bool {
    switch self {
    case .get, .head, .options: false
    case .post, .put, .patch, .delete: true
    }
  }
}
