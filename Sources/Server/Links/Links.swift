// The links, cached in memory so that requests of visitors are authenticated without a database read.

import Database
import Model
import Network
import Synchronization

/// The registry of links.
final class Links: Sendable {
  /// The maximum number of links to one routine and its parts that have not ended.
  static let limit = 500
  /// The longest life of a link, in milliseconds.
  static let longestLife = 400 * Library.day
  /// How long a link that has ended is listed, in milliseconds.
  static let memory = 30 * Library.day
  /// How far the clock may be behind the time at which a link was made, in milliseconds. With a clock
  /// that is further behind, the link would live longer than its maker said.
  private static let clockTolerance = 600_000

  private struct State {
    var rows: [String: LinkRow] = [:]
    /// The ids by the hashes of their tokens.
    var ids: [String: String] = [:]
    /// The links whose openings or end are not saved yet.
    var unsaved: Set<String> = []
    /// The links that are revoked but not removed from the database yet.
    var revoked: Set<String> = []

    /// Whether a link is valid. One that was seen to have ended stays so.
    mutating func isValid(_ id: String, _ now: Int) -> Bool {
      guard let row = rows[id], !row.isOver else { return false }
      guard now < row.expiresAt else {
        rows[id]?.isOver = true
        unsaved.insert(id)
        return false
      }
      return now > row.createdAt - Links.clockTolerance
    }

    mutating func remove(_ id: String) {
      if let row = rows.removeValue(forKey: id) { ids[row.tokenHash] = nil }
      unsaved.remove(id)
    }
  }

  private let store: LinkStore
  private let now: @Sendable () -> Int
  private let state: Mutex<State>
  /// Held while links are added, changed or removed, so that memory and the database agree.
  private let editing = Mutex(())

  /// Reads the links of a library; `now` returns milliseconds since 1970.
  init(store: LinkStore, now: @escaping @Sendable () -> Int) throws(DatabaseError) {
    self.store = store
    self.now = now
    var state = State()
    for row in try store.all() {
      state.rows[row.id] = row
      state.ids[row.tokenHash] = row.id
    }
    self.state = Mutex(state)
  }

  /// The links, the newest first; those that ended are listed for a while.
  var all: [LinkRow] {
    let oldest = now() - Links.memory
    return state.withLock { Array($0.rows.values) }
      .filter { $0.expiresAt > oldest }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// The link with this id, unless it is revoked.
  subscript(_ id: String) -> LinkRow? { state.withLock { $0.rows[id] } }

  /// Whether a link is there and has not ended.
  func isValid(_ id: String) -> Bool {
    let time = now()
    return state.withLock { $0.isValid(id, time) }
  }

  /// The ids of the valid links whose tokens these are.
  func find(tokens: some Sequence<String>) -> Set<String> {
    let hashes = tokens.filter { $0.utf8.count <= 64 }.map(Token.hash)
    if hashes.isEmpty { return [] }
    let time = now()
    return state.withLock { state in
      Set(hashes.compactMap { state.ids[$0] }.filter { state.isValid($0, time) })
    }
  }

  /// Adds a link.
  ///
  /// - Throws: `LibraryError` `unusable` for an end that is past or too far; `conflict` when there are
  ///   too many.
  func add(
    _ scope: LinkScope, frames: Range<Int>?, expiresAt: Int, passcodeHash: String?
  ) throws -> LinkRow {
    let time = now()
    try Links.check(expiresAt: expiresAt, now: time)
    return try editing.withLock { _ in
      let live = state.withLock { state in
        state.rows.values.filter { $0.scope.routine == scope.routine }
          .count { state.isValid($0.id, time) }
      }
      guard live < Links.limit else {
        throw LibraryError(
          .conflict,
          "This routine has \(Links.limit) links already. Revoke some that are not used.")
      }
      let (secret, salt) = (Token().text, Token().text)
      let row = LinkRow(
        id: Identifier.make(milliseconds: time), secret: secret, salt: salt,
        tokenHash: Token.hash(Token.derive(from: secret, salt: salt)),
        passcodeHash: passcodeHash, scope: scope, frames: frames, createdAt: time,
        expiresAt: expiresAt)
      try store.save([row])
      state.withLock { state in
        state.rows[row.id] = row
        state.ids[row.tokenHash] = row.id
      }
      return row
    }
  }

  /// Gives a link another end, also one that has ended. Nil if there is none with this id.
  func setEnd(of id: String, to expiresAt: Int) throws -> LinkRow? {
    try Links.check(expiresAt: expiresAt, now: now())
    return try editing.withLock { _ in
      guard var row = self[id] else { return nil }
      row.expiresAt = expiresAt
      row.isOver = false
      try store.save([row])
      return state.withLock { state in
        state.rows[id]?.expiresAt = expiresAt
        state.rows[id]?.isOver = false
        return state.rows[id]
      }
    }
  }

  /// Counts an opening.
  func countOpening(of id: String) {
    let time = now()
    state.withLock { state in
      state.rows[id]?.openings += 1
      state.rows[id]?.lastOpenedAt = time
      if state.rows[id] != nil { state.unsaved.insert(id) }
    }
  }

  /// Revokes a link; false if there is none with this id.
  ///
  /// It ends in memory first, so that it stays so even if the disk is full. In that case this throws,
  /// and `save` tries again to remove it.
  func revoke(_ id: String) throws -> Bool {
    let wasThere = editing.withLock { _ in
      state.withLock { state in
        guard state.rows[id] != nil else { return false }
        state.remove(id)
        state.revoked.insert(id)
        return true
      }
    }
    if wasThere { try removeRevoked() }
    return wasThere
  }

  /// The ids of links that are revoked in memory but could not be removed from the database yet.
  var unremoved: Set<String> { state.withLock { $0.revoked } }

  private func removeRevoked() throws(DatabaseError) {
    try editing.withLock { _ throws(DatabaseError) in
      let ids = unremoved
      try store.remove(ids)
      state.withLock { $0.revoked.subtract(ids) }
    }
  }

  /// Saves what only memory holds: revocations, openings, and which links have ended.
  func save() throws {
    try removeRevoked()
    let time = now()
    try editing.withLock { _ in
      let rows = state.withLock { state in
        for id in state.rows.keys { _ = state.isValid(id, time) }
        return state.unsaved.compactMap { state.rows[$0] }
      }
      try store.save(rows)
      state.withLock { state in
        // What changed meanwhile is saved next time.
        for row in rows where state.rows[row.id] == row { state.unsaved.remove(row.id) }
      }
    }
  }

  /// Forgets links that ended a while ago, and those for which `isThere` is false: nothing of what
  /// they showed is left.
  func purge(isThere: (LinkScope) throws -> Bool) throws {
    let oldest = now() - Links.memory
    let gone = try state.withLock { $0.rows }.values.filter { row in
      guard row.expiresAt > oldest else { return true }
      return try !isThere(row.scope)
    }
    try editing.withLock { _ in
      // Not one that was given another end meanwhile.
      let ids = gone.filter { self[$0.id]?.expiresAt == $0.expiresAt }.map(\.id)
      try store.remove(ids)
      state.withLock { state in for id in ids { state.remove(id) } }
    }
  }

  private static func check(expiresAt: Int, now: Int) throws(LibraryError) {
    guard expiresAt > now, expiresAt <= now + longestLife else {
      throw LibraryError(
        .unusable, "expiresAt must lie in the future, by at most \(longestLife / Library.day) days."
      )
    }
  }
}
