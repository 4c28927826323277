// What a client is told of the errors of the modules below.

import Database
import HTTP
import Media
import Model
import Storage

extension StorageError: HTTPErrorConvertible {
  public var httpError: HTTPError? {
    let status: Int? =
      switch code {
      case .notFound: 404
      case .offsetMismatch, .busy, .incomplete: 409
      case .tooLarge: 413
      case .noSpace: 507
      case .empty, .unusableBackup: 422
      case .corrupt, .cancelled, .fileSystem: nil
      }
    return status.map { HTTPError($0, detail: message, cause: self) }
  }
}

extension MediaError: HTTPErrorConvertible {
  public var httpError: HTTPError? {
    let status: Int? =
      switch code {
      case .notAudio, .noAudioStream, .notVideo, .noPicture, .stillPicture, .pictureTooLarge,
        .truncated, .empty, .tooLong:
        422
      case .invalidRange: 400
      case .timedOut: 503
      case .cancelled, .toolMissing, .sandboxUnavailable, .toolFailed: nil
      }
    return status.map { HTTPError($0, detail: message, cause: self) }
  }
}

extension MediaError: LogDescribable {
  /// Code and cause.
  public var logDescription: String {
    cause.map { "\(code.rawValue): \($0)" } ?? code.rawValue
  }
}

extension StorageError: LogDescribable {
  /// Code and cause; what is wrong with a backup may name what is in it, and stays out.
  public var logDescription: String {
    guard let cause, code != .unusableBackup else { return code.rawValue }
    return "\(code.rawValue): \(cause)"
  }
}

extension Rejection: LogDescribable {
  /// The kind alone: the reason may quote a field.
  public var logDescription: String { "Rejection" }
}

extension DatabaseError: HTTPErrorConvertible {
  public var httpError: HTTPError? {
    switch code {
    case .full:
      .insufficientStorage(
        "The disk is full. Delete what you no longer need and try again.", cause: self)
    case .sealed: .unavailable(message)
    case .corrupt, .newerSchema, .busy, .other: nil
    }
  }
}

extension Rejection: HTTPErrorConvertible {
  public var httpError: HTTPError? { .unprocessable(reason) }
}
