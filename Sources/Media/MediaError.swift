// The one error type of this module: a code for programs, a sentence for the performer, a cause for
// the log.

#if canImport(Glibc)
  import Glibc
#endif

/// Says what went wrong with a file, in words that a performer understands and can act on.
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
    /// The file is larger than allowed.
    case tooLarge
    /// The disk, or the room set aside for uploads, is full.
    case noSpace
    /// There is no such upload, blob or track.
    case notFound
    /// The bytes sent don't continue where the stored ones end.
    case offsetMismatch
    /// Another request is writing to the same upload.
    case busy
    /// The upload has not arrived completely.
    case incomplete
    /// A stretch of a track that doesn't exist, or a format that can't hold it.
    case invalidRange
    /// Stored bytes are not what they were.
    case corrupt
    /// A backup that is none, damaged, or of a later version.
    case unusableBackup
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
    /// The operating system refused a file operation.
    case fileSystem
  }

  public let code: Code
  /// A sentence for the performer: what happened and what to do.
  public let message: String
  /// What the log needs: system errors, the tail of a program's messages. Never for clients.
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
  static let noSpace = MediaError(
    .noSpace, "There is not enough room on the disk. Delete what you no longer need and try again.")

  static let cancelled = MediaError(.cancelled, "Cancelled.")

  /// Says that a stretch of a track was asked for which the track doesn't have.
  static func outsideOfTrack(_ cause: String) -> MediaError {
    MediaError(
      .invalidRange, "This stretch lies outside of the track. Set its start and end again.",
      cause: cause)
  }

  /// Says that an encoder ended before its work was done.
  static func writingFailed(_ encoder: ChildProcess) -> MediaError {
    let messages = encoder.messageTail
    if messages.contains("No space left on device") {
      return MediaError(.noSpace, noSpace.message, cause: messages)
    }
    if let interruption = interruption(of: encoder) { return interruption }
    return MediaError(
      .toolFailed, "The audio could not be written. Try again, or choose another format.",
      cause: messages)
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

  /// Makes an error of the last failed system call.
  static func system(_ call: String, _ path: String, number: Int32 = errno) -> MediaError {
    let cause = "\(call) \(path): \(String(cString: strerror(number)))"
    switch number {
    case ENOSPC, EDQUOT:
      return MediaError(.noSpace, noSpace.message, cause: cause)
    case ENOENT:
      return MediaError(.notFound, "A file that was expected is not there.", cause: cause)
    default:
      return MediaError(
        .fileSystem, "The disk refused to read or write a file. Look at the server's log.",
        cause: cause)
    }
  }
}
