// What several test files need: reproducible chance, a folder of its own, an application to ask.

import FoundationEssentials
import Glibc
import Synchronization

@testable import HTTP

/// A small generator with a seed, so that a failure can be repeated (SplitMix64, Steele 2014).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// A folder that is removed when nobody needs it any more.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/segmance-http-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    let parent = file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex)
    try FileManager.default.createDirectory(
      atPath: String(parent), withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: file, contents: Data(bytes)) else {
      throw ServerError(message: "could not write \(file)", code: errno)
    }
    return file
  }
}

/// Collects log lines.
final class Log: Sendable {
  private let collected = Mutex<[String]>([])
  var lines: [String] { collected.withLock { $0 } }
  var write: @Sendable (String) -> Void { { line in self.collected.withLock { $0.append(line) } } }
}

/// Collects what a sink was given, and how it ended.
final class RecordingSink: BodySink {
  enum Ending: Equatable { case finished, aborted }

  /// What all sinks of a route were given; shared with the test.
  final class Record: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let pieces = Mutex<[Int]>([])
    let endings = Mutex<[Ending]>([])
    let failsAfter: Int
    let onEnd: @Sendable () -> Void

    /// Compares what came with what was sent; a comparison in the test would print all of both.
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
  /// Makes a request as a page of the server at localhost:7700 would.
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
      log: log.write)
  }
}

extension Response {
  /// The body's bytes, where it has them.
  var content: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }

  /// The body as text.
  var text: String { String(decoding: content, as: UTF8.self) }

  /// The body as JSON.
  var json: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(content)) }
}
