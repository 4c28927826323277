// The paired devices, which have access over the network.

/// One paired device.
public struct DeviceRow: Sendable, Equatable {
  /// A UUID.
  public var id: String
  /// The name that a person gave it.
  public var name: String
  /// SHA-256 of the token in its cookie; the token itself is not stored.
  public var tokenHash: String
  /// When it was paired, in milliseconds since 1970.
  public var createdAt: Int
  /// When it last sent a request, in milliseconds since 1970; coarser in the database.
  public var lastSeenAt: Int
  /// The id of the device whose code paired it, which may be removed since; nil for the owner's code.
  public var invitedBy: String?
  /// The id of the person whose it is; nil for the owner's.
  public var person: String?
  /// When its access ends, in milliseconds since 1970; nil for a device that stays.
  public var endsAt: Int?
  /// Its subscription to notifications; nil without one.
  public var push: PushSubscription?

  /// Makes a device that was just paired.
  public init(
    id: String, name: String, tokenHash: String, createdAt: Int, invitedBy: String? = nil,
    person: String? = nil, endsAt: Int? = nil
  ) {
    self.id = id
    self.name = name
    self.tokenHash = tokenHash
    self.createdAt = createdAt
    lastSeenAt = createdAt
    self.invitedBy = invitedBy
    self.person = person
    self.endsAt = endsAt
  }

  fileprivate init(row: Row) throws(DatabaseError) {
    id = row.text(0)
    name = row.text(1)
    tokenHash = row.text(2)
    createdAt = row.integer(3)
    lastSeenAt = row.integer(4)
    invitedBy = row.isNull(5) ? nil : row.text(5)
    person = row.isNull(6) ? nil : row.text(6)
    endsAt = row.isNull(7) ? nil : row.integer(7)
    push = try PushSubscription(row: row, from: 8)
  }
}

/// The table of paired devices.
public struct DeviceStore: Sendable {
  private let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Returns all devices, the earliest first.
  public func all() throws(DatabaseError) -> [DeviceRow] {
    try database.read { connection throws(DatabaseError) in
      var devices: [DeviceRow] = []
      try connection.query(
        """
        SELECT id, name, tokenHash, createdAt, lastSeenAt, invitedBy, person, endsAt,
          endpoint, publicKey, authentication, level, language
        FROM device LEFT JOIN push ON push.device = device.id ORDER BY createdAt, id
        """
      ) { row throws(DatabaseError) in devices.append(try DeviceRow(row: row)) }
      return devices
    }
  }

  /// Adds a device. If it replaces another one, it becomes the inviter of that one's guests.
  ///
  /// - Parameter code: the hash of the pairing code that is used up for it.
  /// - Returns: false, and nothing is added, if the code was used or is gone.
  @discardableResult
  public func add(
    _ device: DeviceRow, replacing replaced: String? = nil, using code: String? = nil
  ) throws(DatabaseError) -> Bool {
    try database.write { connection throws(DatabaseError) in
      if let code {
        let wasOpen = try connection.integer(
          "UPDATE pairing SET isUsed = 1 WHERE hash = ? AND isUsed = 0 RETURNING 1", [.text(code)])
        if wasOpen == nil { return false }
      }
      if let replaced {
        try connection.run(
          "UPDATE device SET invitedBy = ? WHERE invitedBy = ?",
          [.text(device.id), .text(replaced)])
        try connection.run("DELETE FROM device WHERE id = ?", [.text(replaced)])
      }
      try connection.run(
        """
        INSERT INTO device (id, name, tokenHash, createdAt, lastSeenAt, invitedBy, person, endsAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(device.id), .text(device.name), .text(device.tokenHash),
          .integer(device.createdAt), .integer(device.lastSeenAt),
          device.invitedBy.map(SQLValue.text) ?? .null,
          device.person.map(SQLValue.text) ?? .null,
          device.endsAt.map(SQLValue.integer) ?? .null,
        ])
      try device.push?.save(of: device.id, connection)
      return true
    }
  }

  /// Replaces all devices.
  public func replaceAll(with devices: [DeviceRow]) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM device")
    }
    for device in devices { try add(device) }
  }

  /// Renames a device.
  public func rename(_ id: String, to name: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("UPDATE device SET name = ? WHERE id = ?", [.text(name), .text(id)])
    }
  }

  /// Stores the subscription of a device to notifications; nil removes it.
  public func set(_ push: PushSubscription?, of id: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      if let push {
        try push.save(of: id, connection)
      } else {
        try connection.run("DELETE FROM push WHERE device = ?", [.text(id)])
      }
    }
  }

  /// Removes a device. Its guests pass to the device that invited it, if there is one.
  public func remove(_ id: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        """
        UPDATE device SET invitedBy =
          coalesce((SELECT invitedBy FROM device WHERE id = ?1), invitedBy)
        WHERE invitedBy = ?1
        """, [.text(id)])
      try connection.run("DELETE FROM device WHERE id = ?", [.text(id)])
    }
  }

  /// Stores when devices were last seen, by id, in milliseconds since 1970.
  public func note(lastSeen: [String: Int]) throws(DatabaseError) {
    guard !lastSeen.isEmpty else { return }
    try database.write { connection throws(DatabaseError) in
      for (id, time) in lastSeen {
        try connection.run(
          "UPDATE device SET lastSeenAt = ?1 WHERE id = ?2 AND lastSeenAt < ?1",
          [.integer(time), .text(id)])
      }
    }
  }
}
