// Prometheus' text format, version 0.0.4:
// https://prometheus.io/docs/instrumenting/exposition_formats/

/// Writes metric families.
struct MetricsText {
  /// The Content-Type of the response.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The type of a metric family.
  enum Kind: String {
    /// Only increases until the server restarts; its name ends in `_total`.
    case counter
    /// Increases and decreases.
    case gauge
    /// Counts values by upper bounds.
    case histogram
  }

  /// Labels with values, in order.
  typealias Labels = KeyValuePairs<StaticString, String>

  private(set) var text = ""

  /// Begins a family; its samples follow.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a sample to the current family.
  mutating func sample(_ name: String, _ labels: Labels = [:], _ value: Double) {
    let pairs = labels.map { "\($0.key)=\"\(MetricsText.escaped($0.value))\"" }
    text += name
    if !pairs.isEmpty { text += "{\(pairs.joined(separator: ","))}" }
    text += " \(MetricsText.number(value))\n"
  }

  /// Adds a family of one sample without labels.
  mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    family(name, kind, help)
    sample(name, [:], value)
  }

  /// Formats a number; integers have no decimal point.
  static func number(_ value: Double) -> String {
    if value == .infinity { return "+Inf" }
    return Int(exactly: value).map { String($0) } ?? "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
