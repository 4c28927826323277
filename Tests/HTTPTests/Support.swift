// Shared test helpers: log lines, sinks, and an application.

import FoundationEssentials
import Glibc
import Logging
import Synchronization

@testable import HTTP

/// Collects logged events.
final class Log: Sendable {
  private let collected = Mutex<[LogRecord]>([])
  var events: [LogRecord] { collected.withLock { $0 } }
  var lines: [String] { events.map { LogFormat.text.line($0, at: Date()) } }
  var log: Logger { Logger { event in self.collected.withLock { $0.append(event) } } }
}

/// Collects the bytes given to a sink, and how it ended.
final class RecordingSink: BodySink {
  enum Ending: Equatable { case finished, aborted }

  /// The bytes given to all sinks of a route; shared with the test.
  final class Record: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let pieces = Mutex<[Int]>([])
    let endings = Mutex<[Ending]>([])
    let failsAfter: Int
    let onEnd: @Sendable () -> Void

    /// Compares received and sent bytes. A comparison in the test would print all of both.
    func holds(_ expected: some Sequence<UInt8>) -> Bool {
      bytes.withLock { $0.elementsEqual(expected) }
    }

    init(failsAfter: Int = .max, onEnd: @escaping @Sendable () -> Void = {}) {
      self.failsAfter = failsAfter
      self.onEnd = onEnd
    }
  }

  private let record: Record
  init(_ record: Record) { self.record = record }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let total = record.bytes.withLock { collected in
      collected += bytes
      return collected.count
    }
    record.pieces.withLock { $0.append(bytes.count) }
    if total > record.failsAfter { throw HTTPError.insufficientStorage("The disk is full.") }
  }

  func finish() throws -> Response {
    record.endings.withLock { $0.append(.finished) }
    record.onEnd()
    return .empty(headers: ["Upload-Offset": "\(record.bytes.withLock { $0.count })"])
  }

  func abort() {
    record.endings.withLock { $0.append(.aborted) }
    record.onEnd()
  }
}

extension Request {
  /// Makes a request like a page of the server at localhost:7700.
  static func local(
    _ method: HTTP.Method, _ target: String, _ headers: Headers = [:], body: [UInt8] = []
  ) -> Request {
    var all = headers
    if all["Host"] == nil { all["Host"] = "localhost:7700" }
    if all["Sec-Fetch-Site"] == nil, method.isWrite { all["Sec-Fetch-Site"] = "same-origin" }
    return Request(method, target, headers: all, body: body)
  }
}

extension Application {
  /// Makes an application at localhost:7700.
  init(_ routes: [Route], fallback: Route.Handler? = nil, log: Log = Log()) {
    self.init(
      configuration: Configuration(), router: Router(routes: routes, fallback: fallback),
      log: log.log)
  }
}
