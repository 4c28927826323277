// Metrics as OpenTelemetry's protocol has them: ExportMetricsServiceRequest.

/// The figures of the server, for a collector. They count from the start, so one that is lost is made
/// good by the next: nothing waits in memory, and nothing is sent twice.
struct OTLPMetrics: OTLPSource {
  let signal = OTLPOptions.Signal.metrics
  let interval = 15_000

  private let families: @Sendable () throws -> [MetricsText.Family]
  /// Nanoseconds since 1970.
  private let clock: @Sendable () -> UInt64
  private let start: UInt64

  /// Makes a source of what `families` collects.
  init(
    clock: @escaping @Sendable () -> UInt64 = OTLPJSON.now,
    families: @escaping @Sendable () throws -> [MetricsText.Family]
  ) {
    self.families = families
    self.clock = clock
    start = clock()
  }

  func next() throws -> String? {
    Self.request(try families(), start: start, now: clock())
  }

  /// AGGREGATION_TEMPORALITY_CUMULATIVE: values count from the server's start.
  private static let cumulative = 2

  /// Writes a request to export `families`. Times are in nanoseconds since 1970.
  static func request(
    _ families: [MetricsText.Family], start: UInt64, now: UInt64
  ) -> String {
    let times = "\"startTimeUnixNano\":\"\(start)\",\"timeUnixNano\":\"\(now)\""
    let metrics = OTLPJSON.list(families.map { metric($0, times) })
    return
      "{\"resourceMetrics\":[{\(OTLPJSON.resource),\"scopeMetrics\":[{\(OTLPJSON.scope),"
      + "\"metrics\":\(metrics)}]}]}"
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
      case .gauge: "\"gauge\":{\"dataPoints\":\(OTLPJSON.list(points))}"
      case .counter:
        "\"sum\":{\"aggregationTemporality\":\(cumulative),\"isMonotonic\":true,"
          + "\"dataPoints\":\(OTLPJSON.list(points))}"
      case .histogram:
        "\"histogram\":{\"aggregationTemporality\":\(cumulative),"
          + "\"dataPoints\":\(OTLPJSON.list(points))}"
      }
    let (name, help) = (OTLPJSON.string(family.name), OTLPJSON.string(family.help))
    return "{\"name\":\(name),\"description\":\(help),\(data)}"
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
            + "\"sum\":\(number(sum)),\"bucketCounts\":\(OTLPJSON.list(counts)),"
            + "\"explicitBounds\":\(OTLPJSON.list(bounds))}")
        (bounds, counts, below, sum) = ([], [], 0, 0)
      }
    }
    return points
  }

  private static func attributes(_ labels: [(name: String, value: String)]) -> String {
    OTLPJSON.attributes(labels.map { (name: $0.name, value: .text($0.value)) })
  }

  /// A number of JSON; those that JSON lacks are strings, as protobuf's JSON writes them.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "\"NaN\"" }
    if value.isInfinite { return value < 0 ? "\"-Infinity\"" : "\"Infinity\"" }
    return MetricsText.number(value)
  }
}
