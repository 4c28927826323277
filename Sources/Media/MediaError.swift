// The one error type of this module: a code for programs, a sentence for the performer, a cause for
// the log. What the disk refuses is a `StorageError`.

import Storage

/// Says what is wrong with a sound or a video, or with the programs that read it, in words that a
/// performer understands and can act on.
public struct MediaError: Error, Sendable {
  /// What kind of trouble it is.
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes are no audio that Segmance reads.
    case notAudio
    /// The container is readable but holds no sound.
    case noAudioStream
    /// The bytes are no video that Segmance reads.
    case notVideo
    /// The file holds sound, but no pictures.
    case noPicture
    /// The file holds one picture that does not move.
    case stillPicture
    /// The pictures are larger than anything that is converted.
    case pictureTooLarge
    /// The end of the file is missing.
    case truncated
    /// The file has no bytes, or no samples.
    case empty
    /// The audio is longer than `TrackImporter.longestFrames`, the video than
    /// `VideoConverter.longestSeconds`.
    case tooLong
    /// A stretch of a track that doesn't exist, or a format that can't hold it.
    case invalidRange
    /// Somebody cancelled the work.
    case cancelled
    /// The work took longer than its limit.
    case timedOut
    /// A program that Segmance needs is missing.
    case toolMissing
    /// The sandbox for media programs does not work on this machine.
    case sandboxUnavailable
    /// A media program failed for a reason that is not the file's fault.
    case toolFailed
  }

  public let code: Code
  /// A sentence for the performer: what happened and what to do.
  public let message: String
  /// What the log needs: the tail of a program's messages. Never for clients.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension MediaError: CustomStringConvertible {
  public var description: String {
    cause.map { "\(code.rawValue): \(message) [\($0)]" } ?? "\(code.rawValue): \(message)"
  }
}

extension MediaError {
  static let cancelled = MediaError(.cancelled, "Cancelled.")

  /// Says that a stretch of a track was asked for which the track doesn't have.
  static func outsideOfTrack(_ cause: String) -> MediaError {
    MediaError(
      .invalidRange, "This stretch lies outside of the track. Set its start and end again.",
      cause: cause)
  }

  /// Says that an encoder ended before its work was done.
  static func writingFailed(_ encoder: ChildProcess) -> any Error {
    if let full = StorageError.noSpace(for: encoder) { return full }
    if let interruption = interruption(of: encoder) { return interruption }
    return MediaError(
      .toolFailed, "The audio could not be written. Try again, or choose another format.",
      cause: encoder.messageTail)
  }

  /// Says that a program was ended by the system or did not run, which is no fault of the file that it
  /// works on; nil when it ended by itself.
  static func interruption(of process: ChildProcess) -> MediaError? {
    if process.wasKilledEarly {
      return MediaError(
        .toolFailed,
        "A program that works on this file was ended by the system, probably for want of memory.",
        cause: process.report)
    }
    guard process.saysNothingOfTheFile else { return nil }
    return MediaError(
      .toolFailed,
      "A program that works on this file did not run, or was ended. Look at the server's log.",
      cause: process.report)
  }
}

extension StorageError {
  /// Says that a program found the disk full; nil when it did not say so.
  static func noSpace(for process: ChildProcess) -> StorageError? {
    guard process.messageTail.contains("No space left on device") else { return nil }
    return StorageError(.noSpace, noSpace.message, cause: process.report)
  }
}
