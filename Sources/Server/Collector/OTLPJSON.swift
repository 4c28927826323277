// What all messages of OpenTelemetry's protocol have in common, in JSON:
// https://opentelemetry.io/docs/specs/otlp/. 64-bit integers are strings, enumerations are numbers.

import FoundationEssentials
import Glibc
import Text

/// Writes pieces of messages for a collector.
enum OTLPJSON {
  /// A value of an attribute.
  enum Value {
    case text(String)
    case integer(Int)
    case number(Double)
  }

  /// Tells this run of the server from others.
  private static let instance = UUID().uuidString.lowercased()

  /// The field `resource`: the service that sends.
  static var resource: String {
    let attributes = attributes([
      ("service.name", .text("segmance")), ("service.version", .text(SegmanceServer.version)),
      ("service.instance.id", .text(instance)),
    ])
    return "\"resource\":{\(attributes)}"
  }

  /// The field `scope`: the program that measured.
  static var scope: String {
    "\"scope\":{\"name\":\"segmance\",\"version\":\(string(SegmanceServer.version))}"
  }

  /// The field `attributes`.
  static func attributes(_ pairs: [(name: String, value: Value)]) -> String {
    let items = pairs.map { pair in
      let value =
        switch pair.value {
        case .text(let text): "\"stringValue\":\(string(text))"
        case .integer(let number): "\"intValue\":\"\(number)\""
        case .number(let number): "\"doubleValue\":\(number)"
        }
      return "{\"key\":\(string(pair.name)),\"value\":{\(value)}}"
    }
    return "\"attributes\":\(list(items))"
  }

  /// An array of values that are JSON already.
  static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

  /// A string.
  static func string(_ text: String) -> String {
    var json = ""
    json.appendJSON(text)
    return json
  }

  /// The present time, in nanoseconds since 1970.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
