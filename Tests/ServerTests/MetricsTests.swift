// Prometheus metrics, checked with a strict parser.

import FoundationEssentials
import TestSupport
import Testing

@testable import HTTP
@testable import Server

/// Parses Prometheus' text format, version 0.0.4, as strictly as its specification allows.
private struct MetricsReader {
  struct Trouble: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  struct Sample: Equatable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private(set) var kinds: [String: String] = [:]
  private(set) var samples: [Sample] = []

  /// The value of the only sample with a name and at least these labels.
  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    let found = samples.filter { sample in
      sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }
    return found.count == 1 ? found[0].value : nil
  }

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Trouble("the last line does not end") }
    var family = ""
    var hasHelp = false
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# HELP ") {
        family = String(line.dropFirst(7).prefix { $0 != " " })
        guard Self.isName(family), kinds[family] == nil, !hasHelp else { throw Trouble("\(line)") }
        guard line.count > 7 + family.count + 5 else { throw Trouble("no help: \(line)") }
        hasHelp = true
      } else if line.hasPrefix("# TYPE ") {
        let words = line.dropFirst(7).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == family, hasHelp,
          ["counter", "gauge", "histogram"].contains(words[1])
        else { throw Trouble("\(line)") }
        kinds[family] = String(words[1])
        hasHelp = false
      } else {
        let sample = try Self.sample(line)
        guard let kind = kinds[family], !hasHelp else { throw Trouble("no family: \(line)") }
        let endings = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard endings.contains(where: { family + $0 == sample.name }) else {
          throw Trouble("in the family \(family): \(line)")
        }
        guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
        else { throw Trouble("twice: \(line)") }
        guard (kind == "counter") == family.hasSuffix("_total") else { throw Trouble("\(line)") }
        guard kind == "gauge" || sample.value >= 0 else { throw Trouble("below zero: \(line)") }
        samples.append(sample)
      }
    }
    try checkHistograms()
  }

  private func checkHistograms() throws {
    for (family, _) in kinds where kinds[family] == "histogram" {
      let counts = samples.filter { $0.name == family + "_count" }
      for count in counts {
        var (below, last) = (-Double.infinity, -1.0)
        for bucket in samples where bucket.name == family + "_bucket" {
          var labels = bucket.labels
          guard let text = labels.removeValue(forKey: "le"), labels == count.labels else {
            continue
          }
          guard let bound = Self.number(text), bound > below, bucket.value >= last else {
            throw Trouble("buckets of \(family) \(labels)")
          }
          (below, last) = (bound, bucket.value)
        }
        guard below == .infinity, last == count.value, value(family + "_sum", count.labels) != nil
        else { throw Trouble("\(family) \(count.labels) does not add up") }
      }
      guard samples.contains(where: { $0.name == family + "_bucket" }) == !counts.isEmpty else {
        throw Trouble("buckets without a count")
      }
    }
  }

  private static func sample(_ line: Substring) throws -> Sample {
    var rest = line
    let name = String(rest.prefix { $0 != "{" && $0 != " " })
    guard isName(name) else { throw Trouble("name: \(line)") }
    rest.removeFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest.removeFirst()
      while true {
        let label = String(rest.prefix { $0 != "=" })
        guard isName(label), !label.contains(":"), labels[label] == nil else {
          throw Trouble("label: \(line)")
        }
        rest.removeFirst(label.count)
        guard rest.hasPrefix("=\"") else { throw Trouble("value: \(line)") }
        rest.removeFirst(2)
        labels[label] = try quoted(&rest, line)
        if rest.first == "," { rest.removeFirst() } else { break }
      }
      guard rest.first == "}" else { throw Trouble("end of labels: \(line)") }
      rest.removeFirst()
    }
    guard rest.first == " ", let value = number(String(rest.dropFirst())) else {
      throw Trouble("number: \(line)")
    }
    return Sample(name: name, labels: labels, value: value)
  }

  private static func quoted(_ rest: inout Substring, _ line: Substring) throws -> String {
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        guard let next = rest.popFirst(), let plain = ["\\": "\\", "\"": "\"", "n": "\n"][next]
        else { throw Trouble("escape: \(line)") }
        text += plain
      default: text.append(character)
      }
    }
    throw Trouble("quotes: \(line)")
  }

  private static func number(_ text: String) -> Double? {
    if text == "+Inf" { return .infinity }
    guard let first = text.first, first.isNumber || first == "-" else { return nil }
    return Double(text)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !(text.first?.isNumber ?? true)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
  }
}

@Suite struct MetricsTests {
  private let studio: TestStudio
  private let application: Application

  init() throws {
    studio = try TestStudio()
    let metrics = RequestMetrics()
    metrics.addListener { 3 }
    application = Application(
      configuration: Configuration(port: 7700),
      router: SegmanceServer.router(studio.library, studio.runner, nil, nil, metrics),
      observers: [metrics])
  }

  private func ask(_ method: HTTP.Method, _ target: String, host: String = "localhost:7700")
    -> Response
  {
    application.respond(
      to: Request(method, target, headers: ["Host": host, "Sec-Fetch-Site": "same-origin"]))
  }

  private func page() throws -> MetricsReader {
    let answer = ask(.get, "/metrics")
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    guard case .bytes(let bytes) = answer.body else { throw MetricsReader.Trouble("no body") }
    return try MetricsReader(String(decoding: bytes, as: UTF8.self))
  }

  @Test func `responses are counted by method, route and status and timed by route`() throws {
    for _ in 0..<3 { _ = ask(.get, "/api/health") }
    _ = ask(.get, "/api/jobs/secret-1")
    _ = ask(.get, "/api/jobs/secret-2")
    _ = ask(.put, "/api/jobs/secret-3")
    _ = ask(.get, "/secret/4?secret")
    _ = ask(.get, "/api/health", host: "secret.example")
    let page = try page()
    let requests = "segmance_http_requests_total"
    #expect(
      page.value(requests, ["method": "GET", "route": "/api/health", "status": "200"]) == 3)
    #expect(
      page.value(requests, ["method": "GET", "route": "/api/jobs/{id}", "status": "404"]) == 2)
    #expect(page.value(requests, ["method": "PUT", "route": "none", "status": "405"]) == 1)
    #expect(page.value(requests, ["method": "GET", "route": "none", "status": "404"]) == 1)
    #expect(page.value(requests, ["method": "GET", "route": "none", "status": "421"]) == 1)
    let duration = "segmance_http_request_duration_seconds"
    #expect(page.value(duration + "_count", ["route": "/api/health"]) == 3)
    #expect(page.value(duration + "_bucket", ["route": "/api/health", "le": "+Inf"]) == 3)
    let seconds = try #require(page.value(duration + "_sum", ["route": "/api/health"]))
    #expect(seconds > 0 && seconds < 60)
    // No label contains data from a client.
    let labels = page.samples.flatMap { Array($0.labels.values) }
    #expect(!labels.contains { $0.contains("secret") })
    #expect(page.value("segmance_http_connections") == 3)
  }

  @Test func `jobs, bytes and the process have metrics`() throws {
    let before = try page()
    #expect(before.value("segmance_stored_bytes", ["kind": "originals"]) == 0)
    let song = WAV.impulses([1], frames: 100_000)
    _ = try studio.importTrack(song)
    let part = studio.upload([1, 2, 3])
    let after = try page()
    #expect(after.value("segmance_jobs_ended_total", ["kind": "import", "state": "done"]) == 1)
    #expect(after.value("segmance_jobs", ["kind": "import", "state": "running"]) == 0)
    #expect(
      after.value("segmance_stored_bytes", ["kind": "originals"]) == Double(song.count))
    let track = try #require(try studio.library.records.records(.track).first)
    let folder = studio.library.folder.derived(track.id)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let derived = try files.reduce(0) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + $1)
      return $0 + (attributes[.size] as? Int ?? 0)
    }
    #expect(files.count > 1)
    #expect(after.value("segmance_stored_bytes", ["kind": "derived"]) == Double(derived))
    #expect(after.value("segmance_stored_bytes", ["kind": "uploads"]) == 3 && !part.isEmpty)
    #expect(after.value("segmance_uploads") == 1)
    #expect((after.value("segmance_stored_bytes", ["kind": "database"]) ?? 0) > 1_000)
    // SQLite's, in this process.
    let isHere = (after.value("segmance_database_memory_bytes") ?? 0) > 10_000
    #expect(isHere != TestDatabase.isServer)
    #expect((after.value("segmance_disk_free_bytes") ?? 0) > 1_000_000)
    #expect(after.value("segmance_health_problems") == 0)
    #expect((after.value("process_resident_memory_bytes") ?? 0) > 5_000_000)
    #expect((after.value("process_open_fds") ?? 0) > 3)
    #expect((after.value("process_cpu_seconds_total") ?? 0) > 0)
    let started = try #require(after.value("process_start_time_seconds"))
    let now = Date().timeIntervalSince1970
    #expect(started > now - 86_400 && started < now + 2)
    #expect(after.value("segmance_build_info", ["version": SegmanceServer.version]) == 1)
  }

  @Test func `without the option there are no metrics`() throws {
    #expect(studio.send(.get, "/metrics").status == 404)
    let routes = SegmanceServer.router(studio.library, studio.runner, nil).routes
    #expect(!routes.contains { $0.pattern == "/metrics" })
  }

  @Test func `special values are escaped in labels`() throws {
    var page = MetricsText()
    page.family("a_total", .counter, "Help.")
    for value in ["", "\"", "\\", "\n", "a\"} 1", "é🦢"] { page.sample("a_total", ["x": value], 1) }
    page.single("b", .gauge, "Help.", -0.25)
    let read = try MetricsReader(page.text)
    #expect(read.samples.map { $0.labels["x"] } == ["", "\"", "\\", "\n", "a\"} 1", "é🦢", nil])
    #expect(read.value("b") == -0.25)
  }

  @Test(arguments: [
    "a 1", "# TYPE a gauge\na 1\n", "# HELP a Words.\n# TYPE a gauge\na 1\na 1\n",
    "# HELP a Words.\n# TYPE a counter\na 1\n", "# HELP a Words.\n# TYPE a gauge\nb 1\n",
    "# HELP a Words.\n# TYPE a gauge\na{x=1} 1\n", "# HELP a Words.\n# TYPE a gauge\na one\n",
    "# HELP a Words.\n# TYPE a gauge\na{x=\"\\t\"} 1\n",
    "# HELP a Words.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 3\n",
    "# HELP a Words.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_sum 1\na_count 2\n",
  ])
  func `the parser refuses other pages`(text: String) {
    #expect(throws: MetricsReader.Trouble.self) { try MetricsReader(text) }
  }
}
