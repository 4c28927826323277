// Caching of responses that are derived from a track.

import HTTP

extension CacheControl {
  /// The version parameter of responses that are derived from a track.
  static let versionParameter = ParameterDoc(
    "version", schema: ["type": "integer", "minimum": 1],
    description: """
      The version that is expected. If the answer has it, the answer never changes, and says so in \
      Cache-Control
      """)

  /// Returns the Cache-Control header of a response of `version`; `current` is the version that the
  /// server makes.
  ///
  /// An earlier version must not be cached, because a newer one is being made. Without the version
  /// in its URL, a response has to be revalidated each time.
  static func derived(_ version: Int, current: Int, _ request: Request) throws(HTTPError) -> String
  {
    let expected = try request.query.integer("version")
    guard version == current else { return never }
    return expected == version ? immutable : revalidate
  }
}
