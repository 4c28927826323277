// Metrics for a collector of OpenTelemetry: what is sent, and what a bad collector does.

import Dispatch
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import HTTP
@testable import HTTPClient
@testable import Server

/// ExportMetricsServiceRequest, as far as it is sent; the types are those of protobuf's JSON.
private struct Export: Decodable {
  struct Resources: Decodable {
    let resource: Resource
    let scopeMetrics: [Scope]
  }
  struct Resource: Decodable { let attributes: [Attribute] }
  struct Scope: Decodable { let metrics: [Metric] }
  struct Attribute: Decodable {
    struct Value: Decodable { let stringValue: String }
    let key: String
    let value: Value
  }
  struct Metric: Decodable {
    let name: String
    let description: String
    let gauge: Points?
    let sum: Points?
    let histogram: Points?
    var points: Points? { gauge ?? sum ?? histogram }
  }
  struct Points: Decodable {
    let dataPoints: [Point]
    let aggregationTemporality: Int?
    let isMonotonic: Bool?
  }
  struct Point: Decodable {
    let attributes: [Attribute]
    let startTimeUnixNano: String
    let timeUnixNano: String
    let asDouble: Double?
    let count: String?
    let sum: Double?
    let bucketCounts: [String]?
    let explicitBounds: [Double]?
    var labels: [String: String] {
      Dictionary(uniqueKeysWithValues: attributes.map { ($0.key, $0.value.stringValue) })
    }
  }
  let resourceMetrics: [Resources]

  init(_ text: some Collection<UInt8>) throws {
    self = try JSONDecoder().decode(Export.self, from: Data(text))
  }

  var metrics: [Metric] { resourceMetrics.flatMap(\.scopeMetrics).flatMap(\.metrics) }

  func metric(_ name: String) -> Metric? { metrics.first { $0.name == name } }
}

@Suite struct OTLPMetricsTests {
  private let studio: TestStudio
  private let collector = StubCollector()

  init() throws { studio = try TestStudio() }

  private func exporter(
    _ families: @escaping @Sendable () throws -> [MetricsText.Family] = { [] }
  ) throws -> OTLPExporter {
    OTLPExporter(
      OTLPMetrics(clock: { 1_700_000_000_000_000_001 }, families: families),
      options: try collector.options(.metrics), log: studio.log.log, timers: studio.timers)
  }

  private func lines(_ event: String) -> Int { studio.log.all.count { $0.contains(event) } }

  @Test func `gauges and counters keep names, labels and values`() throws {
    var page = MetricsText()
    page.family("a_total", .counter, "Words \"in\" marks.")
    page.sample("a_total", ["route": "/x/{id}", "odd": "\"\\\n🦢"], 9_007_199_254_740_991)
    page.single("b", .gauge, "Help.", -0.25)
    page.single("c", .gauge, "Help.", 1e-7)
    let export = try Export(
      OTLPMetrics.request(page.families, start: 5, now: 6).utf8)
    let a = try #require(export.metric("a_total"))
    #expect(a.description == "Words \"in\" marks.")
    #expect(a.sum?.isMonotonic == true && a.sum?.aggregationTemporality == 2)
    let point = try #require(a.sum?.dataPoints.first)
    #expect(point.labels == ["route": "/x/{id}", "odd": "\"\\\n🦢"])
    #expect(point.asDouble == 9_007_199_254_740_991)
    #expect(point.startTimeUnixNano == "5" && point.timeUnixNano == "6")
    #expect(export.metric("b")?.gauge?.dataPoints.map(\.asDouble) == [-0.25])
    #expect(export.metric("c")?.gauge?.dataPoints.map(\.asDouble) == [1e-7])
  }

  @Test func `a histogram counts each bucket alone`() throws {
    let requests = RequestMetrics()
    for (route, seconds) in [("/a", 0.0005), ("/a", 0.002), ("/a", 0.002), ("/a", 60), ("/b", 1)] {
      requests.observe(
        RequestOutcome(method: "GET", route: route, status: 200, seconds: seconds), headers: [:],
        record: nil)
    }
    var page = MetricsText()
    requests.write(to: &page)
    let export = try Export(
      OTLPMetrics.request(page.families, start: 5, now: 6).utf8)
    let points = try #require(
      export.metric("segmance_http_request_duration_seconds")?.histogram?.dataPoints)
    #expect(points.map(\.labels) == [["route": "/a"], ["route": "/b"]])
    #expect(points.allSatisfy { $0.explicitBounds == RequestMetrics.bounds })
    let (one, none) = ("1", "0")
    #expect(
      points[0].bucketCounts
        == [one, "2"] + Array(repeating: none, count: RequestMetrics.bounds.count - 2) + [one])
    #expect(points.map(\.count) == ["4", "1"])
    #expect(points.map(\.sum) == [0.0005 + 0.002 + 0.002 + 60, 1])
  }

  @Test func `a collector gets every figure of the page for Prometheus, and no text of clients`()
    throws
  {
    let requests = RequestMetrics()
    let application = Application(
      configuration: Configuration(port: 7700),
      router: SegmanceServer.router(studio.library, studio.runner, nil), observers: [requests])
    for target in ["/api/jobs/secret-1?secret=2", "/secret", "/api/health"] {
      _ = application.respond(
        to: Request(
          .get, target, headers: ["Host": "localhost:7700", "Authorization": "Bearer secret"]))
    }
    let (library, runner) = (studio.library, studio.runner)
    let exporter = try exporter {
      try MetricsRoutes.page(library, runner, requests).families
    }
    exporter.step()
    let request = try #require(collector.requests.first)
    #expect(request.method == "POST")
    #expect(request.url == "http://collector.example:4318/v1/metrics")
    #expect(request.headers.map { "\($0.name): \($0.value)" } == ["Content-Type: application/json"])
    let body = try #require(request.body)
    #expect(!String(decoding: body, as: UTF8.self).contains("secret"))
    let export = try Export(body)
    let families = try MetricsRoutes.page(library, runner, requests).families
    #expect(export.metrics.map(\.name) == families.map(\.name))
    #expect(export.metrics.allSatisfy { $0.points != nil })
    let answers = try #require(export.metric("segmance_http_requests_total")?.sum?.dataPoints)
    #expect(
      answers.contains {
        $0.labels == ["method": "GET", "route": "/api/jobs/{id}", "status": "404"]
          && $0.asDouble == 1
      })
    let resource = try #require(export.resourceMetrics.first?.resource.attributes)
    #expect(resource.map(\.key) == ["service.name", "service.version", "service.instance.id"])
  }

  @Test
  func `a collector that is away is logged once, asked ever less, and logged when it is back`()
    throws
  {
    let failure = HTTPClient.Failure(.failed, "no connection")
    collector.answers(
      { throw failure }, { throw failure }, { HTTPClient.Response(status: 503) },
      { throw failure }, { throw failure }, { HTTPClient.Response(status: 400) })
    let exporter = try exporter()
    #expect((0..<6).map { _ in exporter.step() / 1_000 } == [15, 30, 60, 120, 240, 300])
    #expect(lines("otlp.unreachable") == 1)
    #expect(lines("otlp.reachable") == 0)
    #expect(exporter.step() == 15_000)
    #expect(lines("otlp.reachable attempts=6") == 1)
    #expect(exporter.step() == 15_000)
    #expect(lines("otlp.reachable") == 1)
  }

  @Test(arguments: [
    ("100", 100), ("1", 15), ("0", 15), ("-5", 15), ("9223372036854775807", 300),
    ("99999999999999999999", 15),
    ("soon", 15), ("", 15),
  ])
  func `a wait that the collector asks for is kept within limits`(asked: String, seconds: Int)
    throws
  {
    collector.answers({ HTTPClient.Response(status: 429, headers: ["retry-after": asked]) })
    #expect(try exporter().step() == seconds * 1_000)
  }

  @Test func `figures are sent every fifteen seconds, and later after a failure`() throws {
    let exporter = try exporter()
    exporter.start()
    studio.timers.advance(14_999)
    #expect(collector.requests.isEmpty)
    studio.timers.advance(1)
    #expect(collector.requests.count == 1)
    collector.answers({ HTTPClient.Response(status: 500) }, { HTTPClient.Response(status: 500) })
    studio.timers.advance(15_000 + 15_000 + 29_999)
    #expect(collector.requests.count == 3)
    studio.timers.advance(1)
    #expect(collector.requests.count == 4)
  }

  @Test func `a stop sends the last figures, but not to a collector that is away`() throws {
    let exporter = try exporter()
    OTLPExporter.stop([exporter], within: 60_000)
    #expect(collector.requests.map(\.timeout) == [60_000])
    collector.answers({ HTTPClient.Response(status: 500) })
    exporter.step()
    OTLPExporter.stop([exporter], within: 60_000)
    #expect(collector.requests.count == 2)
  }

  @Test func `requests are answered while a collector does not`() throws {
    let (arrived, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    collector.answers({
      arrived.signal()
      released.wait()
      return HTTPClient.Response(status: 200)
    })
    let requests = RequestMetrics()
    let application = Application(
      configuration: Configuration(port: 7700),
      router: SegmanceServer.router(studio.library, studio.runner, nil), observers: [requests])
    let (library, runner) = (studio.library, studio.runner)
    let exporter = try exporter { try MetricsRoutes.page(library, runner, requests).families }
    exporter.start(after: 0)
    arrived.wait()
    let answer = application.respond(
      to: Request(.get, "/api/health", headers: ["Host": "localhost:7700"]))
    #expect(answer.status == 200)
    released.signal()
    OTLPExporter.stop([exporter], within: 60_000)
    #expect(collector.requests.count == 2)
  }

  @Test func `figures that can't be read are logged, and nothing is sent`() throws {
    let exporter = try exporter { throw LibraryError(.unusable, "No.") }
    #expect(exporter.step() == 15_000)
    #expect(lines("otlp.unmeasured") == 1)
    #expect(collector.requests.isEmpty)
  }

  @Test(arguments: [
    ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/metrics"),
    ("https://otlp.example/team/", "https://otlp.example/team/v1/metrics"),
    ("http://[::1]:4318", "http://[::1]:4318/v1/metrics"),
    ("http://127.0.0.1:4318/v1/metrics", "http://127.0.0.1:4318/v1/metrics"),
    ("https://otlp.example/team/v1/metrics/", "https://otlp.example/team/v1/metrics"),
    ("", nil), ("collector:4318", nil), ("http://", nil), ("http:///x", nil), ("http://:4318", nil),
    ("ftp://collector", nil), ("file:///etc/passwd", nil), ("http://name:word@collector", nil),
    ("http://collector?key=1", nil), ("http://collector#x", nil), ("http://a\r\nX: y", nil),
    ("http://über.example", nil),
  ])
  func `only the address of a collector is one`(text: String, address: String?) {
    #expect(OTLPOptions(.metrics, collector: text)?.address == address)
  }
}
