// A device's subscription to notifications, as the browser's push service made it.

/// Where a device's notifications go, and which it wants.
public struct PushSubscription: Sendable, Equatable {
  /// Which comments a device is notified of.
  public enum Level: String, Sendable, Codable, CaseIterable {
    /// Those that mention the person.
    case mentions
    /// Those and all others.
    case all
  }

  /// The address at the push service, which names the browser there.
  public var endpoint: String
  /// The browser's public key, in base64url.
  public var publicKey: String
  /// What the browser shares with this server alone, in base64url.
  public var authentication: String
  public var level: Level
  /// The language of the interface on the device, such as "en".
  public var language: String

  /// Makes a subscription.
  public init(
    endpoint: String, publicKey: String, authentication: String, level: Level, language: String
  ) {
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authentication = authentication
    self.level = level
    self.language = language
  }

  /// Reads the columns from the one with this index on; nil if there is no subscription.
  init?(row: Row, from index: Int32) throws(DatabaseError) {
    if row.isNull(index) { return nil }
    guard let level = Level(rawValue: row.text(index + 3)) else {
      throw DatabaseError(.corrupt, "A subscription to notifications has no level that is known.")
    }
    self.init(
      endpoint: row.text(index), publicKey: row.text(index + 1),
      authentication: row.text(index + 2), level: level, language: row.text(index + 4))
  }

  /// Stores the subscription of a device. A browser has one, so one of another device with the same
  /// address is that browser's from before.
  func save(of device: String, _ connection: any Connection) throws(DatabaseError) {
    try connection.run(
      "DELETE FROM push WHERE endpoint = ? OR device = ?", [.text(endpoint), .text(device)])
    try connection.run(
      """
      INSERT INTO push (device, endpoint, publicKey, authentication, level, language)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(device), .text(endpoint), .text(publicKey), .text(authentication),
        .text(level.rawValue), .text(language),
      ])
  }
}
