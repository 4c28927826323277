// Spans as OpenTelemetry's protocol has them: ExportTraceServiceRequest. The attributes of requests are
// those of https://opentelemetry.io/docs/specs/semconv/http/http-spans/, as far as they hold no text of a
// client: the path is the pattern of the route; query, addresses and the browser's name are left out.

import HTTP
import Text

/// Writes spans for a collector.
enum OTLPTraces {
  /// SPAN_KIND_INTERNAL and SPAN_KIND_SERVER.
  private static let (internalKind, serverKind) = (1, 2)
  /// STATUS_CODE_ERROR. Without a status it is unset, which is right for all else.
  private static let error = "\"status\":{\"code\":2}"
  /// Trace flags with the bit for "sampled", and those that say whether the parent is remote.
  private static let (rootFlags, childFlags) = (0x101, 0x301)

  /// Writes a request to export `spans`.
  static func request(_ spans: [Span]) -> String {
    "{\"resourceSpans\":[{\(OTLPJSON.resource),\"scopeSpans\":[{\(OTLPJSON.scope),"
      + "\"spans\":\(OTLPJSON.list(spans.map(json)))}]}]}"
  }

  private static func json(_ span: Span) -> String {
    var fields = [
      "\"traceId\":\"\(span.trace.hexadecimal)\"", "\"spanId\":\"\(hexadecimal(span.id))\"",
    ]
    if let parent = span.parent { fields.append("\"parentSpanId\":\"\(hexadecimal(parent))\"") }
    fields += [
      "\"flags\":\(span.parent == nil ? rootFlags : childFlags)",
      "\"startTimeUnixNano\":\"\(span.start)\"", "\"endTimeUnixNano\":\"\(span.end)\"",
    ]
    switch span.work {
    case .request(let outcome, let scheme): fields += self.fields(outcome, scheme)
    case .job(let outcome): fields += self.fields(outcome)
    }
    return "{\(fields.joined(separator: ","))}"
  }

  private static func fields(_ outcome: RequestOutcome, _ scheme: String) -> [String] {
    let isKnown = outcome.method != "OTHER"
    var name = isKnown ? outcome.method : "HTTP"
    var attributes: [(name: String, value: OTLPJSON.Value)] = [
      ("http.request.method", .text(isKnown ? outcome.method : "_OTHER")),
      ("url.scheme", .text(scheme)),
      ("http.response.status_code", .integer(outcome.status)),
    ]
    if outcome.hasPattern {
      name += " \(outcome.route)"
      attributes += [("http.route", .text(outcome.route)), ("url.path", .text(outcome.route))]
    }
    let isFault = outcome.status >= 500
    if isFault { attributes.append(("error.type", .text(String(outcome.status)))) }
    return fields(name, serverKind, attributes, isFault)
  }

  private static func fields(_ outcome: JobOutcome) -> [String] {
    var attributes: [(name: String, value: OTLPJSON.Value)] = [
      ("segmance.job.kind", .text(outcome.kind)), ("segmance.job.id", .text(outcome.job)),
      ("segmance.job.attempt", .integer(outcome.attempt)),
      ("segmance.job.outcome", .text(outcome.result.rawValue)),
    ]
    let isFault = outcome.result == .failed || outcome.result == .putOff
    if isFault { attributes.append(("error.type", .text(outcome.error ?? "_OTHER"))) }
    return fields("job \(outcome.kind)", internalKind, attributes, isFault)
  }

  private static func fields(
    _ name: String, _ kind: Int, _ attributes: [(name: String, value: OTLPJSON.Value)],
    _ isFault: Bool
  ) -> [String] {
    ["\"name\":\(OTLPJSON.string(name))", "\"kind\":\(kind)", OTLPJSON.attributes(attributes)]
      + (isFault ? [error] : [])
  }

  private static func hexadecimal(_ id: UInt64) -> String { id.padded(to: 16, radix: 16) }
}
