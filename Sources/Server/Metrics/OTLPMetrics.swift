// Metrics as OpenTelemetry's protocol has them, in JSON: ExportMetricsServiceRequest of
// https://opentelemetry.io/docs/specs/otlp/. 64-bit integers are strings, enumerations are numbers.

import Text

/// Writes metric families for a collector.
enum OTLPMetrics {
  /// AGGREGATION_TEMPORALITY_CUMULATIVE: values count from the server's start.
  private static let cumulative = 2

  /// Writes a request to export `families`. Times are in nanoseconds since 1970; `instance` tells the
  /// runs of servers apart.
  static func request(
    _ families: [MetricsText.Family], version: String, instance: String, start: UInt64,
    now: UInt64
  ) -> String {
    let times = "\"startTimeUnixNano\":\"\(start)\",\"timeUnixNano\":\"\(now)\""
    let resource = attributes([
      ("service.name", "segmance"), ("service.version", version),
      ("service.instance.id", instance),
    ])
    let scope = "{\"name\":\"segmance\",\"version\":\(string(version))}"
    return
      "{\"resourceMetrics\":[{\"resource\":{\(resource)},\"scopeMetrics\":[{\"scope\":\(scope),"
      + "\"metrics\":\(list(families.map { metric($0, times) }))}]}]}"
  }

  private static func metric(_ family: MetricsText.Family, _ times: String) -> String {
    let points =
      family.kind == .histogram
      ? histogramPoints(family, times)
      : family.samples.map {
        "{\(attributes($0.labels)),\(times),\"asDouble\":\(number($0.value))}"
      }
    let data =
      switch family.kind {
      case .gauge: "\"gauge\":{\"dataPoints\":\(list(points))}"
      case .counter:
        "\"sum\":{\"aggregationTemporality\":\(cumulative),\"isMonotonic\":true,"
          + "\"dataPoints\":\(list(points))}"
      case .histogram:
        "\"histogram\":{\"aggregationTemporality\":\(cumulative),\"dataPoints\":\(list(points))}"
      }
    return "{\"name\":\(string(family.name)),\"description\":\(string(family.help)),\(data)}"
  }

  /// A point for each set of labels. Prometheus counts a bucket with all below it, OTLP alone.
  private static func histogramPoints(_ family: MetricsText.Family, _ times: String) -> [String] {
    var points: [String] = []
    var bounds: [String] = []
    var counts: [String] = []
    var (below, sum) = (0.0, 0.0)
    // `_count` ends the samples of a set of labels.
    for sample in family.samples {
      switch sample.name.dropFirst(family.name.count) {
      case "_bucket":
        let bound = sample.labels.first { $0.name == "le" }?.value ?? "+Inf"
        if bound != "+Inf" { bounds.append(bound) }
        counts.append("\"\(Int(sample.value - below))\"")
        below = sample.value
      case "_sum": sum = sample.value
      default:
        points.append(
          "{\(attributes(sample.labels)),\(times),\"count\":\"\(Int(sample.value))\","
            + "\"sum\":\(number(sum)),\"bucketCounts\":\(list(counts)),"
            + "\"explicitBounds\":\(list(bounds))}")
        (bounds, counts, below, sum) = ([], [], 0, 0)
      }
    }
    return points
  }

  private static func attributes(_ pairs: [(name: String, value: String)]) -> String {
    let items = pairs.map {
      "{\"key\":\(string($0.name)),\"value\":{\"stringValue\":\(string($0.value))}}"
    }
    return "\"attributes\":\(list(items))"
  }

  /// A number of JSON; those that JSON lacks are strings, as protobuf's JSON writes them.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "\"NaN\"" }
    if value.isInfinite { return value < 0 ? "\"-Infinity\"" : "\"Infinity\"" }
    return MetricsText.number(value)
  }

  private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

  private static func string(_ text: String) -> String {
    var json = ""
    json.appendJSON(text)
    return json
  }
}
