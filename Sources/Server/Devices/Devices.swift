// The paired devices, in memory as in the database, so that who asks is known without waiting.

import Database
import HTTP
import Model
import Network
import Synchronization
import Text

/// Knows the paired devices. Threads: any.
final class Devices: Sendable {
  /// Devices at most.
  static let limit = 100
  /// Characters of a name at most.
  static let nameLimit = 40

  private struct State {
    var rows: [String: DeviceRow] = [:]
    /// The ids of those that may come in, by the hashes of their tokens.
    var ids: [String: String] = [:]
    /// Those seen since `save()`.
    var unsaved: Set<String> = []

    /// The ids of those that a device let in.
    func guests(of id: String) -> [String] {
      rows.values.filter { $0.invitedBy == id }.map(\.id)
    }
  }

  private let store: DeviceStore
  private let state: Mutex<State>
  /// Held while devices are added or removed, so that the database and memory agree.
  private let editing = Mutex(())

  /// Reads the devices of a library.
  init(store: DeviceStore) throws(DatabaseError) {
    self.store = store
    var state = State()
    for row in try store.all() {
      state.rows[row.id] = row
      state.ids[row.tokenHash] = row.id
    }
    self.state = Mutex(state)
  }

  /// All devices, the earliest first.
  var all: [DeviceRow] {
    state.withLock { Array($0.rows.values) }.sorted {
      ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
    }
  }

  /// The device of an id.
  subscript(_ id: String) -> DeviceRow? { state.withLock { $0.rows[id] } }

  /// Finds the device that a token belongs to, and notes that it was seen.
  func find(token: String, now: Int = Library.now()) -> String? {
    guard token.utf8.count <= 64 else { return nil }
    let hash = Token.hash(token)
    return state.withLock { state in
      guard let id = state.ids[hash] else { return nil }
      state.rows[id]?.lastSeenAt = now
      state.unsaved.insert(id)
      return id
    }
  }

  /// Whether a device may come in.
  func isPaired(_ id: String) -> Bool {
    state.withLock { state in state.rows[id].map { state.ids[$0.tokenHash] != nil } ?? false }
  }

  /// The ids of those that are shut out, but could not be removed from the disk yet.
  var unremoved: [String] {
    state.withLock { state in
      state.rows.values.filter { state.ids[$0.tokenHash] == nil }.map(\.id)
    }
  }

  /// Adds a device; returns it with the token for its cookie, which is kept nowhere.
  ///
  /// - Parameters:
  ///   - inviter: the device whose code lets it in, nil for the owner's. A device that is paired again
  ///     stays let in by who let it in first, so that no code of its own frees it from that one.
  ///   - replaced: the device that the same browser has been so far.
  func pair(
    name: String, invitedBy inviter: String? = nil, replacing replaced: String?
  ) throws -> (row: DeviceRow, token: String) {
    try editing.withLock { _ in
      // Asked here, so that it holds however the device went, also while it made the code.
      guard inviter.map(isPaired) ?? true else {
        throw HTTPError.gone(
          "The device that made this pairing code is no longer paired. Make a new one.")
      }
      guard state.withLock({ $0.rows.count }) < Devices.limit || replaced != nil else {
        throw HTTPError.conflict(
          "\(Devices.limit) devices are paired already. Remove one that is no longer used.")
      }
      let token = Token().text
      let now = Library.now()
      let row = DeviceRow(
        id: Identifier.make(milliseconds: now), name: name, tokenHash: Token.hash(token),
        createdAt: now, invitedBy: replaced.flatMap { self[$0] }.map(\.invitedBy) ?? inviter)
      try store.add(row, replacing: replaced)
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

  /// Gives a device another name; false when there is none of that id.
  func rename(_ id: String, to name: String) throws -> Bool {
    try editing.withLock { _ in
      guard self[id] != nil else { return false }
      try store.rename(id, to: name)
      state.withLock { $0.rows[id]?.name = name }
      return true
    }
  }

  /// Turns a device away from now on; false when there is none of that id.
  ///
  /// It is shut out first, so that it stays out even if the disk is full; then this throws, and `save`
  /// tries again, as does removing it again.
  func remove(_ id: String, withGuests: Bool = false) throws -> Bool {
    guard !shutOut(id, withGuests: withGuests).isEmpty else { return false }
    try removeShutOut()
    return true
  }

  /// Turns a device away from now on, in memory alone, and all that came in by it, if asked to.
  /// Returns their ids; none when there is none of that id.
  func shutOut(_ id: String, withGuests: Bool = false) -> [String] {
    editing.withLock { _ in
      state.withLock { state in
        guard state.rows[id] != nil else { return [] }
        var ids = [id]
        // Those of its guests, too: the list grows while it is gone through.
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

  /// Removes from the disk who is shut out.
  func removeShutOut() throws {
    try editing.withLock { _ in
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

  /// Writes down what only memory knows: who is shut out, and when devices were last seen.
  func save() throws {
    try removeShutOut()
    try editing.withLock { _ in
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

  /// Checks what a person typed as a device's name; returns it without space around it.
  static func name(_ text: String) throws(HTTPError) -> String {
    let kept = text.unicodeScalars.filter { !$0.isControl }
    var name = Substring(String(String.UnicodeScalarView(kept)))
    while let first = name.first, first.isWhitespace { name.removeFirst() }
    while let last = name.last, last.isWhitespace { name.removeLast() }
    guard !name.isEmpty else {
      throw .unprocessable("Give the device a name, such as “Phone”.")
    }
    guard name.count <= nameLimit, name.utf8.count <= nameLimit * 16 else {
      throw .unprocessable("The name of a device has at most \(nameLimit) characters.")
    }
    return String(name)
  }
}
