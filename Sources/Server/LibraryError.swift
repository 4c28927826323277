// The error of this module. `ErrorMapping.swift` gives each code its HTTP status.

/// Says why the library, its devices or its network can't do what was asked.
public struct LibraryError: Error, Sendable {
  /// The kind of error, for programs.
  public enum Code: Sendable, Equatable {
    /// A value has the wrong form.
    case invalidValue
    /// The device is not paired.
    case notPaired
    /// There is no such thing.
    case notFound
    /// The present state does not allow it.
    case conflict
    /// Another process has the library open, or its folder can't be written to.
    case locked
    /// It existed, and was removed or has expired.
    case gone
    /// The values are well-formed, but can't be used.
    case unusable
    /// The passcode is missing or wrong.
    case wrongPasscode
    /// The name, password or passkey to sign in with is not right.
    case wrongCredentials
    /// Nobody has the account with which somebody signed in elsewhere.
    case unknownAccount
    /// It was tried too often.
    case tooOften(retryAfterSeconds: Int)
    /// As many as allowed are under way.
    case busy(retryAfterSeconds: Int)
    /// Another server does not answer, or not as it should.
    case unreachable
    /// The disk is full.
    case noSpace
    /// The library is damaged.
    case damaged
  }

  /// The kind of error.
  public let code: Code
  /// A sentence for the performer: what happened, and what to do.
  public let message: String
  /// The underlying error; logged, never sent to a client.
  public let cause: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension LibraryError: CustomStringConvertible {
  /// The message, as the command line prints it.
  public var description: String { message }
}

extension LibraryError {
  /// The device of a request is not paired, or no longer.
  static let notPaired = LibraryError(.notPaired, "This device is not paired.")

  /// No device has this id.
  static let unknownDevice = LibraryError(.notFound, "There is no such device.")

  /// No link has this id.
  static let unknownLink = LibraryError(.notFound, "There is no such link.")

  /// A job is of a kind, or has parameters, that this version can't read.
  static let unknownWork = LibraryError(
    .unusable, "This version of Segmance does not know this work.")
}
