// How events look as lines: for people, or for programs.

import FoundationEssentials
import Text

/// The form of the log's lines.
public enum LogFormat: String, Sendable, CaseIterable {
  /// `2026-11-21T22:15:20.123Z info job.started job=… kind=import`
  case text
  /// `{"time":"2026-11-21T22:15:20.123Z","level":"info","event":"job.started","fields":{…}}`
  case json

  /// Writes an event as one line without its end.
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

  /// A value in a line of text: in quotes where it could be taken for something else.
  private static func word(_ value: LogRecord.Value) -> String {
    guard case .text(let text) = value else { return json(value) }
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C }
    return isPlain ? text : quoted(text)
  }
}

extension Logger {
  /// Writes lines to a file descriptor, each with one call, so that no two mix.
  ///
  /// A reader that stands still holds nobody up: lines wait for it, and what is too much is left out.
  public static func lines(_ format: LogFormat, to descriptor: Int32) -> Logger {
    let writer = LogSink(format, to: descriptor)
    return Logger { writer.write($0) }
  }
}
