// What servers that share a library on a PostgreSQL server need of each other: who is there, what the others
// announce, and that one edits at a time.

import Dispatch

#if canImport(Glibc)
  import Glibc
#endif

/// A library that several servers have open at once, as one of them sees it.
public final class SharedLibrary: Sendable {
  /// What the servers keep in memory, and change one after the other.
  public enum Topic: Int, Sendable, CaseIterable, Codable {
    case devices, people, links
    /// Nobody keeps these in memory.
    case credentials, media

    /// Whether the servers keep it in memory.
    public var isInMemory: Bool { self != .credentials && self != .media }
  }

  /// How often each topic in memory has changed.
  public struct Versions: Sendable, Equatable {
    public var devices: Int
    public var people: Int
    public var links: Int
  }

  /// The longest text that can be announced, in bytes.
  public static let longest = 7_900

  /// The number of this server, which no other one ever had.
  public let number: Int
  private let engine: PostgreSQLEngine
  private let address: String

  init(engine: PostgreSQLEngine, address: String, number: Int) {
    self.engine = engine
    self.address = address
    self.number = number
  }

  /// The numbers of the servers that are there, this one's as well.
  public func servers() throws -> Set<Int> {
    try engine.withConnection { try $0.servers() }
  }

  /// Asks to be the keeper, who does what one server does for all, for as long as its connection lasts.
  ///
  /// - Returns: false if another server is.
  public func keeps() throws(DatabaseError) -> Bool { try engine.keeps() }

  /// The time of the database's clock, in milliseconds since 1970, with fractions.
  public func time() throws -> Double {
    try engine.withConnection { connection in
      Double(
        try connection.integer(
          "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)") ?? 0) / 1_000
    }
  }

  /// How often what is kept in memory has changed.
  public func versions() throws(DatabaseError) -> Versions {
    try engine.read { connection throws(DatabaseError) in
      var versions = Versions(devices: 0, people: 0, links: 0)
      try connection.query("SELECT devices, people, links FROM schemaVersion") { row in
        versions = Versions(
          devices: row.integer(0), people: row.integer(1), links: row.integer(2))
      }
      return versions
    }
  }

  /// Announces a text of at most `longest` bytes to all servers, this one as well.
  public func announce(_ text: String) throws {
    try engine.withConnection { try $0.announce(text) }
  }

  /// Runs `body` while no other server does so for the same topic.
  public func exclusively<Result>(_ topic: Topic, _ body: () throws -> Result) throws -> Result {
    try engine.withConnection { connection in
      try connection.lockEdits(topic.rawValue)
      // If it broke meanwhile, the lock went with it.
      defer { try? connection.unlockEdits(topic.rawValue) }
      return try body()
    }
  }

  /// Listens on a thread of its own until `isOver` says so, which is asked every second. What is announced
  /// after this has returned is heard.
  ///
  /// - Parameters:
  ///   - onGap: called when something may have been missed: at the beginning, and after a connection broke.
  ///   - onText: called with each text, in the order in which the servers announced them.
  public func listen(
    until isOver: @escaping @Sendable () -> Bool, onGap: @escaping @Sendable () -> Void,
    onText: @escaping @Sendable (String) -> Void
  ) throws(DatabaseError) {
    let address = address
    let first = try PostgreSQLConnection(address: address, listens: true)
    DispatchQueue(label: "segmance.shared").async {
      var connection: PostgreSQLConnection? = first
      while !isOver() {
        do throws(DatabaseError) {
          let current: PostgreSQLConnection
          if let connection {
            current = connection
          } else {
            current = try PostgreSQLConnection(address: address, listens: true)
          }
          connection = nil
          onGap()
          while !isOver() {
            let texts = try current.announcements(waiting: 1_000)
            texts.forEach(onText)
            guard texts.isEmpty else { continue }
            guard try current.lasts(silence: 5_000) else { break }
          }
        } catch {
          // The server is away, which requests tell. What is missed is made up for by `onGap`.
          usleep(250_000)
        }
      }
    }
  }
}
