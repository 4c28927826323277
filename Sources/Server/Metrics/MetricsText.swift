// The figures of the server, and Prometheus' text format, version 0.0.4:
// https://prometheus.io/docs/instrumenting/exposition_formats/

/// Collects metric families. `text` is for Prometheus, `OTLPMetrics` writes them for a collector.
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

  /// A value of a family. Those of a histogram have the names and labels of Prometheus: `_bucket` with
  /// `le`, `_sum` and `_count`.
  struct Sample {
    let name: String
    let labels: [(name: String, value: String)]
    let value: Double
  }

  /// A metric with its samples.
  struct Family {
    let name: String
    let kind: Kind
    let help: String
    fileprivate(set) var samples: [Sample] = []
  }

  private(set) var families: [Family] = []

  /// Begins a family; its samples follow.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    families.append(Family(name: name, kind: kind, help: help))
  }

  /// Adds a sample to the current family.
  mutating func sample(_ name: String, _ labels: Labels = [:], _ value: Double) {
    precondition(!families.isEmpty, "The sample \(name) has no family.")
    families[families.count - 1].samples.append(
      Sample(name: name, labels: labels.map { ("\($0.key)", $0.value) }, value: value))
  }

  /// Adds a family of one sample without labels.
  mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    family(name, kind, help)
    sample(name, [:], value)
  }

  /// The page for Prometheus.
  var text: String {
    var text = ""
    for family in families {
      text += "# HELP \(family.name) \(family.help)\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        let pairs = sample.labels.map { "\($0.name)=\"\(MetricsText.escaped($0.value))\"" }
        text += sample.name
        if !pairs.isEmpty { text += "{\(pairs.joined(separator: ","))}" }
        text += " \(MetricsText.number(sample.value))\n"
      }
    }
    return text
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
