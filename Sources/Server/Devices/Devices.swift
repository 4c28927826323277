// The paired devices, cached in memory so that requests are authenticated without a database read.

import Database
import Model
import Network
import Synchronization
import Text

/// The registry of paired devices.
final class Devices: Sendable {
  /// The maximum number of devices of one person.
  static let limit = 100
  /// The maximum length of a name, in characters.
  static let nameLimit = 40

  private struct State {
    var rows: [String: DeviceRow] = [:]
    /// The ids of admitted devices, by the hashes of their tokens.
    var ids: [String: String] = [:]
    /// The devices seen since `save()`.
    var unsaved: Set<String> = []

    init(_ rows: [DeviceRow]) {
      for row in rows {
        self.rows[row.id] = row
        ids[row.tokenHash] = row.id
      }
    }

    /// The ids of the devices that a device invited itself.
    func guests(of id: String) -> [String] {
      rows.values.filter { $0.invitedBy == id }.map(\.id)
    }
  }

  private let store: DeviceStore
  private let state: Mutex<State>
  /// Held while devices are added or removed, so that memory and the database agree.
  private let editing: EditLock

  /// Reads the devices of a library.
  init(store: DeviceStore, sharing: Sharing? = nil) throws(DatabaseError) {
    self.store = store
    editing = EditLock(.devices, sharing)
    state = Mutex(State(try store.all()))
  }

  /// Reads all devices again. Those that are shut out in memory stay so.
  func reload() throws {
    try editing.withLocalLock {
      let rows = try store.all()
      state.withLock { state in
        let shutOut = Set(state.rows.values.filter { state.ids[$0.tokenHash] == nil }.map(\.id))
        let before = state.rows
        let unsaved = state.unsaved
        state = State(rows)
        for id in unsaved {
          guard let row = state.rows[id], let seen = before[id]?.lastSeenAt, seen > row.lastSeenAt
          else { continue }
          state.rows[id]?.lastSeenAt = seen
          state.unsaved.insert(id)
        }
        for id in shutOut { if let row = state.rows[id] { state.ids[row.tokenHash] = nil } }
      }
    }
  }

  /// All devices, oldest first.
  var all: [DeviceRow] {
    state.withLock { Array($0.rows.values) }.sorted {
      ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
    }
  }

  /// The device with this id.
  subscript(_ id: String) -> DeviceRow? { state.withLock { $0.rows[id] } }

  /// Finds the device of a token, and records that it was seen.
  func find(token: String, now: Int = Library.now()) -> String? {
    guard token.utf8.count <= 64 else { return nil }
    let hash = Token.hash(token)
    return state.withLock { state in
      guard let id = state.ids[hash], state.rows[id]?.isOver(at: now) == false else { return nil }
      state.rows[id]?.lastSeenAt = now
      state.unsaved.insert(id)
      return id
    }
  }

  /// Whether a device is admitted.
  func isPaired(_ id: String, now: Int = Library.now()) -> Bool {
    state.withLock { state in
      state.rows[id].map { state.ids[$0.tokenHash] != nil && !$0.isOver(at: now) } ?? false
    }
  }

  /// The ids of devices whose access has ended.
  func ended(now: Int = Library.now()) -> [String] {
    state.withLock { state in state.rows.values.filter { $0.isOver(at: now) }.map(\.id) }
  }

  /// The ids of devices that are shut out in memory but could not be removed from the database yet.
  var unremoved: [String] {
    state.withLock { state in
      state.rows.values.filter { state.ids[$0.tokenHash] == nil }.map(\.id)
    }
  }

  /// Adds a device. Returns it with the token for its cookie, which is not stored.
  ///
  /// - Parameters:
  ///   - inviter: the device whose code pairs it; nil for the owner's. A device that is paired
  ///     again keeps its first inviter, so that its own code cannot detach it from that device.
  ///   - person: whose the device is; nil for the owner's.
  ///   - replaced: the device that the same browser was until now.
  ///   - endsAt: when its access ends, in milliseconds since 1970; nil for a device that stays.
  ///   - code: the hash of the pairing code that is used up for it.
  func pair(
    name: String, invitedBy inviter: String? = nil, person: String? = nil,
    replacing replaced: String?, until endsAt: Int? = nil, using code: String? = nil
  ) throws -> (row: DeviceRow, token: String) {
    try editing.withLock {
      // Checked here, so that it holds however the inviter was removed, also if that happened while
      // it made the code.
      guard inviter.map { isPaired($0) } ?? true else {
        throw LibraryError(
          .gone, "The device that made this pairing code is no longer paired. Make a new one.")
      }
      guard
        state.withLock({ $0.rows.values.count { $0.person == person } }) < Devices.limit
          || replaced != nil
      else {
        throw LibraryError(
          .conflict,
          "\(Devices.limit) devices are paired already. Remove one that is no longer used.")
      }
      let token = Token().text
      let now = Library.now()
      let row = DeviceRow(
        id: Identifier.make(milliseconds: now), name: name, tokenHash: Token.hash(token),
        createdAt: now, invitedBy: self.inviter(inviter, of: person, replacing: replaced),
        person: person, endsAt: endsAt)
      guard try store.add(row, replacing: replaced, using: code) else {
        throw LibraryError.usedPairingCode
      }
      state.withLock { state in
        if let old = replaced.flatMap({ state.rows.removeValue(forKey: $0) }) {
          state.ids[old.tokenHash] = nil
          for guest in state.guests(of: old.id) { state.rows[guest]?.invitedBy = row.id }
        }
        state.rows[row.id] = row
        state.ids[row.tokenHash] = row.id
      }
      return (row, token)
    }
  }

  /// The inviter of a device: of one that is paired again for the same person, the first one.
  private func inviter(
    _ inviter: String?, of person: String?, replacing replaced: String?
  ) -> String? {
    guard let old = replaced.flatMap({ self[$0] }), old.person == person else { return inviter }
    return old.invitedBy
  }

  /// Renames a device; false if the id is unknown.
  func rename(_ id: String, to name: String) throws -> Bool {
    try editing.withLock {
      guard self[id] != nil else { return false }
      try store.rename(id, to: name)
      state.withLock { $0.rows[id]?.name = name }
      return true
    }
  }

  /// Stores the subscription of a device to notifications, which no other device has then. False if the
  /// id is unknown, or the device is shut out.
  func subscribe(_ id: String, _ push: PushSubscription) throws -> Bool {
    try editing.withLock {
      guard isPaired(id) else { return false }
      try store.set(push, of: id)
      state.withLock { state in
        for other in Array(state.rows.keys) where state.rows[other]?.push?.endpoint == push.endpoint
        {
          state.rows[other]?.push = nil
        }
        state.rows[id]?.push = push
      }
      return true
    }
  }

  /// Removes the subscription of a device, or only this one, if it has another one by now.
  func forget(_ push: PushSubscription? = nil, of id: String) throws {
    try editing.withLock {
      guard let current = self[id]?.push, push == nil || push?.endpoint == current.endpoint else {
        return
      }
      try store.set(nil, of: id)
      state.withLock { $0.rows[id]?.push = nil }
    }
  }

  /// Revokes a device; false if the id is unknown.
  ///
  /// The device is shut out in memory first, so that it stays out even if the disk is full. In that
  /// case this throws, and `save` or another removal tries again.
  func remove(_ id: String, withGuests: Bool = false) throws -> Bool {
    guard !shutOut(id, withGuests: withGuests).isEmpty else { return false }
    try removeShutOut()
    return true
  }

  /// Shuts a device out in memory, and with `withGuests` all devices that it invited, directly or
  /// through others. Returns their ids, or none if the id is unknown.
  func shutOut(_ id: String, withGuests: Bool = false) -> [String] {
    editing.withLocalLock {
      state.withLock { state in
        guard state.rows[id] != nil else { return [] }
        var ids = [id]
        // Includes the guests of guests: the list grows during the iteration.
        var next = 0
        while withGuests, next < ids.count {
          ids += state.guests(of: ids[next]).filter { !ids.contains($0) }
          next += 1
        }
        for row in ids.compactMap({ state.rows[$0] }) {
          state.ids[row.tokenHash] = nil
        }
        return ids
      }
    }
  }

  /// Waits until all servers know the devices that this one knows.
  func agree() throws { try editing.agree() }

  /// Removes shut-out devices from the database.
  func removeShutOut() throws {
    guard !unremoved.isEmpty else { return }
    try editing.withLock {
      for id in unremoved {
        try store.remove(id)
        state.withLock { state in
          if let inviter = state.rows[id]?.invitedBy {
            for guest in state.guests(of: id) { state.rows[guest]?.invitedBy = inviter }
          }
          state.rows[id] = nil
          state.unsaved.remove(id)
        }
      }
    }
  }

  /// Saves what only memory holds: shut-out devices, and the times at which devices were last seen.
  func save() throws {
    try removeShutOut()
    try editing.withLocalLock {
      let times = state.withLock { state in
        defer { state.unsaved = [] }
        return Dictionary(
          uniqueKeysWithValues: state.unsaved.compactMap { id in
            state.rows[id].map { (id, $0.lastSeenAt) }
          })
      }
      try store.note(lastSeen: times)
    }
  }

  /// Validates a device name that a person typed. Returns it without surrounding whitespace.
  static func name(_ text: String) throws(LibraryError) -> String {
    let name = text.asName
    guard !name.isEmpty else {
      throw LibraryError(.unusable, "Give the device a name, such as “Phone”.")
    }
    guard name.count <= nameLimit, name.utf8.count <= nameLimit * 16 else {
      throw LibraryError(.unusable, "The name of a device has at most \(nameLimit) characters.")
    }
    return name
  }
}

extension DeviceRow {
  /// Whether its access has ended.
  fileprivate func isOver(at now: Int) -> Bool { endsAt.map { $0 <= now } ?? false }
}
