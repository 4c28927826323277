// What a collector of OpenTelemetry is sent of traces, for tests.

import FoundationEssentials

/// ExportTraceServiceRequest, as far as it is sent; the types are those of protobuf's JSON.
struct TraceExport: Decodable {
  struct Resources: Decodable {
    let resource: Resource
    let scopeSpans: [Scope]
  }
  struct Resource: Decodable { let attributes: [Attribute] }
  struct Scope: Decodable { let spans: [Span] }
  struct Attribute: Decodable {
    struct Value: Decodable {
      let stringValue: String?
      let intValue: String?
      let doubleValue: Double?
    }
    let key: String
    let value: Value
  }
  struct Status: Decodable { let code: Int }
  struct Span: Decodable {
    let traceId: String
    let spanId: String
    let parentSpanId: String?
    let flags: Int
    let name: String
    let kind: Int
    let startTimeUnixNano: String
    let endTimeUnixNano: String
    let attributes: [Attribute]
    let status: Status?
    var values: [String: String] {
      Dictionary(
        uniqueKeysWithValues: attributes.map {
          ($0.key, $0.value.stringValue ?? $0.value.intValue ?? "\($0.value.doubleValue ?? -1)")
        })
    }
  }
  let resourceSpans: [Resources]

  init(_ text: some Collection<UInt8>) throws {
    self = try JSONDecoder().decode(TraceExport.self, from: Data(text))
  }

  var spans: [Span] { resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans) }
}

extension StubCollector {
  /// The spans of each request that was sent.
  func batches() throws -> [[TraceExport.Span]] {
    try requests.map { try TraceExport($0.body ?? []).spans }
  }

  /// The spans of requests, jobs and transactions, as their kinds are numbered.
  func spans(_ kind: Int) throws -> [TraceExport.Span] {
    try batches().flatMap(\.self).filter { $0.kind == kind }
  }
}
