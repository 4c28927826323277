// How long an answer that is made from a track may be kept.

import HTTP

extension CacheControl {
  /// The query parameter of answers that are made from a track.
  static let versionParameter = ParameterDoc(
    "version", schema: ["type": "integer", "minimum": 1],
    description: """
      The version that is expected. If the answer has it, the answer never changes, and says so in \
      Cache-Control
      """)

  /// Returns the header of an answer of `version`, where the server makes version `current`.
  ///
  /// An earlier version must not be kept: a better one is being made. Without the version in its
  /// address, an answer has to be checked each time.
  static func derived(_ version: Int, current: Int, _ request: Request) throws(HTTPError) -> String
  {
    let expected = try request.query.integer("version")
    guard version == current else { return never }
    return expected == version ? immutable : revalidate
  }
}
