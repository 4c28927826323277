// Shared helpers of this module's tests: a data folder for each test, and sound files.

import Analysis
import Storage
import Synchronization
import Testing

@testable import Media

#if canImport(Glibc)
  import Glibc
#endif

/// A prepared data folder that is removed with the object.
final class Workshop: Sendable {
  let folder: DataDirectory
  let tools: MediaTools

  init(sandbox: MediaTools.Sandbox = .required) throws {
    folder = DataDirectory(root: "/tmp/segmance-test-" + Files.randomName())
    try folder.prepare()
    tools = try MediaTools.locate(sandbox: sandbox)
  }

  deinit {
    do { try Files.removeTree(folder.root) } catch { Issue.record(error) }
  }

  var importer: TrackImporter { TrackImporter(tools: tools, folder: folder) }
  var renderer: ClipRenderer { ClipRenderer(tools: tools, folder: folder) }

  /// Imports a fixture as the track "song".
  func importSong(_ name: String) throws -> ImportedTrack {
    try importer.importTrack(blob: try Fixtures.path(name), into: folder.derived("song"))
  }

  func song(lengthFrames: Int) -> PracticeAudio {
    PracticeAudio(
      derivedDirectory: folder.derived("song"), lengthFrames: lengthFrames, tools: tools,
      folder: folder)
  }

  /// The files under `tmp` and `derived`: none after a rejection.
  func leftovers() throws -> [String] {
    try Files.names(in: folder.tmp) + Files.names(in: folder.derived)
  }

  /// Writes a file of these bytes under `tmp` and returns its path.
  func file(_ bytes: [UInt8]) throws -> String {
    let path = folder.temporaryPath("test")
    try Files.writeNew(path, bytes)
    return path
  }
}

/// The files that `Tests/Fixtures/make-fixtures.sh` makes, once per version of the script.
enum Fixtures {
  static func path(_ name: String) throws -> String {
    let path = try folder.get() + "/" + name
    try #require(Files.exists(path), "no fixture \(name)")
    return path
  }

  private static let folder = Result {
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    let script = here.dropLast(2).joined(separator: "/") + "/Fixtures/make-fixtures.sh"
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(script, O_RDONLY))
    let folder = "/tmp/segmance-fixtures-\(getuid())-" + hasher.digest().prefix(12)
    let process = try ChildProcess(Command(arguments: ["/bin/sh", script, folder]))
    let ending = try process.finish(isCancelled: { false })
    guard ending.isSuccess else {
      throw MediaError(.toolFailed, "The fixtures could not be made.", cause: process.messageTail)
    }
    return folder
  }
}

/// Runs a plain ffmpeg without the product's sandbox, as an independent reference.
func ffmpeg(_ arguments: String...) throws -> (output: [UInt8], messages: String) {
  var command = Command(arguments: ["/usr/bin/ffmpeg", "-nostdin", "-hide_banner"] + arguments)
  command.hasOutput = true
  let process = try ChildProcess(command)
  let output = try process.readText(limit: 1 << 28, isCancelled: { false })
  let ending = try process.finish(isCancelled: { false })
  try #require(ending.isSuccess, "\(process.messageTail)")
  return (output, process.messageTail)
}

/// Decodes a file to samples on the timeline with a plain ffmpeg.
func witness(_ path: String) throws -> [Int16] {
  samples(
    try ffmpeg("-v", "error", "-i", path, "-ar", "48000", "-ac", "2", "-f", "s16le", "-").output)
}

func samples(_ bytes: [UInt8]) -> [Int16] {
  stride(from: 0, to: bytes.count - 1, by: 2).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

/// Runs `body` and returns the code of the `MediaError` that it throws.
func code(of body: () throws -> Void) -> MediaError.Code? {
  (thrown(by: body) as? MediaError)?.code
}

/// Runs `body` and returns the code of the `StorageError` that it throws.
func storageCode(of body: () throws -> Void) -> StorageError.Code? {
  (thrown(by: body) as? StorageError)?.code
}

private func thrown(by body: () throws -> Void) -> (any Error)? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}
