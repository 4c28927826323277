// The one error type whose words reach a client, as RFC 9457 problem details.

import Logging

/// Refuses a request with a status and a sentence that says what is wrong and what to do.
///
/// Any other error that a handler throws is logged whole and becomes a plain 500.
public struct HTTPError: Error, Sendable {
  /// The status code, 400–599.
  public var status: Int
  /// A few words that are the same for every case of this kind.
  public var title: String
  /// A sentence for this case.
  public var detail: String
  /// A word for programs, where the status alone does not tell two cases apart.
  public var code: String?
  /// Further header fields of the answer, as `Allow`.
  public var headers: Headers
  /// What went wrong underneath; logged, never sent.
  public var cause: (any Error)?

  /// Makes an error; without a title, the status's own words are the title.
  public init(
    _ status: Int, title: String? = nil, detail: String, code: String? = nil,
    headers: Headers = Headers(), cause: (any Error)? = nil
  ) {
    self.status = status
    self.code = code
    self.title = title ?? StatusPhrase.of(status)
    self.detail = detail
    self.headers = headers
    self.cause = cause
  }

  /// 400: the request makes no sense.
  public static func badRequest(_ detail: String, cause: (any Error)? = nil) -> HTTPError {
    HTTPError(400, detail: detail, cause: cause)
  }

  /// 401: the sender must say who they are.
  public static func unauthorized(_ detail: String) -> HTTPError {
    HTTPError(401, detail: detail)
  }

  /// 403: the sender may not do this.
  public static func forbidden(_ detail: String) -> HTTPError { HTTPError(403, detail: detail) }

  /// 404: there is nothing by that name.
  public static func notFound(_ detail: String = "There is nothing at this address.") -> HTTPError {
    HTTPError(404, detail: detail)
  }

  /// 405: the address exists, but not for this method.
  public static func methodNotAllowed(allowed: [Method]) -> HTTPError {
    let list = allowed.map(\.rawValue).joined(separator: ", ")
    return HTTPError(
      405, detail: "This address answers \(list) only.", headers: ["Allow": list])
  }

  /// 409: the request does not fit the present state.
  public static func conflict(_ detail: String) -> HTTPError { HTTPError(409, detail: detail) }

  /// 410: it was there once.
  public static func gone(_ detail: String) -> HTTPError { HTTPError(410, detail: detail) }

  /// 413: the body is larger than the address takes.
  public static func contentTooLarge(_ detail: String) -> HTTPError {
    HTTPError(413, detail: detail)
  }

  /// 415: the body is of a type that the address does not take.
  public static func unsupportedMediaType(_ detail: String) -> HTTPError {
    HTTPError(415, detail: detail)
  }

  /// 422: the body is well-formed, but its contents can't be used.
  public static func unprocessable(_ detail: String) -> HTTPError {
    HTTPError(422, detail: detail)
  }

  /// 429: too often.
  public static func tooManyRequests(_ detail: String, retryAfterSeconds: Int) -> HTTPError {
    HTTPError(429, detail: detail, headers: ["Retry-After": "\(retryAfterSeconds)"])
  }

  /// 500: the server's own fault; the cause is logged.
  public static func internalError(cause: (any Error)? = nil) -> HTTPError {
    HTTPError(
      500, detail: "Something went wrong on the server. Its log says what.", cause: cause)
  }

  /// 503: too busy, or stopping; worth trying again.
  public static func unavailable(_ detail: String, retryAfterSeconds: Int = 2) -> HTTPError {
    HTTPError(503, detail: detail, headers: ["Retry-After": "\(retryAfterSeconds)"])
  }

  /// 507: no room left on the disk.
  public static func insufficientStorage(_ detail: String, cause: (any Error)? = nil) -> HTTPError {
    HTTPError(507, detail: detail, cause: cause)
  }
}

/// An error of another module that means something to a client.
public protocol HTTPErrorConvertible: Error {
  /// What the client is told; nil: a plain 500, and the error is logged.
  var httpError: HTTPError? { get }
}

extension HTTPError {
  /// The answer as `application/problem+json`.
  public var response: Response {
    var problem: [String: JSONValue] = [
      "type": "about:blank", "title": .string(title), "status": .integer(status),
      "detail": .string(detail),
    ]
    problem["code"] = code.map { .string($0) }
    var response = Response(
      status: status, headers: headers, body: .bytes(JSONValue.object(problem).serialized()))
    response.headers["Content-Type"] = "application/problem+json"
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}

extension HTTPError: LogDescribable {
  /// The status and what went wrong underneath; the sentence is the client's.
  public var logDescription: String {
    cause.map { LogRecord.describe($0) } ?? "\(status) \(StatusPhrase.of(status))"
  }
}

/// The words that RFC 9110 gives to a status code.
enum StatusPhrase {
  static func of(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 507: "Insufficient Storage"
    default: "Error"
    }
  }
}
