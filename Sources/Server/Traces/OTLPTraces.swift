// Spans as OpenTelemetry's protocol has them: ExportTraceServiceRequest. The attributes of requests are
// those of https://opentelemetry.io/docs/specs/semconv/http/http-spans/, as far as they hold no text of a
// client: the path is the pattern of the route; query, addresses and the browser's name are left out. Those of
// transactions are of https://opentelemetry.io/docs/specs/semconv/db/database-spans/, without SQL.

import Database
import HTTP
import Text

/// Writes spans for a collector.
enum OTLPTraces {
  /// SPAN_KIND_INTERNAL, SPAN_KIND_SERVER and SPAN_KIND_CLIENT.
  private static let (internalKind, serverKind, clientKind) = (1, 2, 3)
  /// STATUS_CODE_ERROR. Without a status it is unset, which is right for all else.
  private static let error = "\"status\":{\"code\":2}"
  /// Trace flags with the bit for "sampled", and those that say whether the parent is remote.
  private static let (localFlags, remoteFlags) = (0x101, 0x301)

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
    var flags = span.parent == nil ? localFlags : remoteFlags
    if case .transaction = span.work { flags = localFlags }
    fields += [
      "\"flags\":\(flags)",
      "\"startTimeUnixNano\":\"\(span.start)\"", "\"endTimeUnixNano\":\"\(span.end)\"",
    ]
    switch span.work {
    case .request(let outcome, let scheme):
      fields += self.fields(outcome, scheme, unlisted(span))
    case .job(let outcome): fields += self.fields(outcome, unlisted(span))
    case .transaction(let entry): fields += self.fields(entry)
    }
    return "{\(fields.joined(separator: ","))}"
  }

  private typealias Attributes = [(name: String, value: OTLPJSON.Value)]

  private static func unlisted(_ span: Span) -> Attributes {
    span.unlisted == 0 ? [] : [("segmance.database.unlisted", .integer(span.unlisted))]
  }

  private static func fields(
    _ outcome: RequestOutcome, _ scheme: String, _ unlisted: Attributes
  ) -> [String] {
    let isKnown = outcome.method != "OTHER"
    var name = isKnown ? outcome.method : "HTTP"
    var attributes: Attributes = [
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
    return fields(name, serverKind, attributes + unlisted, isFault)
  }

  private static func fields(_ outcome: JobOutcome, _ unlisted: Attributes) -> [String] {
    var attributes: Attributes = [
      ("segmance.job.kind", .text(outcome.kind)), ("segmance.job.id", .text(outcome.job)),
      ("segmance.job.attempt", .integer(outcome.attempt)),
      ("segmance.job.outcome", .text(outcome.result.rawValue)),
    ]
    let isFault = outcome.result == .failed || outcome.result == .putOff
    if isFault { attributes.append(("error.type", .text(outcome.error ?? "_OTHER"))) }
    return fields("job \(outcome.kind)", internalKind, attributes + unlisted, isFault)
  }

  private static func fields(_ transaction: TransactionLog.Entry) -> [String] {
    let operation = transaction.isWrite ? "write" : "read"
    let wait = (transaction.begun ?? transaction.ended) - transaction.asked
    var attributes: Attributes = [
      ("db.system.name", .text(transaction.system)), ("db.operation.name", .text(operation)),
      ("segmance.database.wait", .number(wait / .seconds(1))),
    ]
    if let problem = transaction.problem {
      attributes.append(("error.type", .text("DatabaseError.\(problem)")))
    }
    return fields(operation, clientKind, attributes, transaction.problem != nil)
  }

  private static func fields(
    _ name: String, _ kind: Int, _ attributes: Attributes, _ isFault: Bool
  ) -> [String] {
    ["\"name\":\(OTLPJSON.string(name))", "\"kind\":\(kind)", OTLPJSON.attributes(attributes)]
      + (isFault ? [error] : [])
  }

  private static func hexadecimal(_ id: UInt64) -> String { id.padded(to: 16, radix: 16) }
}
