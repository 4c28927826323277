// Log events: names and fields, never text that people typed.

/// One event for the server's operator.
///
/// Names are literals of the program. Values are numbers, ids, words from fixed lists and the
/// system's own messages. Titles, notes, file names, requested URLs, tokens and cookies must not be
/// logged.
public struct LogRecord: Sendable {
  /// The severity of an event.
  public enum Level: String, Sendable {
    /// Normal operation.
    case info
    /// A user's request failed; the server works.
    case warning
    /// A promised function does not work.
    case error
  }

  /// The value of a field.
  public enum Value: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
  }

  /// A field with its name.
  public struct Field: Sendable {
    public let name: String
    public let value: Value
  }

  /// The severity.
  public let level: Level
  /// The event's name: `job.started`.
  public let name: String
  /// The event's details, in a fixed order.
  public let fields: [Field]

  /// Makes an event; fields with a nil value are left out.
  public init(
    _ level: Level, _ name: StaticString, _ fields: KeyValuePairs<StaticString, Value?> = [:]
  ) {
    self.level = level
    self.name = name.description
    self.fields = fields.compactMap { name, value in
      value.map { Field(name: name.description, value: $0) }
    }
  }

  /// The value of a field; nil if it is missing.
  public subscript(_ name: String) -> Value? { fields.first { $0.name == name }?.value }
}

extension LogRecord.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Makes a text value.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes an integer value.
  public init(integerLiteral value: Int) { self = .integer(value) }
}

/// Writes events to a log.
public struct Logger: Sendable {
  private let take: @Sendable (LogRecord) -> Void

  /// Makes a log that passes each event to `take`.
  public init(_ take: @escaping @Sendable (LogRecord) -> Void) { self.take = take }

  /// A log that discards all events.
  public static let silent = Logger { _ in }

  /// Logs an event.
  public func write(_ event: LogRecord) { take(event) }

  /// Logs normal operation.
  public func info(
    _ name: StaticString, _ fields: KeyValuePairs<StaticString, LogRecord.Value?> = [:]
  ) {
    take(LogRecord(.info, name, fields))
  }

  /// Logs that a user's request failed.
  public func warning(
    _ name: StaticString, _ fields: KeyValuePairs<StaticString, LogRecord.Value?> = [:]
  ) {
    take(LogRecord(.warning, name, fields))
  }

  /// Logs that a function does not work.
  public func error(
    _ name: StaticString, _ error: any Error,
    _ fields: KeyValuePairs<StaticString, LogRecord.Value?> = [:]
  ) {
    var event = LogRecord(.error, name, fields)
    event = LogRecord(event, adding: "error", LogRecord.describe(error))
    take(event)
  }
}

/// An error that provides its own log text, because its full text could contain text that a person
/// typed.
public protocol LogDescribable: Error {
  /// The kind and cause, without a client's data.
  var logDescription: String { get }
}

extension LogRecord {
  /// Copies an event and adds a text field.
  init(_ event: LogRecord, adding name: StaticString, _ text: String) {
    level = event.level
    self.name = event.name
    fields = event.fields + [Field(name: name.description, value: .text(text))]
  }

  /// Describes an error for the log: in full, unless it may contain text that a person typed.
  public static func describe(_ error: any Error) -> String {
    switch error {
    case let error as any LogDescribable: error.logDescription
    case let error as DecodingError: error.kind
    case is EncodingError: "EncodingError"
    default: "\(error)"
    }
  }
}

extension DecodingError {
  /// Only the name of the case, because keys and values may be a client's.
  fileprivate var kind: String {
    switch self {
    case .keyNotFound: "DecodingError.keyNotFound"
    case .typeMismatch: "DecodingError.typeMismatch"
    case .valueNotFound: "DecodingError.valueNotFound"
    case .dataCorrupted: "DecodingError.dataCorrupted"
    @unknown default: "DecodingError"
    }
  }
}
