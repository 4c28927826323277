// One entry of the route table: pattern, access, limits, description, handler.

/// Receives a request's body in pieces as they arrive. It belongs to one request, is called by one
/// thread at a time, and never on the threads that serve connections.
public protocol BodySink: AnyObject {
  /// Receives the next bytes. A thrown error is the answer, and ends the body.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the body and answers.
  func finish() throws -> Response
  /// Ends an incomplete body: the client is gone, or `write` threw.
  func abort()
}

/// A method, a path pattern and their handler.
public struct Route: Sendable {
  /// Answers one request.
  public typealias Handler = @Sendable (Request) throws -> Response
  /// Makes the sink for one request's body.
  public typealias SinkMaker = @Sendable (Request) throws -> any BodySink

  /// Where a handler runs.
  public enum Execution: Sendable {
    /// On the connection's thread: for handlers that never block.
    case inline
    /// On the worker pool: for handlers that use the disk or the database.
    case worker
  }

  /// The body that a route accepts.
  public enum Body: Sendable {
    /// None; bytes that are sent anyway are discarded.
    case none
    /// Up to a number of bytes, complete before the handler runs.
    case buffered(limit: Int)
  }

  enum Action: Sendable {
    case handle(Body, Execution, Handler)
    case stream(limit: Int, SinkMaker)
  }

  /// The method.
  public let method: Method
  /// The path, with `{names}` in place of single segments.
  public let pattern: String
  /// What it does, in a few words.
  public let summary: String
  /// The parameters; those in the path need not be listed.
  public let parameters: [ParameterDoc]
  /// The body in the OpenAPI description.
  public let requestBody: BodyDoc?
  /// The responses in the OpenAPI description; problem details are added to all.
  public let responses: [ResponseDoc]
  /// The access that it requires.
  public let access: Access
  let action: Action

  /// Makes a route whose handler gets the whole body.
  public init(
    _ method: Method, _ pattern: String, summary: String, parameters: [ParameterDoc] = [],
    requestBody: BodyDoc? = nil, responses: [ResponseDoc] = [], access: Access = .device,
    execution: Execution = .worker, body: Body = .none, handler: @escaping Handler
  ) {
    self.init(
      method, pattern, summary, parameters, requestBody, responses, access,
      .handle(body, execution, handler))
  }

  /// Makes a route whose body goes to a sink as it arrives, at most `limit` bytes of it.
  public static func streamed(
    _ method: Method, _ pattern: String, summary: String, parameters: [ParameterDoc] = [],
    requestBody: BodyDoc? = nil, responses: [ResponseDoc] = [], access: Access = .device,
    limit: Int = .max, sink: @escaping SinkMaker
  ) -> Route {
    Route(
      method, pattern, summary, parameters, requestBody, responses, access,
      .stream(limit: limit, sink))
  }

  private init(
    _ method: Method, _ pattern: String, _ summary: String, _ parameters: [ParameterDoc],
    _ requestBody: BodyDoc?, _ responses: [ResponseDoc], _ access: Access, _ action: Action
  ) {
    precondition(pattern.hasPrefix("/"), "A pattern starts with a slash: \(pattern)")
    self.method = method
    self.pattern = pattern
    self.summary = summary
    self.parameters = parameters
    self.requestBody = requestBody
    self.responses = responses
    self.access = access
    self.action = action
  }
}

/// Describes a value that a route takes beside its body.
public struct ParameterDoc: Sendable {
  /// Where a parameter is sent.
  public enum Place: String, Sendable {
    case path, query, header
  }

  let name: String
  let place: Place
  let schema: JSONValue
  let description: String?
  let required: Bool

  /// Describes a value; those in the path are always required.
  public init(
    _ name: String, in place: Place = .query, schema: JSONValue = ["type": "string"],
    description: String? = nil, required: Bool = false
  ) {
    self.name = name
    self.place = place
    self.schema = schema
    self.description = description
    self.required = required || place == .path
  }
}

/// Describes the body that a route takes.
public struct BodyDoc: Sendable {
  let contentType: String
  let schema: JSONValue
  let required: Bool

  /// Describes a body by its type and schema.
  public init(
    _ contentType: String = "application/json", schema: JSONValue, required: Bool = true
  ) {
    self.contentType = contentType
    self.schema = schema
    self.required = required
  }

  /// Describes a JSON body by the name of a schema in the document's list.
  public static func json(_ schemaName: String) -> BodyDoc {
    BodyDoc(schema: .reference(toSchema: schemaName))
  }
}

/// Describes one of a route's answers.
public struct ResponseDoc: Sendable {
  let status: Int
  let description: String
  let contentType: String?
  let schema: JSONValue?
  let headers: [String: JSONValue]

  /// Describes an answer; without a content type it has no body. `headers` are the schemas of the
  /// header fields that it always has, by their names.
  public init(
    _ status: Int, _ description: String, contentType: String? = nil, schema: JSONValue? = nil,
    headers: [String: JSONValue] = [:]
  ) {
    self.status = status
    self.description = description
    self.contentType = contentType
    self.schema = schema
    self.headers = headers
  }

  /// Describes a JSON answer by the name of a schema in the document's list.
  public static func json(
    _ status: Int = 200, _ description: String, _ schemaName: String
  ) -> ResponseDoc {
    ResponseDoc(
      status, description, contentType: "application/json",
      schema: .reference(toSchema: schemaName))
  }
}

extension JSONValue {
  /// Makes a reference to one of an OpenAPI document's schemas.
  public static func reference(toSchema name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }
}
