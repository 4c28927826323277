// Traces for a collector of OpenTelemetry: what is recorded, what is sent, and what a bad collector does.

import Dispatch
import FoundationEssentials
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import HTTPClient
@testable import Server

@Suite struct TracerTests {
  private static let now: UInt64 = 1_700_000_000_000_000_001
  private let studio: TestStudio
  private let collector = StubCollector()

  init() throws { studio = try TestStudio() }

  /// Makes a tracer whose ids count up from `first`.
  private func tracer(share: Double = 1, first: UInt64 = 1) throws -> Tracer {
    let ids = Atomic(first)
    return Tracer(
      options: TraceOptions(collector: try collector.options(.traces), share: share),
      log: studio.log.log, timers: studio.timers, clock: { Self.now },
      random: { ids.wrappingAdd(1, ordering: .relaxed).oldValue })
  }

  private func application(_ tracer: Tracer, scheme: String = "http") -> Application {
    Application(
      configuration: Configuration(port: 7700),
      router: SegmanceServer.router(studio.library, studio.runner, nil),
      observers: [RequestTracer(tracer: tracer, scheme: scheme)])
  }

  private func ask(
    _ application: Application, _ method: HTTP.Method, _ target: String,
    headers: [(String, String)] = []
  ) -> Int {
    let headers = [("Host", "localhost:7700"), ("Sec-Fetch-Site", "same-origin")] + headers
    return application.respond(to: Request(method, target, headers: Headers(headers))).status
  }

  private func record(_ tracer: Tracer, _ count: Int, traceparent: String? = nil) {
    for _ in 0..<count {
      tracer.end(
        tracer.begin(traceparent: traceparent),
        .request(
          RequestOutcome(method: "GET", route: "/api/health", status: 200, seconds: 1),
          scheme: "http"), seconds: 1)
    }
  }

  private func batches() throws -> [[TraceExport.Span]] { try collector.batches() }

  private func lines(_ event: String) -> Int { studio.log.all.count { $0.contains(event) } }

  @Test func `a request is a span by the conventions for servers`() throws {
    let tracer = try tracer(first: 0xA)
    #expect(ask(application(tracer, scheme: "https"), .get, "/api/jobs/secret-1?secret=2") == 404)
    tracer.exporter.step()
    let request = try #require(collector.requests.first)
    #expect(request.method == "POST")
    #expect(request.url == "http://collector.example:4318/v1/traces")
    #expect(request.headers.map { "\($0.name): \($0.value)" } == ["Content-Type: application/json"])
    let export = try TraceExport(#require(request.body))
    let resource = try #require(export.resourceSpans.first?.resource.attributes)
    #expect(resource.map(\.key) == ["service.name", "service.version", "service.instance.id"])
    let span = try #require(try collector.spans(2).first)
    #expect(try collector.spans(2).count == 1)
    #expect(span.traceId == "000000000000000a000000000000000b")
    #expect(span.spanId == "000000000000000c")
    #expect(span.parentSpanId == nil && span.flags == 0x101)
    #expect(span.name == "GET /api/jobs/{id}")
    #expect(span.kind == 2 && span.status == nil)
    #expect(
      span.values == [
        "http.request.method": "GET", "url.scheme": "https", "url.path": "/api/jobs/{id}",
        "http.route": "/api/jobs/{id}", "http.response.status_code": "404",
      ])
    let status = span.attributes.first { $0.key == "http.response.status_code" }
    #expect(status?.value.intValue == "404")
    let (start, end) = (
      try #require(UInt64(span.startTimeUnixNano)), try #require(UInt64(span.endTimeUnixNano))
    )
    #expect(end == Self.now && start < end && end - start < 60_000_000_000)
  }

  @Test func `a span lasts as long as the work`() throws {
    let tracer = try tracer()
    record(tracer, 1)
    tracer.exporter.step()
    let span = try #require(try batches().first?.first)
    #expect(span.startTimeUnixNano == "1699999999000000001")
    #expect(span.endTimeUnixNano == "1700000000000000001")
  }

  @Test(arguments: [
    ("GET", "client", 200, "GET"), ("OTHER", "none", 404, "HTTP"),
    ("OTHER", "/api/x", 405, "HTTP /api/x"), ("POST", "/api/x", 503, "POST /api/x"),
  ])
  func `what has no pattern has no path, and only the server's faults are errors`(
    method: String, route: String, status: Int, name: String
  ) throws {
    let tracer = try tracer()
    RequestTracer(tracer: tracer, scheme: "http").observe(
      RequestOutcome(method: method, route: route, status: status, seconds: 0), headers: [:],
      record: nil)
    tracer.exporter.step()
    let span = try #require(try batches().first?.first)
    #expect(span.name == name)
    #expect(span.values["http.request.method"] == (method == "OTHER" ? "_OTHER" : method))
    let path = route.hasPrefix("/") ? route : nil
    #expect(span.values["url.path"] == path && span.values["http.route"] == path)
    #expect(span.status?.code == (status >= 500 ? 2 : nil))
    #expect(span.values["error.type"] == (status >= 500 ? "503" : nil))
  }

  @Test func `no text of a client is sent`() throws {
    let tracer = try tracer()
    let application = application(tracer)
    for target in ["/api/jobs/secret?secret", "/secret", "/api/links/secret", "/api/secret", "*"] {
      for method in [HTTP.Method.get, .put, .options] {
        _ = ask(
          application, method, target,
          headers: [
            ("Authorization", "Bearer secret"), ("User-Agent", "secret"), ("Cookie", "a=secret"),
            ("traceparent", "secret"), ("tracestate", "secret=secret"), ("baggage", "a=secret"),
          ])
      }
    }
    tracer.exporter.step()
    let body = try #require(collector.requests.first?.body)
    #expect(!String(decoding: body, as: UTF8.self).contains("secret"))
    #expect(try collector.spans(2).count == 15)
  }

  @Test func `a request goes on in the trace of its sender, if that is recorded`() throws {
    let (trace, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
    let tracer = try tracer(share: 0)
    let application = application(tracer)
    for parent in ["00-\(trace)-\(span)-01", "00-\(trace)-\(span)-00", "00-\(trace)-\(span)-1", ""]
    {
      #expect(ask(application, .get, "/api/health", headers: [("TraceParent", parent)]) == 200)
    }
    #expect(ask(application, .get, "/api/health") == 200)
    // Twice is none.
    let twice = Array(repeating: ("traceparent", "00-\(trace)-\(span)-01"), count: 2)
    #expect(ask(application, .get, "/api/health", headers: twice) == 200)
    tracer.exporter.step()
    let spans = try collector.spans(2)
    #expect(spans.count == 1)
    #expect(spans.first?.traceId == trace && spans.first?.parentSpanId == span)
    #expect(spans.first?.flags == 0x301)
    #expect(spans.first?.spanId != span)
  }

  @Test func `a sender whose trace is not recorded is not recorded here`() throws {
    let tracer = try tracer(share: 1)
    record(tracer, 1, traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
    tracer.exporter.step()
    #expect(collector.requests.isEmpty)
  }

  @Test(arguments: [(0, 0), (0.25, 512), (0.5, 1_024), (1, 2_048)])
  func `a share of the traces that begin here is recorded`(share: Double, count: Int) throws {
    var random = SeededGenerator(seed: 7)
    let ids = Mutex((0..<8_192).map { _ in UInt64.random(in: 1 ... .max, using: &random) })
    let tracer = Tracer(
      options: TraceOptions(collector: try collector.options(.traces), share: share), log: .silent,
      timers: studio.timers, clock: { Self.now }, random: { ids.withLock { $0.removeLast() } })
    record(tracer, 2_048)
    let (_, dropped) = tracer.spans.counts
    OTLPExporter.stop([tracer.exporter], within: 60_000)
    let sent = tracer.spans.counts.sent
    #expect(dropped == 0)
    // Five standard deviations of a binomial distribution: at most 5 × √(2,048 / 4) = 113.
    #expect(abs(sent - count) <= (share == 0 || share == 1 ? 0 : 113))
    // All who share a trace decide by the same 56 bits.
    let bits = try batches().flatMap(\.self).map { $0.traceId.suffix(14) }
    let least = UInt64((1 - share) * Double(UInt64(1) << 56)).padded(to: 14, radix: 16)
    #expect(bits.allSatisfy { $0 >= least })
  }

  @Test func `ids come from the system's generator, and are not zero`() throws {
    let tracer = Tracer(
      options: TraceOptions(collector: try collector.options(.traces)), log: .silent,
      timers: studio.timers)
    record(tracer, 100)
    tracer.exporter.step()
    let spans = try batches().flatMap(\.self)
    #expect(Set(spans.map(\.traceId)).count == 100 && Set(spans.map(\.spanId)).count == 100)
    #expect(spans.allSatisfy { $0.traceId.utf8.count == 32 && $0.spanId.utf8.count == 16 })
  }

  @Test func `every attempt of a job is a span`() throws {
    let tracer = try tracer()
    let runner = JobRunner(library: studio.library, leavesBackgroundJobs: false, observer: tracer)
    let derived = studio.library.folder.root + "/derived"
    try FileManager.default.moveItem(atPath: derived, toPath: derived + "-away")
    // A file replaces the folder, so nothing can be created in it.
    try Data().write(to: URL(filePath: derived))
    let song = studio.upload(WAV.impulses([1], frames: 48_000))
    let job = try #require(try studio.library.tracks.add(fromUpload: song, title: nil).job)
    try runner.enqueue(id: job)
    runner.waitUntilIdle()
    try FileManager.default.removeItem(atPath: derived)
    try FileManager.default.moveItem(atPath: derived + "-away", toPath: derived)
    // Its turn comes without waiting for the retry.
    try runner.enqueue(id: job)
    runner.waitUntilIdle()
    // One that has ended is no attempt.
    runner.enqueue(try #require(try studio.library.jobs.job(job)))
    runner.waitUntilIdle()
    tracer.exporter.step()
    let spans = try batches().flatMap(\.self).filter { $0.name == "job import" }
    #expect(spans.map { $0.values["segmance.job.outcome"] } == ["putOff", "done"])
    #expect(spans.map { $0.values["segmance.job.attempt"] } == ["1", "2"])
    #expect(spans.map { $0.values["error.type"] } == ["StorageError.fileSystem", nil])
    #expect(spans.map { $0.status?.code } == [2, nil])
    #expect(spans.allSatisfy { $0.kind == 1 && $0.parentSpanId == nil })
    #expect(spans.allSatisfy { $0.values["segmance.job.id"] == job })
    #expect(Set(spans.map(\.traceId)).count == 2)
  }

  @Test func `a job that fails and one that is cancelled say so`() throws {
    let tracer = try tracer()
    let runner = JobRunner(library: studio.library, observer: tracer)
    let words = studio.upload(Array("No song.".utf8))
    let bad = try #require(try studio.library.tracks.add(fromUpload: words, title: nil).job)
    try runner.enqueue(id: bad)
    runner.waitUntilIdle()
    // It runs as long as it is left to.
    let song = studio.upload(WAV.impulses([1], frames: 48_000 * 600))
    let long = try #require(try studio.library.tracks.add(fromUpload: song, title: nil).job)
    try runner.enqueue(id: long)
    try runner.cancel(long)
    runner.waitUntilIdle()
    tracer.exporter.step()
    let spans = try collector.spans(1)
    #expect(spans.map { $0.values["segmance.job.outcome"] } == ["failed", "cancelled"])
    #expect(spans.map { $0.status?.code } == [2, nil])
    #expect(spans.first?.values["error.type"]?.hasPrefix("MediaError.") == true)
  }

  @Test func `spans are sent in batches, and none twice`() throws {
    let tracer = try tracer()
    record(tracer, 1_100)
    #expect(tracer.exporter.step() == 5_000)
    // What does not fill a batch waits for its time.
    #expect(try batches().map(\.count) == [512, 512])
    tracer.exporter.step()
    tracer.exporter.step()
    #expect(try batches().map(\.count) == [512, 512, 76])
    #expect(Set(try batches().flatMap(\.self).map(\.spanId)).count == 1_100)
    #expect(tracer.spans.counts.sent == 1_100)
  }

  @Test func `a full batch is sent before its time`() throws {
    let arrived = DispatchSemaphore(value: 0)
    collector.answers({
      arrived.signal()
      return HTTPClient.Response(status: 200)
    })
    let tracer = try tracer()
    // Its time does not come: the clock stands.
    tracer.exporter.start(after: 3_600_000)
    record(tracer, 511)
    #expect(collector.requests.isEmpty)
    record(tracer, 1)
    arrived.wait()
    OTLPExporter.stop([tracer.exporter], within: 60_000)
    #expect(try batches().map(\.count) == [512])
  }

  @Test func `a full queue drops what is new, counts it, and is logged once for an outage`() throws
  {
    let away: @Sendable () throws -> HTTPClient.Response = {
      throw HTTPClient.Failure(.failed, "no connection")
    }
    collector.answers(away, away)
    let tracer = try tracer()
    record(tracer, 1)
    #expect(tracer.exporter.step() == 5_000)
    record(tracer, 3_000)
    #expect(tracer.exporter.step() == 10_000)
    #expect(tracer.spans.counts == (0, 953))
    #expect(lines("otlp.full") == 1 && lines("otlp.full spans=2048") == 1)
    #expect(lines("otlp.unreachable") == 1)
    // It is back, and gets all that waited, in order.
    #expect(tracer.exporter.step() == 5_000)
    #expect(lines("otlp.reachable attempts=2 signal=traces") == 1)
    #expect(tracer.spans.counts == (2_048, 953))
    let ids = try batches().dropFirst(2).flatMap(\.self).compactMap { UInt64($0.spanId, radix: 16) }
    #expect(ids.count == 2_048 && ids == ids.sorted())
    var page = MetricsText()
    tracer.spans.write(to: &page)
    #expect(page.text.contains("segmance_spans_total{result=\"sent\"} 2048\n"))
    #expect(page.text.contains("segmance_spans_total{result=\"dropped\"} 953\n"))
    // The next outage is told again.
    collector.answers(away)
    record(tracer, 1)
    tracer.exporter.step()
    record(tracer, 2_048)
    #expect(lines("otlp.full") == 2)
  }

  @Test(arguments: [
    (429, true), (502, true), (503, true), (504, true), (301, false), (400, false), (404, false),
    (413, false), (500, false),
  ])
  func `what a collector refuses for good is not sent again`(status: Int, again: Bool) throws {
    collector.answers({ HTTPClient.Response(status: status) })
    let tracer = try tracer()
    record(tracer, 3)
    tracer.exporter.step()
    #expect(lines("otlp.unreachable error=\"status \(status)\" signal=traces") == 1)
    tracer.exporter.step()
    #expect(try batches().map(\.count) == (again ? [3, 3] : [3]))
    #expect(tracer.spans.counts == (again ? (3, 0) : (0, 3)))
  }

  @Test func `without spans nothing is sent`() throws {
    let tracer = try tracer()
    #expect(tracer.exporter.step() == 5_000)
    OTLPExporter.stop([tracer.exporter], within: 60_000)
    #expect(collector.requests.isEmpty)
  }

  @Test func `a stop sends all that waits, but not to a collector that is away`() throws {
    let tracer = try tracer()
    record(tracer, 600)
    OTLPExporter.stop([tracer.exporter], within: 60_000)
    #expect(try batches().map(\.count) == [512, 88])
    #expect(collector.requests.allSatisfy { $0.timeout == 60_000 })
    collector.answers({ HTTPClient.Response(status: 503) })
    let other = try self.tracer()
    record(other, 1)
    other.exporter.step()
    OTLPExporter.stop([other.exporter], within: 60_000)
    #expect(collector.requests.count == 3)
  }

  @Test func `several exporters end at the same time`() throws {
    let metrics = StubCollector()
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // Each answers only after the other one was asked.
    @Sendable func answer(
      after other: DispatchSemaphore, telling me: DispatchSemaphore
    ) -> @Sendable () -> HTTPClient.Response {
      {
        me.signal()
        let isAsked = other.comes()
        return HTTPClient.Response(status: isAsked ? 200 : 503)
      }
    }
    collector.answers(answer(after: second, telling: first))
    metrics.answers(answer(after: first, telling: second))
    let tracer = try tracer()
    record(tracer, 1)
    let figures = OTLPExporter(
      OTLPMetrics { [] }, options: try metrics.options(.metrics), log: studio.log.log,
      timers: studio.timers)
    OTLPExporter.stop([tracer.exporter, figures], within: 60_000)
    #expect(collector.requests.count == 1 && metrics.requests.count == 1)
    #expect(tracer.spans.counts.sent == 1)
  }

  @Test func `requests are answered and recorded while a collector does not answer`() throws {
    let (arrived, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    collector.answers({
      arrived.signal()
      released.wait()
      return HTTPClient.Response(status: 200)
    })
    let tracer = try tracer()
    let application = application(tracer)
    #expect(ask(application, .get, "/api/health") == 200)
    tracer.exporter.start(after: 0)
    arrived.wait()
    #expect(ask(application, .get, "/api/health") == 200)
    released.signal()
    OTLPExporter.stop([tracer.exporter], within: 60_000)
    #expect(try batches().map(\.count) == [1, 1])
  }

  @Test(arguments: [
    ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
    ("http://127.0.0.1:4318/v1/traces", "http://127.0.0.1:4318/v1/traces"),
    ("https://otlp.example/team/", "https://otlp.example/team/v1/traces"),
    ("collector:4318", nil), ("http://name:word@collector/v1/traces", nil),
    ("http://collector/v1/traces?key=1", nil),
  ])
  func `only the address of a collector is one`(text: String, address: String?) {
    #expect(OTLPOptions(.traces, collector: text)?.address == address)
  }
}
