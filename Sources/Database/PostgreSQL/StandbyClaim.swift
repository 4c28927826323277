// How a standby waits for a library on a PostgreSQL server.

import Synchronization

/// The claim of a standby to a library that another server has open.
public final class StandbyClaim: Sendable {
  /// How long the server may be silent when it is asked, in milliseconds.
  private static let silence: Int32 = 10_000

  private let address: String
  private let connection = Mutex<PostgreSQLConnection?>(nil)

  /// Makes a claim to the library at an address of a PostgreSQL server. Nothing is asked yet.
  public init(address: String) { self.address = address }

  /// Asks once whether another server has the library open, over the connection of last time, or a new one
  /// if that broke.
  ///
  /// - Returns: true if none has. From then on this process alone can open it, while the connection lasts.
  /// - Throws: why the server could not be asked. It can be asked again.
  public func take() throws(DatabaseError) -> Bool {
    let attempt = connection.withLock { connection -> Result<Bool, DatabaseError> in
      let result = Result { () throws(DatabaseError) in try take(over: &connection) }
      // It may be broken, or belong to a replica: the next one may find another server.
      if case .failure = result { connection = nil }
      return result
    }
    return try attempt.get()
  }

  private func take(over connection: inout PostgreSQLConnection?) throws(DatabaseError) -> Bool {
    if let connection { return try connection.triesToKeepOthersOut() }
    let next = try PostgreSQLConnection(address: address)
    next.silence = StandbyClaim.silence
    // A replica would give its own lock, which keeps nobody out.
    guard try !next.isReplica() else {
      throw DatabaseError(
        .unreachable, "The database server is a replica, which takes no changes.")
    }
    // The lock is that of a schema, so a new library's has to be there.
    try PostgreSQLSchema.create(next)
    connection = next
    return try next.triesToKeepOthersOut()
  }

  /// Hands the connection over to the engine that opens the library.
  func takeConnection() -> PostgreSQLConnection? {
    let taken = connection.withLock { connection in
      defer { connection = nil }
      return connection
    }
    taken?.silence = PostgreSQLConnection.usualSilence
    return taken
  }
}
