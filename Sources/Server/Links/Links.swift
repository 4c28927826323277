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
    /// What was seen of links and is not saved yet, by their ids.
    var unsaved: [String: LinkVisits] = [:]
    /// The links that are revoked but not removed from the database yet.
    var revoked: [String: LinkRow] = [:]

    init(_ rows: [LinkRow]) {
      for row in rows {
        self.rows[row.id] = row
        ids[row.tokenHash] = row.id
      }
    }

    /// Whether a link is valid. One that was seen to have ended stays so.
    mutating func isValid(_ id: String, _ now: Int) -> Bool {
      guard let row = rows[id], !row.isOver else { return false }
      guard now < row.expiresAt else {
        rows[id]?.isOver = true
        unsaved[id, default: LinkVisits()].overAt = row.expiresAt
        return false
      }
      return now > row.createdAt - Links.clockTolerance
    }

    mutating func remove(_ id: String) {
      if let row = rows.removeValue(forKey: id) { ids[row.tokenHash] = nil }
      unsaved[id] = nil
    }

    /// Adds what was seen, and is not saved, of links that are there.
    mutating func add(_ visits: [String: LinkVisits]) {
      for (id, seen) in visits where rows[id] != nil {
        rows[id]?.add(seen)
        unsaved[id, default: LinkVisits()].add(seen)
      }
    }
  }

  private let store: LinkStore
  private let now: @Sendable () -> Int
  private let state: Mutex<State>
  /// Held while links are added, changed or removed, so that memory and the database agree.
  private let editing: EditLock

  /// Reads the links of a library; `now` returns milliseconds since 1970.
  init(
    store: LinkStore, sharing: Sharing? = nil, now: @escaping @Sendable () -> Int
  ) throws(DatabaseError) {
    self.store = store
    self.now = now
    editing = EditLock(.links, sharing)
    state = Mutex(State(try store.all()))
  }

  /// Reads all links again. Those that are revoked in memory stay so, and openings that are not saved count on.
  func reload() throws {
    try editing.withLocalLock {
      let rows = try store.all()
      state.withLock { state in
        let before = state
        state = State(rows.filter { before.revoked[$0.id] == nil })
        state.revoked = before.revoked
        state.add(before.unsaved)
      }
    }
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

  /// What a link shows that is there, or that is revoked and not removed from the database yet.
  func revocable(_ id: String) -> LinkScope? {
    state.withLock { ($0.rows[id] ?? $0.revoked[id])?.scope }
  }

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
    return try editing.withLock {
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
    return try editing.withLock {
      guard var row = self[id] else { return nil }
      row.expiresAt = expiresAt
      row.isOver = false
      try store.setEnd(of: id, to: expiresAt)
      return state.withLock { state in
        state.rows[id]?.expiresAt = expiresAt
        state.rows[id]?.isOver = false
        return state.rows[id]
      }
    }
  }

  /// Counts an opening.
  func countOpening(of id: String) {
    var visit = LinkVisits()
    visit.openings = 1
    visit.lastOpenedAt = now()
    state.withLock { [visit] in $0.add([id: visit]) }
  }

  /// Revokes a link; false if there is none with this id.
  ///
  /// It ends in memory first, so that it stays so even if the disk is full. In that case this throws,
  /// and `save` tries again to remove it.
  func revoke(_ id: String) throws -> Bool {
    let isRevoked = editing.withLocalLock {
      state.withLock { state in
        // If the database did not answer the first time, the others still let its visitors in.
        guard let row = state.rows[id] else { return state.revoked[id] != nil }
        state.remove(id)
        state.revoked[id] = row
        return true
      }
    }
    if isRevoked { try removeRevoked() } else { try editing.agree() }
    return isRevoked
  }

  /// The ids of links that are revoked in memory but could not be removed from the database yet.
  var unremoved: Set<String> { state.withLock { Set($0.revoked.keys) } }

  private func removeRevoked() throws {
    guard !unremoved.isEmpty else { return }
    try editing.withLock {
      let ids = unremoved
      try store.remove(ids)
      state.withLock { state in for id in ids { state.revoked[id] = nil } }
    }
  }

  /// Saves what only memory holds: revocations, openings, and which links have ended.
  func save() throws {
    try removeRevoked()
    let time = now()
    try editing.withLocalLock {
      let visits = state.withLock { state in
        for id in state.rows.keys { _ = state.isValid(id, time) }
        defer { state.unsaved = [:] }
        return state.unsaved
      }
      do {
        try store.note(visits)
      } catch {
        state.withLock { state in
          for (id, seen) in visits where state.rows[id] != nil {
            state.unsaved[id, default: LinkVisits()].add(seen)
          }
        }
        throw error
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
    guard !gone.isEmpty else { return }
    try editing.withLock {
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
