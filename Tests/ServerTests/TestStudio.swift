// A library with its routes in a temporary folder, used without a socket.

import FoundationEssentials
import HTTP
import HTTPTesting
import Logging
import Media
import Model
import Storage
import Synchronization
import TestSupport

@testable import Server

/// The application under test: real SQLite, files and ffmpeg, without a network.
final class TestStudio: Sendable {
  let folder: TemporaryFolder
  let library: Library
  let runner: JobRunner
  let log = Lines()
  /// The timers of the library and its jobs. Nothing happens by itself until a test turns them.
  let timers: TestClock
  private let application: Application
  private let openRequests = Mutex(0)

  /// The logged lines.
  final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    /// The lines of level error.
    var faults: [String] { all.filter { $0.contains(" error ") } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var log: Logger { Logger { event in self.add(LogFormat.text.line(event, at: Date())) } }
  }

  /// Opens a studio; with an earlier studio's folder, reopens that library.
  init(
    in folder: TemporaryFolder? = nil, backupPlan: BackupPlan? = nil,
    limits: LibraryLimits = LibraryLimits(), tools: MediaTools? = nil,
    openID: OpenIDOptions? = nil, isShared: Bool = false, versions: DerivedVersions = .current,
    now: @escaping @Sendable () -> Int = Library.now, timers: TestClock = TestClock()
  ) throws {
    let isNew = folder == nil
    let folder = try folder ?? TemporaryFolder()
    // A library that a test has laid down stays as it is.
    if isNew { try TestDatabase.prepare(folder) }
    self.folder = folder
    self.timers = timers
    let log = log
    library = try Library(
      root: folder.path, tools: try tools ?? MediaTools.locate(sandbox: .required),
      backupPlan: backupPlan,
      limits: limits, openID: openID, isShared: isShared, log: log.log, versions: versions,
      now: now, timers: timers)
    runner = JobRunner(library: library, onReplaced: { log.add("replaced") })
    application = Application(
      configuration: Configuration(port: 7700),
      router: SegmanceServer.router(library, runner, nil), log: log.log)
  }

  /// A response with its body.
  struct Answer {
    let status: Int
    let headers: Headers
    let body: [UInt8]

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try JSONDecoder().decode(type, from: Data(body))
    }

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Sends a request as a browser of the same origin would.
  func send(
    _ method: HTTP.Method, _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
  ) -> Answer {
    connectRunner()
    defer { disconnectRunner() }
    let response = application.respond(
      to: Request(
        method, target,
        headers: Headers(
          [("Host", "localhost:7700"), ("Sec-Fetch-Site", "same-origin")] + headers),
        body: body))
    var bytes = response.content
    if case .stream(let stream, _) = response.body { bytes = stream.takeAll() ?? [] }
    return Answer(status: response.status, headers: response.headers, body: bytes)
  }

  /// Connects the runner to jobs from requests. A job that a test adds to the library itself waits
  /// until the test enqueues it.
  private func connectRunner() {
    openRequests.withLock { count in
      count += 1
      library.jobQueue.connect(runner)
    }
  }

  private func disconnectRunner() {
    openRequests.withLock { count in
      count -= 1
      if count == 0 { library.jobQueue.connect(nil) }
    }
  }

  /// Sends JSON text.
  func post(_ target: String, _ json: String) -> Answer {
    send(
      .post, target, headers: [("Content-Type", "application/json")], body: Array(json.utf8))
  }

  /// Uploads bytes in one go and returns the upload's id.
  func upload(_ bytes: [UInt8], name: String = "song.wav") -> String {
    let metadata = "filename " + Data(name.utf8).base64EncodedString()
    let created = send(
      .post, "/api/uploads",
      headers: [
        ("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(bytes.count)"),
        ("Upload-Metadata", metadata),
      ])
    let location = created.headers["Location"] ?? ""
    if !bytes.isEmpty { _ = patch(location, bytes, offset: 0) }
    return location.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Appends bytes to an upload.
  func patch(
    _ location: String, _ bytes: [UInt8], offset: Int, headers: [(String, String)] = []
  ) -> Answer {
    send(
      .patch, location,
      headers: [
        ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "\(offset)"),
        ("Content-Type", "application/offset+octet-stream"),
      ] + headers, body: bytes)
  }

  /// The response of `POST /api/tracks`.
  struct AddedTrack: Decodable, Equatable {
    var id: String
    var job: String?
  }

  /// Uploads bytes, makes a track from them and waits for its import.
  func importTrack(_ bytes: [UInt8], name: String = "song.wav") throws -> AddedTrack {
    let answer = post("/api/tracks", "{\"upload\":\"\(upload(bytes, name: name))\"}")
    let added = try answer.json(AddedTrack.self)
    runner.waitUntilIdle()
    return added
  }
}

extension JobRunner {
  /// Enqueues the job `id`, unless it has ended.
  func enqueue(id: String) throws {
    if let job = try library.jobs.job(id), !job.state.isFinal { enqueue(job) }
  }
}

/// Makes WAV files, 16 bit, 48 kHz, stereo.
enum WAV {
  /// `frames` frames of silence with one loud sample, in both channels, at each frame of `impulses`.
  static func impulses(_ impulses: [Int], frames: Int) -> [UInt8] {
    var samples = [Int16](repeating: 0, count: frames * 2)
    for frame in impulses {
      samples[frame * 2] = 24_000
      samples[frame * 2 + 1] = 24_000
    }
    return file(samples)
  }

  /// A WAV file of interleaved stereo samples.
  static func file(_ samples: [Int16]) -> [UInt8] {
    let size = UInt32(samples.count * 2)
    var bytes: [UInt8] = []
    func append(_ text: String) { bytes += Array(text.utf8) }
    func append32(_ value: UInt32) {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    append("RIFF")
    append32(36 + size)
    append("WAVEfmt ")
    append32(16)
    append32(2 << 16 | 1)
    append32(48_000)
    append32(48_000 * 4)
    append32(16 << 16 | 4)
    append("data")
    append32(size)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return bytes
  }

  /// The interleaved samples of a file made here or by the server.
  static func samples(_ file: [UInt8]) -> [Int16] {
    let data = (12..<max(12, file.count - 8)).first { index in
      Array(file[index..<index + 4]) == Array("data".utf8)
    }
    guard let data else { return [] }
    return stride(from: data + 8, to: file.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8)
    }
  }
}
