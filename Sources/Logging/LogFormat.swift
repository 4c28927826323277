// The formats of log lines, for people and for programs.

import FoundationEssentials
import Text

/// The format of log lines.
public enum LogFormat: String, Sendable, CaseIterable {
  /// `2026-11-21T22:15:20.123Z info job.started job=… kind=import`
  case text
  /// `{"time":"2026-11-21T22:15:20.123Z","level":"info","event":"job.started","fields":{…}}`
  case json

  /// Formats an event as one line without a line break.
  public func line(_ event: LogRecord, at time: Date) -> String {
    let time = time.ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    switch self {
    case .text:
      return event.fields.reduce("\(time) \(event.level.rawValue) \(event.name)") {
        "\($0) \($1.name)=\(LogFormat.word($1.value))"
      }
    case .json:
      let fields = event.fields.map {
        LogFormat.quoted($0.name) + ":" + LogFormat.json($0.value)
      }
      return """
        {"time":"\(time)","level":"\(event.level.rawValue)","event":\
        \(LogFormat.quoted(event.name)),"fields":{\(fields.joined(separator: ","))}}
        """
    }
  }

  private static func json(_ value: LogRecord.Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .integer(let number): String(number)
    case .number(let number): number.isFinite ? String(number) : "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = ""
    result.appendJSON(text)
    return result
  }

  /// A value in the text format, quoted if it would be ambiguous otherwise.
  private static func word(_ value: LogRecord.Value) -> String {
    guard case .text(let text) = value else { return json(value) }
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C }
    return isPlain ? text : quoted(text)
  }
}

extension Logger {
  /// Makes a logger that writes lines to a file descriptor, each with one system call, so that
  /// lines do not mix.
  ///
  /// A blocked reader does not block the server: lines wait for it, and excess lines are dropped.
  public static func lines(_ format: LogFormat, to descriptor: Int32) -> Logger {
    let writer = LogSink(format, to: descriptor)
    return Logger { writer.write($0) }
  }
}
