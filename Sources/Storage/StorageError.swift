// The error type of this module: a code for programs, a message for the user, a cause for the log.

#if canImport(Glibc)
  import Glibc
#endif

/// Why files could not be stored, read or accepted, and what to do about it.
public struct StorageError: Error, Sendable {
  /// The kind of error.
  public enum Code: String, Sendable, CaseIterable {
    /// The file is larger than allowed.
    case tooLarge
    /// The file has no bytes.
    case empty
    /// The disk, or the space reserved for uploads, is full.
    case noSpace
    /// There is no such file, upload or blob.
    case notFound
    /// The bytes sent do not start at the end of the stored ones.
    case offsetMismatch
    /// Another request is writing to the same upload.
    case busy
    /// The upload has not arrived completely.
    case incomplete
    /// Stored bytes have changed.
    case corrupt
    /// The file is not a backup, is damaged, or comes from a later version.
    case unusableBackup
    /// The work was cancelled.
    case cancelled
    /// The bucket that holds the blobs does not answer, or not as it should.
    case unreachable
    /// The operating system refused a file operation.
    case fileSystem
  }

  public let code: Code
  /// A message for the user: what happened and what to do.
  public let message: String
  /// Details for the log: the failed system call, a path. Never sent to clients.
  public let cause: (any Error)?

  /// Makes an error; `cause` is an error of another module.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Makes an error with a cause in words.
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
  /// What happened, for an administrator: the cause, or else the message.
  public var reason: String { cause.map { "\($0)" } ?? message }
}

/// A cause in words: a message of libarchive, or the name of a file.
public struct ErrorDetail: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// A system call that failed.
public struct SystemCallError: Error, CustomStringConvertible {
  /// The name of the call.
  public let call: String
  /// Its argument, usually a path.
  public let path: String
  /// The value of `errno`.
  public let number: Int32

  /// The system's description, such as `Permission denied`.
  public var reason: String { String(cString: strerror(number)) }

  public var description: String { "\(call) \(path): \(reason)" }
}

extension StorageError {
  /// The disk is full.
  package static let noSpace = StorageError(
    .noSpace, "There is not enough room on the disk. Delete what you no longer need and try again.")

  static let cancelled = StorageError(.cancelled, "Cancelled.")

  /// A restored library still has to be put in its place.
  package static let restoreInterrupted = StorageError(
    .busy, "A restore was interrupted. Start Segmance once: it finishes it.")

  /// Makes an error from `errno` of the last system call.
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
