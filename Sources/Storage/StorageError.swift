// The one error type of this module: a code for programs, a sentence for the performer, a cause for
// the log.

#if canImport(Glibc)
  import Glibc
#endif

/// Says why files could not be stored, read or taken in, and what to do about it.
public struct StorageError: Error, Sendable {
  /// What kind of trouble it is.
  public enum Code: String, Sendable, CaseIterable {
    /// The file is larger than allowed.
    case tooLarge
    /// The file has no bytes.
    case empty
    /// The disk, or the room set aside for uploads, is full.
    case noSpace
    /// There is no such file, upload or blob.
    case notFound
    /// The bytes sent don't continue where the stored ones end.
    case offsetMismatch
    /// Another request is writing to the same upload.
    case busy
    /// The upload has not arrived completely.
    case incomplete
    /// Stored bytes are not what they were.
    case corrupt
    /// A backup that is none, damaged, or of a later version.
    case unusableBackup
    /// Somebody cancelled the work.
    case cancelled
    /// The operating system refused a file operation.
    case fileSystem
  }

  public let code: Code
  /// A sentence for the performer: what happened and what to do.
  public let message: String
  /// What the log needs: the failed system call, a path. Never for clients.
  public let cause: (any Error)?

  /// Makes an error; `cause` is what another module threw.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Makes an error whose cause is told in words.
  public init(_ code: Code, _ message: String, cause: String) {
    self.init(code, message, cause: ErrorDetail(cause))
  }
}

extension StorageError: CustomStringConvertible {
  public var description: String {
    cause.map { "\(code.rawValue): \(message) [\($0)]" } ?? "\(code.rawValue): \(message)"
  }
}

extension StorageError {
  /// What happened, for a person who looks after the server: the cause, or else the message.
  public var reason: String { cause.map { "\($0)" } ?? message }
}

/// A cause in words: what libarchive said, or which file it was.
public struct ErrorDetail: Error, CustomStringConvertible {
  public let description: String

  /// Keeps `description` for the log.
  public init(_ description: String) { self.description = description }
}

/// A system call that failed.
public struct SystemCallError: Error, CustomStringConvertible {
  /// The name of the call.
  public let call: String
  /// What it was called for: most often a path.
  public let path: String
  /// The value of `errno`.
  public let number: Int32

  /// What the system says of it, such as `Permission denied`.
  public var reason: String { String(cString: strerror(number)) }

  public var description: String { "\(call) \(path): \(reason)" }
}

extension StorageError {
  /// Says that the disk is full.
  package static let noSpace = StorageError(
    .noSpace, "There is not enough room on the disk. Delete what you no longer need and try again.")

  static let cancelled = StorageError(.cancelled, "Cancelled.")

  /// Makes an error of the last failed system call.
  package static func system(
    _ call: String, _ path: String, number: Int32 = errno
  ) -> StorageError {
    let cause = SystemCallError(call: call, path: path, number: number)
    switch number {
    case ENOSPC, EDQUOT:
      return StorageError(.noSpace, noSpace.message, cause: cause)
    case ENOENT:
      return StorageError(.notFound, "A file that was expected is not there.", cause: cause)
    default:
      return StorageError(
        .fileSystem, "The disk refused to read or write a file. Look at the server's log.",
        cause: cause)
    }
  }
}
