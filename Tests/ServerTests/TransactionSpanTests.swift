// The transactions of requests and jobs, as spans of traces.

import FoundationEssentials
import HTTPTesting
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct TransactionSpanTests {
  private let studio: TestStudio
  private let collector = StubCollector()

  init() throws { studio = try TestStudio() }

  private func tracer(share: Double = 1) throws -> Tracer {
    Tracer(
      options: TraceOptions(collector: try collector.options(.traces), share: share),
      log: studio.log.log, timers: studio.timers)
  }

  private func sync(_ tracer: Tracer) -> Int {
    let application = Application(
      configuration: Configuration(port: 7700),
      router: SegmanceServer.router(studio.library, studio.runner, nil),
      observers: [RequestMetrics(), RequestTracer(tracer: tracer, scheme: "http")])
    let change = """
      {"id":"\(Identifier.make(milliseconds: 1))","type":"routine","fields":{"title":"Swan"},
      "record":"\(Identifier.make(milliseconds: 1))","at":"1700000000000-0000-0000beef"}
      """
    return application.respond(
      to: Request(
        .post, "/api/sync",
        headers: [
          "Host": "localhost:7700", "Sec-Fetch-Site": "same-origin",
          "Content-Type": "application/json",
        ], body: Array("{\"since\":0,\"changes\":[\(change)]}".utf8))
    ).status
  }

  @Test func `the transactions of a request are spans of it, without a word of what they do`()
    throws
  {
    let tracer = try tracer()
    #expect(sync(tracer) == 200)
    tracer.exporter.step()
    let request = try #require(try collector.spans(2).first)
    let transactions = try collector.spans(3)
    #expect(transactions.map(\.name).contains("write") && transactions.map(\.name).contains("read"))
    for span in transactions {
      #expect(span.traceId == request.traceId && span.parentSpanId == request.spanId)
      #expect(span.flags == 0x101 && span.status == nil)
      #expect(
        Set(span.values.keys) == ["db.system.name", "db.operation.name", "segmance.database.wait"])
      #expect(span.values["db.system.name"] == (TestDatabase.isServer ? "postgresql" : "sqlite"))
      #expect(span.values["db.operation.name"] == span.name)
      let start = try #require(UInt64(span.startTimeUnixNano))
      let end = try #require(UInt64(span.endTimeUnixNano))
      let wait = try #require(span.values["segmance.database.wait"])
      let waits = try #require(Double(wait))
      // The times of the span are whole nanoseconds of two clocks.
      #expect(waits >= 0 && waits * 1e9 <= Double(end - start) + 1_000)
      #expect(span.startTimeUnixNano >= request.startTimeUnixNano)
      #expect(span.endTimeUnixNano <= request.endTimeUnixNano)
    }
    #expect(Set(transactions.map(\.spanId)).count == transactions.count)
    let bodies = collector.requests.compactMap(\.body).map { String(decoding: $0, as: UTF8.self) }
    #expect(bodies.allSatisfy { !$0.contains("Swan") && !$0.contains("SELECT") })
  }

  @Test func `the transactions of a job are spans of its attempt`() throws {
    let tracer = try tracer()
    let runner = JobRunner(library: studio.library, observer: tracer)
    let words = studio.upload(Array("No song.".utf8))
    let job = try #require(try studio.library.tracks.add(fromUpload: words, title: nil).job)
    try runner.enqueue(id: job)
    runner.waitUntilIdle()
    tracer.exporter.step()
    let attempt = try #require(try collector.spans(1).first)
    let transactions = try collector.spans(3)
    // Its beginning, and its end.
    #expect(transactions.count { $0.name == "write" } >= 2)
    #expect(transactions.allSatisfy { $0.parentSpanId == attempt.spanId })
  }

  @Test func `of many transactions the first are spans, and the others are counted`() throws {
    let tracer = try tracer()
    let open = tracer.begin()
    for _ in 0..<(TransactionLog.most + 8) {
      _ = try open.during { try studio.library.records.latestSeq() }
    }
    tracer.end(
      open,
      .request(
        RequestOutcome(method: "GET", route: "/api/x", status: 200, seconds: 1), scheme: "http"),
      seconds: 1)
    tracer.exporter.step()
    #expect(try collector.spans(3).count == TransactionLog.most)
    #expect(try collector.spans(2).first?.values["segmance.database.unlisted"] == "8")
  }

  @Test func `a transaction that fails says why`() throws {
    let tracer = try tracer()
    let open = tracer.begin()
    #expect(throws: DatabaseError.self) {
      try open.during {
        try studio.library.database.write { _ throws(DatabaseError) in
          throw DatabaseError(.busy, "secret")
        }
      }
    }
    tracer.end(
      open,
      .request(
        RequestOutcome(method: "GET", route: "/api/x", status: 503, seconds: 1), scheme: "http"),
      seconds: 1)
    tracer.exporter.step()
    let span = try #require(try collector.spans(3).first)
    #expect(span.values["error.type"] == "DatabaseError.busy" && span.status?.code == 2)
    #expect(!String(decoding: collector.requests[0].body ?? [], as: UTF8.self).contains("secret"))
  }

  @Test func `where nothing is recorded no transaction is noted`() throws {
    let tracer = try tracer(share: 0)
    let open = tracer.begin()
    open.during { #expect(TransactionLog.ofThisWork == nil) }
    #expect(sync(tracer) == 200)
    tracer.exporter.step()
    #expect(collector.requests.isEmpty)
  }
}
