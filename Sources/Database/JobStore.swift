// The jobs: long work that outlives a restart.

import FoundationEssentials
import Model

/// One piece of long work.
public struct JobRow: Sendable, Equatable {
  /// The state of a job.
  public enum State: String, Sendable, Codable {
    case queued, running, done, failed, cancelled

    /// Whether the job has ended.
    public var isFinal: Bool { self != .queued && self != .running }
  }

  /// A UUID.
  public var id: String
  /// What it does, such as `import`.
  public var kind: String
  public var state: State
  /// A sentence about its end for a person.
  public var message: String?
  /// The parameters of its work as JSON. Rows of earlier versions hold words separated by
  /// spaces.
  public var parameters: String

  /// Makes a job that waits for its turn.
  public init(id: String, kind: String, parameters: String) {
    self.id = id
    self.kind = kind
    self.parameters = parameters
    state = .queued
    message = nil
  }

  fileprivate init(row: Row) throws(DatabaseError) {
    guard let state = State(rawValue: row.text(2)) else {
      throw DatabaseError(.corrupt, "The library holds a job in an unknown state.")
    }
    id = row.text(0)
    kind = row.text(1)
    self.state = state
    message = row.isNull(3) ? nil : row.text(3)
    parameters = row.text(4)
  }
}

/// Writes jobs inside a transaction that is already open.
public struct JobWriter {
  let connection: any Connection

  /// Adds `job`; `now` in milliseconds since 1970.
  public func add(_ job: JobRow, now: Int) throws(DatabaseError) {
    try connection.run(
      "INSERT INTO job (id, kind, state, message, subject, createdAt) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(job.id), .text(job.kind), .text(job.state.rawValue),
        job.message.map(SQLValue.text) ?? .null, .text(job.parameters), .integer(now),
      ])
  }

  /// Marks the job `id` as running at a server that shares the library; nil stands for the only one.
  ///
  /// - Returns: false if it has ended, does not exist, or runs at another server.
  public func begin(_ id: String, at server: Int? = nil) throws(DatabaseError) -> Bool {
    guard let server else {
      return try connection.integer(
        """
        UPDATE job SET state = 'running', server = NULL
        WHERE id = ? AND state IN ('queued', 'running') RETURNING 1
        """, [.text(id)]) != nil
    }
    return try connection.integer(
      """
      UPDATE job SET state = 'running', server = ?1
      WHERE id = ?2 AND (state = 'queued' OR (state = 'running' AND server = ?1)) RETURNING 1
      """, [.integer(server), .text(id)]) != nil
  }

  /// Throws `busy` if another server than this one has taken the job over.
  public func requireHeld(_ id: String, by server: Int) throws(DatabaseError) {
    let isElsewhere = try connection.integer(
      "SELECT 1 FROM job WHERE id = ? AND server <> ?", [.text(id), .integer(server)])
    guard isElsewhere == nil else {
      throw DatabaseError(.busy, "Another server has taken this job over.")
    }
  }

  /// Throws `busy` if what `DeletionStore.hold` began does not last: the blob may be gone.
  public func requireBlobHold(_ id: String) throws(DatabaseError) {
    guard try DeletionStore.holds(connection, id) else {
      throw DatabaseError(.busy, "The database was away for too long. Try again.")
    }
  }

  /// Lets the jobs run again that ran at other servers than these.
  ///
  /// - Returns: whether there were any.
  public func requeue(exceptAt servers: Set<Int>) throws(DatabaseError) -> Bool {
    let numbers = servers.sorted().map(String.init).joined(separator: ", ")
    return try connection.integer(
      """
      UPDATE job SET state = 'queued', server = NULL
      WHERE state = 'running' AND coalesce(server, 0) NOT IN (\(numbers.isEmpty ? "0" : numbers))
      RETURNING 1
      """) != nil
  }

  /// Moves the job `id` to `state`.
  public func update(
    _ id: String, to state: JobRow.State, message: String? = nil, now: Int
  ) throws(DatabaseError) {
    try connection.run(
      "UPDATE job SET state = ?, message = ?, endedAt = ? WHERE id = ?",
      [
        .text(state.rawValue), message.map(SQLValue.text) ?? .null,
        state.isFinal ? .integer(now) : .null, .text(id),
      ])
  }
}

/// The table of jobs.
public final class JobStore: Sendable {
  private let database: LibraryDatabase
  /// The column of the parameters keeps the name that it had in the first version.
  private static let columns = "SELECT id, kind, state, message, subject FROM job"

  /// Makes the store on `database`.
  public init(database: LibraryDatabase) {
    self.database = database
  }

  /// Returns one job.
  public func job(_ id: String) throws(DatabaseError) -> JobRow? {
    try select("WHERE id = ?", [.text(id)]).first
  }

  /// Returns when a job ended, in milliseconds since 1970; nil if it has not, or does not exist.
  public func endedAt(_ id: String) throws(DatabaseError) -> Int? {
    try database.read { connection throws(DatabaseError) in
      try connection.integer(
        "SELECT endedAt FROM job WHERE id = ? AND endedAt IS NOT NULL", [.text(id)])
    }
  }

  /// Returns the jobs that were not finished, oldest first.
  public func unfinished() throws(DatabaseError) -> [JobRow] {
    try select("WHERE state IN ('queued', 'running') ORDER BY createdAt, id", [])
  }

  /// Returns the newest job whose parameters are one of `texts`; `now` in milliseconds since 1970.
  public func latest(
    withParameters texts: [String], now: Int = Int(Date().timeIntervalSince1970 * 1000)
  ) throws(DatabaseError) -> JobRow? {
    try newest("subject", isOneOf: texts, now: now)
  }

  /// Returns the newest job of a kind; `now` in milliseconds since 1970.
  public func latest(
    ofKind kind: String, now: Int = Int(Date().timeIntervalSince1970 * 1000)
  ) throws(DatabaseError) -> JobRow? {
    try newest("kind", isOneOf: [kind], now: now)
  }

  /// A job dated more than a day ahead of `now` counts as the oldest: the clock was wrong.
  private func newest(
    _ column: String, isOneOf texts: [String], now: Int
  ) throws(DatabaseError) -> JobRow? {
    let places = texts.map { _ in "?" }.joined(separator: ", ")
    return try select(
      "WHERE \(column) IN (\(places)) ORDER BY createdAt > ?, createdAt DESC, id DESC LIMIT 1",
      texts.map { .text($0) } + [.integer(now + 86_400_000)]
    ).first
  }

  /// Runs `body` in a transaction of its own.
  public func write<Result: Sendable>(
    _ body: (JobWriter) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try database.write { connection throws(DatabaseError) in
      try body(JobWriter(connection: connection))
    }
  }

  /// Deletes jobs that ended before `milliseconds` since 1970.
  public func purge(endedBefore milliseconds: Int) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM job WHERE endedAt < ?", [.integer(milliseconds)])
    }
  }

  /// Deletes all jobs but the unfinished ones of `kinds`, and adds `job`, which has ended. Used for a
  /// restored library, which may lack what other jobs refer to.
  public func beginAnew(keepingUnfinished kinds: Set<String>, adding job: JobRow, now: Int)
    throws(DatabaseError)
  {
    let places = kinds.map { _ in ", ?" }.joined()
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "DELETE FROM job WHERE kind NOT IN (''\(places)) OR state NOT IN ('queued', 'running')",
        kinds.map { .text($0) })
      let writer = JobWriter(connection: connection)
      try writer.add(job, now: now)
      try writer.update(job.id, to: job.state, message: job.message, now: now)
    }
  }

  private func select(_ clause: String, _ values: [SQLValue]) throws(DatabaseError) -> [JobRow] {
    try database.read { connection throws(DatabaseError) in
      var jobs: [JobRow] = []
      try connection.query("\(JobStore.columns) \(clause)", values) { row throws(DatabaseError) in
        jobs.append(try JobRow(row: row))
      }
      return jobs
    }
  }
}
