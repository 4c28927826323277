// A request as handlers see it: normalised, routed, with its complete body if the route buffers it.

import FoundationEssentials

/// Describes one request.
public struct Request: Sendable {
  /// The method; `HEAD` arrives as `GET` at routes that do not answer it themselves.
  public var method: Method
  /// The path, checked and percent-decoded once; always starts with a slash.
  public internal(set) var path: String
  /// The values after the question mark.
  public internal(set) var query: Query
  /// The header fields.
  public var headers: Headers
  /// The values that the route's pattern found in the path.
  public internal(set) var parameters = Parameters()
  /// The body of buffered routes; empty in all others.
  public internal(set) var body: [UInt8]

  /// The sender, found by the authenticator.
  public internal(set) var caller = Caller.stranger
  /// The sender's address, behind trusted proxies; nil without a socket.
  public internal(set) var client: IPAddress?

  /// The pattern of its route, or one of `RouteName`; for logs and metrics.
  var route = RouteName.none
  /// What an observer keeps of it.
  var record: (any RequestRecord)?
  /// Whether its method is listed in `Method`.
  var hasKnownMethod = true
  /// The address at the other end of the connection.
  public internal(set) var peer: IPAddress?
  /// The request target as it was sent; path and query are made from it before routing.
  var target: String

  /// Makes a request; the target may carry a query.
  public init(
    _ method: Method, _ target: String, headers: Headers = Headers(), body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    path = "/"
    query = Query()
  }

  /// Decodes the body as JSON; throws a 400 that names the field which is wrong.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(HTTPError) -> Value {
    if let contentType = headers["Content-Type"], !ContentType.isJSON(contentType) {
      throw .unsupportedMediaType("Send the body as application/json.")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch let error as DecodingError {
      throw .badRequest(error.sentence, cause: error)
    } catch {
      throw .badRequest("The body is not JSON.", cause: error)
    }
  }
}

/// Holds the values of a query string.
public struct Query: Sendable {
  var items: [(name: String, value: String)] = []

  /// Makes an empty query.
  public init() {}

  /// Reads the first value of a name.
  public subscript(_ name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// Reads a whole number; throws a 400 when the value is something else.
  public func integer(_ name: String) throws(HTTPError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let value = Int(text) else {
      throw .badRequest("The query value \(name) must be a whole number.")
    }
    return value
  }

  /// Reads a whole number that must be there.
  public func requiredInteger(_ name: String) throws(HTTPError) -> Int {
    guard let value = try integer(name) else {
      throw .badRequest("The query value \(name) is missing.")
    }
    return value
  }
}

/// Holds the values that a pattern's `{names}` found in the path.
public struct Parameters: Sendable {
  var items: [(name: String, value: String)] = []

  /// Makes empty parameters.
  public init() {}

  /// Reads a value. A name that is not in the pattern is a programming error.
  public subscript(_ name: String) -> String {
    guard let item = items.first(where: { $0.name == name }) else {
      preconditionFailure("The route's pattern has no {\(name)}.")
    }
    return item.value
  }

  /// Reads a whole number of zero or more; throws a 404 for anything else.
  public func integer(_ name: String) throws(HTTPError) -> Int {
    let text = self[name]
    guard let value = Int(text), value >= 0, String(value) == text else { throw .notFound() }
    return value
  }
}

extension DecodingError {
  /// Describes what is wrong with the body in one sentence.
  var sentence: String {
    func name(_ path: [any CodingKey]) -> String {
      var text = ""
      for key in path {
        if let index = key.intValue {
          text += "[\(index)]"
        } else {
          text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
        }
      }
      return text
    }
    switch self {
    case .keyNotFound(let key, let context):
      return "The field \(name(context.codingPath + [key])) is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let field = name(context.codingPath)
      return field.isEmpty
        ? "The body is not of the expected shape." : "The field \(field) is of the wrong type."
    case .dataCorrupted(let context):
      let field = name(context.codingPath)
      return field.isEmpty
        ? "The body is not JSON, or a number in it is too large."
        : "The field \(field) has an unusable value."
    @unknown default:
      return "The body is not of the expected shape."
    }
  }
}
