// The HTTP responses and log texts for the errors of lower modules.

import Database
import HTTP
import Logging
import Media
import Model
import Network
import Storage

extension LibraryError: HTTPErrorConvertible {
  public var httpError: HTTPError? {
    switch code {
    case .invalidValue: .badRequest(message, cause: cause)
    case .notPaired: .unauthenticated
    case .notFound: HTTPError(404, detail: message, cause: cause)
    case .conflict, .locked: HTTPError(409, detail: message, cause: cause)
    case .gone: HTTPError(410, detail: message, cause: cause)
    case .wrongPasscode: HTTPError(403, detail: message, code: "passcode", cause: cause)
    case .wrongCredentials: HTTPError(403, detail: message, code: "credentials", cause: cause)
    case .unknownAccount: HTTPError(403, detail: message, code: "account", cause: cause)
    case .unusable: HTTPError(422, detail: message, cause: cause)
    case .tooOften(let seconds): .tooManyRequests(message, retryAfterSeconds: seconds)
    case .busy(let seconds): .unavailable(message, retryAfterSeconds: seconds)
    case .unreachable: HTTPError(502, detail: message, cause: cause)
    case .noSpace: .insufficientStorage(message, cause: cause)
    case .damaged: HTTPError(500, detail: message, cause: cause)
    }
  }
}

extension ServerError: HTTPErrorConvertible {
  /// 409 for a port in use, or an address that this machine does not have.
  public var httpError: HTTPError? { .conflict(message) }
}

extension CertificateError: HTTPErrorConvertible {
  public var httpError: HTTPError? { .conflict(description) }
}

extension StorageError: HTTPErrorConvertible {
  public var httpError: HTTPError? {
    if code == .unreachable { return .unavailable(message, retryAfterSeconds: 30) }
    let status: Int? =
      switch code {
      case .notFound: 404
      case .offsetMismatch, .busy, .incomplete: 409
      case .tooLarge: 413
      case .noSpace: 507
      case .empty, .unusableBackup: 422
      case .corrupt, .cancelled, .unreachable, .fileSystem: nil
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
      case .timedOut, .toolMissing: 503
      case .cancelled, .sandboxUnavailable, .toolFailed: nil
      }
    return status.map { HTTPError($0, detail: message, cause: self) }
  }
}

extension MediaError: LogDescribable {
  /// The code and cause.
  public var logDescription: String {
    cause.map { "\(code.rawValue): \($0)" } ?? code.rawValue
  }
}

extension StorageError: LogDescribable {
  /// The code and cause. The details of an unusable backup are left out, because they may name its
  /// contents.
  public var logDescription: String {
    guard let cause, code != .unusableBackup else { return code.rawValue }
    return "\(code.rawValue): \(cause)"
  }
}

extension Rejection: LogDescribable {
  /// Only the kind, because the reason may quote a field.
  public var logDescription: String { "Rejection" }
}

extension DatabaseError: HTTPErrorConvertible {
  public var httpError: HTTPError? {
    switch code {
    case .full: sentence.map { .insufficientStorage($0, cause: self) }
    case .sealed, .unreachable, .busy: sentence.map { .unavailable($0) }
    case .corrupt, .newerSchema, .other: nil
    }
  }
}

extension Rejection: HTTPErrorConvertible {
  public var httpError: HTTPError? { .unprocessable(reason) }
}
