// Turns an uploaded sound file into the recording of a name.

import Speech
import Storage

/// Decodes recorded names.
public struct NameImporter: Sendable {
  /// The longest sound that is taken.
  public static let longestSeconds = 10
  /// Encoders pad their last packet, and recorders stop late.
  private static let slackFrames = Recording.framesPerSecond / 2

  private let tools: MediaTools
  private let folder: DataDirectory

  public init(tools: MediaTools, folder: DataDirectory) {
    self.tools = tools
    self.folder = folder
  }

  /// Creates the folder `derivedDirectory` (`DataDirectory.derived(id)`) for the file at `path`, with its
  /// voice file, and returns the length in frames at 48,000 Hz. The folder appears atomically and replaces
  /// an existing one.
  /// - Parameter publishing: called with the closure that renames the folder, at the end.
  /// - Throws: a `MediaError` whose message is for the user; no files are left then.
  public func makeVoice(
    blob path: String, into derivedDirectory: String, isCancelled: () -> Bool = { false },
    publishing: (_ publish: () throws -> Void) throws -> Void = { try $0() }
  ) throws -> Int {
    let recording = try recording(of: path, isCancelled: isCancelled)
    try folder.requireSpace(for: 2 * recording.samples.count)
    let scratch = folder.temporaryPath("voice")
    try Files.withTemporaryFolder(scratch) {
      let ready = scratch + "/ready"
      try Files.makeFolder(ready)
      try Files.writeNew(ready + "/" + DataDirectory.voiceName, voiceFile(of: [recording]))
      try Files.syncFolder(ready)
      try publishing {
        if Files.exists(derivedDirectory) {
          try Files.move(derivedDirectory, to: scratch + "/old")
        }
        try Files.move(ready, to: derivedDirectory)
        try Files.syncFolder(folder.derived)
      }
    }
    return recording.samples.count * 48_000 / Recording.framesPerSecond
  }

  private func recording(of path: String, isCancelled: () -> Bool) throws -> Recording {
    let size = try Files.size(of: path)
    guard size > 0 else { throw ImportRefusal.empty }
    let mostFrames = Self.longestSeconds * Recording.framesPerSecond + Self.slackFrames
    let decoder = try tools.startDecoder(
      path, .voice, limits: MediaTools.decodingLimits(bytes: size),
      seconds: Self.longestSeconds + 2)
    guard let bytes = try decoder.readAll(limit: 2 * mostFrames, isCancelled: isCancelled) else {
      decoder.kill()
      throw MediaError(
        .tooLong,
        "A name may take \(Self.longestSeconds) seconds at most. Record it again, shorter.")
    }
    guard try decoder.finish(isCancelled: isCancelled).isSuccess else {
      throw ImportRefusal.reason(of: decoder)
    }
    let sound = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      Double(Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)) / 32_768
    }
    guard !sound.isEmpty else { throw ImportRefusal.empty }
    do {
      return try Recording(heard: sound)
    } catch {
      let message =
        switch error {
        case .silence: "Nothing was heard. Record it again, louder or closer to the microphone."
        case .noise: "Only noise was heard. Record it again where it is quieter."
        }
      throw MediaError(.empty, message)
    }
  }
}
