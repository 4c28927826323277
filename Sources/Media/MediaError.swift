// The error type of this module: a code for programs, a message for the user, a cause for the log.
// File system errors are `StorageError`s.

import Storage

/// A problem with audio or video, or with the programs that read it, in words that a user
/// understands and can act on.
public struct MediaError: Error, Sendable {
  /// The kind of error.
  public enum Code: String, Sendable, CaseIterable {
    /// The file is not audio that Segmance can read.
    case notAudio
    /// The container is readable but holds no sound.
    case noAudioStream
    /// The file is not video that Segmance can read.
    case notVideo
    /// The file holds sound, but no pictures.
    case noPicture
    /// The file is a still image.
    case stillPicture
    /// The pictures exceed the largest size that is converted.
    case pictureTooLarge
    /// The end of the file is missing.
    case truncated
    /// The file has no bytes, or no samples.
    case empty
    /// The audio is longer than `TrackImporter.longestFrames`, the video than
    /// `VideoConverter.longestSeconds`.
    case tooLong
    /// The range lies outside the track, or the format cannot hold it.
    case invalidRange
    /// The work was cancelled.
    case cancelled
    /// The work took longer than its limit.
    case timedOut
    /// A program that Segmance needs is missing.
    case toolMissing
    /// The sandbox for media programs does not work on this machine.
    case sandboxUnavailable
    /// A media program failed; the file is not the cause.
    case toolFailed
  }

  public let code: Code
  /// A message for the user: what happened and what to do.
  public let message: String
  /// Details for the log: the last messages of a program. Never sent to clients.
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

  /// The requested range lies outside the track.
  static func outsideOfTrack(_ cause: String) -> MediaError {
    MediaError(
      .invalidRange, "This stretch lies outside of the track. Set its start and end again.",
      cause: cause)
  }

  /// An encoder ended before its work was done.
  static func writingFailed(_ encoder: ChildProcess) -> any Error {
    if let full = StorageError.noSpace(for: encoder) { return full }
    if let interruption = interruption(of: encoder) { return interruption }
    return MediaError(
      .toolFailed, "The audio could not be written. Try again, or choose another format.",
      cause: encoder.messageTail)
  }

  /// A program was ended by the system or did not run, so the file is not the cause; nil if it
  /// ended by itself.
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
  /// A program reported a full disk; nil if it did not.
  static func noSpace(for process: ChildProcess) -> StorageError? {
    guard process.messageTail.contains("No space left on device") else { return nil }
    return StorageError(.noSpace, noSpace.message, cause: process.report)
  }
}
