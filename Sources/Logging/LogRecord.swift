// What is written to the log: events with names and fields, never what people wrote.

/// One thing that happened, for whoever runs the server.
///
/// Names are literals of the program; values are numbers, ids, words of lists and the system's own
/// messages. Titles, notes, names of files, addresses as they were asked for, tokens and cookies have no
/// place in it.
public struct LogRecord: Sendable {
  /// How much it matters.
  public enum Level: String, Sendable {
    /// As it should be.
    case info
    /// Somebody could not do what they wanted; the server is well.
    case warning
    /// Something that was promised does not work.
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

  /// How much it matters.
  public let level: Level
  /// What happened: `job.started`.
  public let name: String
  /// What there is to know of it, in a fixed order.
  public let fields: [Field]

  /// Describes an event; fields whose value is nil are left out.
  public init(
    _ level: Level, _ name: StaticString, _ fields: KeyValuePairs<StaticString, Value?> = [:]
  ) {
    self.level = level
    self.name = name.description
    self.fields = fields.compactMap { name, value in
      value.map { Field(name: name.description, value: $0) }
    }
  }

  /// The value of a field, if it is there.
  public subscript(_ name: String) -> Value? { fields.first { $0.name == name }?.value }
}

extension LogRecord.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Makes text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
}

/// Takes events. Threads: any.
public struct Logger: Sendable {
  private let take: @Sendable (LogRecord) -> Void

  /// Makes a log that hands each event on.
  public init(_ take: @escaping @Sendable (LogRecord) -> Void) { self.take = take }

  /// A log that nobody reads.
  public static let silent = Logger { _ in }

  /// Writes an event down.
  public func write(_ event: LogRecord) { take(event) }

  /// Notes something that is as it should be.
  public func info(
    _ name: StaticString, _ fields: KeyValuePairs<StaticString, LogRecord.Value?> = [:]
  ) {
    take(LogRecord(.info, name, fields))
  }

  /// Notes that somebody could not do what they wanted.
  public func warning(
    _ name: StaticString, _ fields: KeyValuePairs<StaticString, LogRecord.Value?> = [:]
  ) {
    take(LogRecord(.warning, name, fields))
  }

  /// Notes that something does not work.
  public func error(
    _ name: StaticString, _ error: any Error,
    _ fields: KeyValuePairs<StaticString, LogRecord.Value?> = [:]
  ) {
    var event = LogRecord(.error, name, fields)
    event = LogRecord(event, adding: "error", LogRecord.describe(error))
    take(event)
  }
}

/// An error that says itself what of it belongs in a log, because its whole text could hold what
/// somebody wrote.
public protocol LogDescribable: Error {
  /// Kind and cause, without what a client sent.
  var logDescription: String { get }
}

extension LogRecord {
  /// Copies an event and adds a field of text.
  init(_ event: LogRecord, adding name: StaticString, _ text: String) {
    level = event.level
    self.name = event.name
    fields = event.fields + [Field(name: name.description, value: .text(text))]
  }

  /// Says what an error is, for the log: whole, unless it may hold what somebody wrote.
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
  /// The case's name: keys and values may be a client's.
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
