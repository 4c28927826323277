// The keys of a bucket, from where the tools of S3 look for them.

import FoundationEssentials

/// The keys that requests to a bucket are signed with.
public struct BucketCredentials: Sendable {
  let key: String
  let secret: String
  /// The token of keys that expire.
  let token: String?

  /// Makes credentials.
  public init(key: String, secret: String, token: String? = nil) {
    self.key = key
    self.secret = secret
    self.token = token
  }

  /// Reads `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` (`AWS_SESSION_TOKEN`), or else the profile
  /// `AWS_PROFILE` of the file `AWS_SHARED_CREDENTIALS_FILE`, which is `~/.aws/credentials` without it.
  ///
  /// - Throws: `StorageError` `unreachable` that says what is missing.
  public static func read(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> BucketCredentials {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      return BucketCredentials(key: key, secret: secret, token: value("AWS_SESSION_TOKEN"))
    }
    let file =
      value("AWS_SHARED_CREDENTIALS_FILE") ?? (value("HOME") ?? "") + "/.aws/credentials"
    let profile = value("AWS_PROFILE") ?? "default"
    guard Files.exists(file) else {
      throw StorageError(
        .unreachable,
        "The bucket needs keys. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name their file "
          + "in AWS_SHARED_CREDENTIALS_FILE.")
    }
    let values = try Self.profile(profile, in: String(decoding: Files.read(file), as: UTF8.self))
    guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
      throw StorageError(
        .unreachable,
        "The file \(file) holds no aws_access_key_id and aws_secret_access_key for [\(profile)].")
    }
    return BucketCredentials(key: key, secret: secret, token: values["aws_session_token"])
  }

  /// The values of one profile: the lines after `[profile]`, up to the next such line.
  private static func profile(_ name: String, in text: String) -> [String: String] {
    var values: [String: String] = [:]
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline).map({ trimmed($0) }) {
      if line.hasPrefix("[") {
        isInside = line == "[\(name)]"
      } else if isInside, let sign = line.firstIndex(of: "="), !line.hasPrefix("#") {
        values[trimmed(line[..<sign])] = trimmed(line[line.index(after: sign)...])
      }
    }
    return values
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension BucketCredentials: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Never the keys.
  public var description: String { "the keys of a bucket" }
  /// Never the keys.
  public var debugDescription: String { description }
  /// Never the keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
