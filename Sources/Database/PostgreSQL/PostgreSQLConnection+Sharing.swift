// What servers that share a library say to each other over PostgreSQL.

import CPostgreSQL
import Glibc

extension PostgreSQLConnection {
  /// Lets no server open the library alone while this connection lasts. `patience` is how long one that has it
  /// alone may take to let go, as PostgreSQL writes times.
  ///
  /// - Throws: `busy` if one has it open alone.
  func share(_ patience: String) throws(DatabaseError) {
    do throws(DatabaseError) {
      try execute(
        """
        SET lock_timeout = '\(patience)';
        SELECT pg_advisory_lock_shared(\(LockClass.serving), hashtext(current_schema()))
        """)
    } catch  where error.code == .busy {
      throw DatabaseError(
        .busy,
        "Another server has this library open alone. Stop it first, and start all with --shared.")
    }
  }

  /// Lets others see that the server `number`, which is a new one, is there while this connection lasts.
  func show(_ number: Int) throws(DatabaseError) {
    try execute("SELECT pg_advisory_lock(\(Self.key(ofServer: number)))")
  }

  /// Like `share` and `show`, but at once, for a server that did so before.
  ///
  /// - Returns: false if a server has the library open alone or is about to, or this one's own locks of a
  ///   connection that broke are not gone yet.
  /// - Throws: `sealed` if another server has opened it alone since `opening`.
  func shares(as number: Int, of opening: Int) throws(DatabaseError) -> Bool {
    let isFree =
      try integer(
        """
        SELECT 1 WHERE
          pg_try_advisory_lock_shared(\(LockClass.serving), hashtext(current_schema()))
          AND pg_try_advisory_lock(\(Self.key(ofServer: number)))
        """) != nil
    let last = try integer("SELECT opened FROM schemaVersion") ?? 0
    try PostgreSQLConnection.require(opening, is: last)
    return isFree
  }

  /// The numbers of the servers that share the library now.
  func servers() throws(DatabaseError) -> Set<Int> {
    var numbers: Set<Int> = []
    try query(
      """
      SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND CAST(CAST(classid AS bigint) AS bit(32)) = CAST(hashtext(current_schema()) AS bit(32))
      """
    ) { row in numbers.insert(row.integer(0)) }
    return numbers
  }

  /// Takes the lock of the keeper.
  ///
  /// - Returns: false if another connection has it.
  func keeps() throws(DatabaseError) -> Bool {
    try integer(
      """
      SELECT 1 WHERE pg_try_advisory_lock(\(LockClass.keeping), hashtext(current_schema()))
      """) != nil
  }

  /// The key of the lock that one server holds: those of a schema lie side by side.
  private static func key(ofServer number: Int) -> String {
    "(CAST(hashtext(current_schema()) AS bigint) << 32) + \(number)"
  }

  /// The name of the library's channel, as SQL: in a database there may be several libraries.
  private static let channel = "'segmance_' || hashtext(current_schema())"

  /// Connects to the server at `address`; with `listens`, to hear what is announced in the library.
  convenience init(address: String, listens: Bool) throws(DatabaseError) {
    try self.init(address: address)
    guard listens else { return }
    var name = ""
    try query("SELECT \(Self.channel)") { row in name = row.text(0) }
    try execute("LISTEN \"\(name)\"")
  }

  /// Announces a text of less than 8,000 bytes to all who listen, when the transaction is committed.
  func announce(_ text: String) throws(DatabaseError) {
    try run("SELECT pg_notify(\(Self.channel), ?)", [.text(text)])
  }

  /// Waits for announcements.
  ///
  /// - Returns: what was announced; empty after `milliseconds` without anything.
  /// - Throws: `unreachable` if the connection broke.
  func announcements(waiting milliseconds: Int32) throws(DatabaseError) -> [String] {
    let earlier = takeAnnouncements()
    guard earlier.isEmpty else { return earlier }
    var socket = pollfd(fd: libpq.socket(handle), events: Int16(POLLIN), revents: 0)
    guard poll(&socket, 1, milliseconds) > 0 else { return [] }
    guard libpq.consumeInput(handle) == 1 else {
      throw DatabaseError(
        .unreachable, "The database server broke off: \(PostgreSQLConnection.line(of: problem))")
    }
    return takeAnnouncements()
  }

  private func takeAnnouncements() -> [String] {
    var texts: [String] = []
    while let notification = libpq.notifies(handle) {
      texts.append(String(cString: notification.pointee.payload))
      libpq.freemem(notification)
    }
    return texts
  }
}

extension PostgreSQLConnection {
  /// Keeps other connections from editing a topic until `unlockEdits`, or until this connection ends.
  func lockEdits(_ topic: Int) throws(DatabaseError) {
    try execute(
      "SELECT pg_advisory_lock(\(LockClass.editing) + \(topic), hashtext(current_schema()))")
  }

  /// Lets others edit the topic again.
  func unlockEdits(_ topic: Int) throws(DatabaseError) {
    try execute(
      "SELECT pg_advisory_unlock(\(LockClass.editing) + \(topic), hashtext(current_schema()))")
  }
}
