// The schema on a PostgreSQL server. It has the same tables and columns as that of SQLite, and the same
// number. A released step is never edited.

import Glibc

/// The steps from an empty schema of PostgreSQL to the one of a version of Segmance.
struct PostgreSQLSchema: Sendable {
  /// The number of SQLite's schema with which the first step agrees.
  static let first = 15

  /// The schema of this version.
  static let current = PostgreSQLSchema(steps: released)

  /// Each is one transaction.
  let steps: [String]
  /// How long a step may wait until nobody reads what it changes.
  var patience = Duration.seconds(60)

  /// The number of the schema after all steps.
  var number: Int { Self.first + steps.count - 1 }

  /// How long a step waits for the lock of a table, as PostgreSQL writes times. Others who want to read the table
  /// wait behind it. It is less than PostgreSQL waits before it looks for a deadlock, and ends one of both. So a
  /// transaction that reads one table, and wants another one that the step has, goes on.
  private static let lockPatience = "200ms"
  /// How long a step rests after that, in microseconds, while the others catch up.
  private static let rest: UInt32 = 800_000

  /// Texts compare byte by byte, as in SQLite, and not as a language would.
  private static let released = [
    """
    CREATE FUNCTION json_extract(fields json, path text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN fields ->> substr(path, 3);

    CREATE TABLE record (
      type text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      space text COLLATE "C" NOT NULL DEFAULT 'owner',
      seq bigint NOT NULL,
      createdAt bigint NOT NULL,
      deletedAt bigint,
      fields json NOT NULL,
      stamps json NOT NULL,
      PRIMARY KEY (type, id)
    );
    CREATE UNIQUE INDEX record_seq ON record (seq);
    CREATE INDEX record_space ON record (space, seq);
    CREATE INDEX record_deleted ON record (deletedAt) WHERE deletedAt IS NOT NULL;
    CREATE INDEX record_track ON record (json_extract(fields, '$.track'))
      WHERE json_extract(fields, '$.track') IS NOT NULL;
    CREATE INDEX record_sha256 ON record (json_extract(fields, '$.sha256'))
      WHERE json_extract(fields, '$.sha256') IS NOT NULL;
    CREATE INDEX record_routine ON record (json_extract(fields, '$.routine'))
      WHERE json_extract(fields, '$.routine') IS NOT NULL;
    CREATE INDEX record_part ON record (json_extract(fields, '$.part'))
      WHERE json_extract(fields, '$.part') IS NOT NULL;
    CREATE INDEX record_move ON record (json_extract(fields, '$.move'))
      WHERE json_extract(fields, '$.move') IS NOT NULL;

    CREATE TABLE personal (
      person text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      seq bigint NOT NULL,
      createdAt bigint NOT NULL,
      deletedAt bigint,
      fields json NOT NULL,
      stamps json NOT NULL,
      PRIMARY KEY (person, type, id)
    );
    CREATE UNIQUE INDEX personal_seq ON personal (person, seq);

    CREATE TABLE earlier (
      type text COLLATE "C" NOT NULL,
      record text COLLATE "C" NOT NULL,
      field text COLLATE "C" NOT NULL,
      stamp text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      replacer text COLLATE "C" NOT NULL,
      replacedAt bigint NOT NULL,
      isLate bigint NOT NULL,
      keptAt bigint NOT NULL,
      PRIMARY KEY (type, record, field, stamp)
    );
    CREATE INDEX earlier_kept ON earlier (keptAt);
    CREATE INDEX earlier_part ON earlier (value, record) WHERE field = 'part';

    CREATE TABLE counter (
      name text COLLATE "C" PRIMARY KEY,
      value bigint NOT NULL
    );
    INSERT INTO counter VALUES ('seq', 0), ('clock', 0), ('purged', 0),
      ('choreographyFrom', CAST(extract(epoch FROM now()) * 1000 AS bigint));

    CREATE TABLE job (
      id text COLLATE "C" PRIMARY KEY,
      kind text COLLATE "C" NOT NULL,
      state text COLLATE "C" NOT NULL
        CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
      message text COLLATE "C",
      subject text COLLATE "C" NOT NULL,
      createdAt bigint NOT NULL,
      endedAt bigint
    );
    CREATE INDEX job_state ON job (state, createdAt);

    CREATE TABLE device (
      id text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      tokenHash text COLLATE "C" NOT NULL UNIQUE,
      createdAt bigint NOT NULL,
      lastSeenAt bigint NOT NULL,
      invitedBy text COLLATE "C",
      person text COLLATE "C",
      endsAt bigint
    );

    CREATE TABLE push (
      device text COLLATE "C" PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
      endpoint text COLLATE "C" NOT NULL UNIQUE,
      publicKey text COLLATE "C" NOT NULL,
      authentication text COLLATE "C" NOT NULL,
      level text COLLATE "C" NOT NULL CHECK (level IN ('mentions', 'all')),
      language text COLLATE "C" NOT NULL
    );

    CREATE TABLE link (
      id text COLLATE "C" PRIMARY KEY,
      secret text COLLATE "C" NOT NULL,
      salt text COLLATE "C" NOT NULL,
      tokenHash text COLLATE "C" NOT NULL UNIQUE,
      passcodeHash text COLLATE "C",
      routine text COLLATE "C" NOT NULL,
      part text COLLATE "C",
      startFrame bigint,
      endFrame bigint,
      createdAt bigint NOT NULL,
      expiresAt bigint NOT NULL,
      isOver bigint NOT NULL,
      openings bigint NOT NULL,
      lastOpenedAt bigint
    );

    CREATE TABLE person (
      id text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      colour text COLLATE "C" NOT NULL,
      createdAt bigint NOT NULL,
      anewFrom bigint NOT NULL DEFAULT 0
    );
    INSERT INTO person (id, name, colour, createdAt) VALUES ('owner', '', '#8863de', 0);

    CREATE TABLE troupe (
      id text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      createdAt bigint NOT NULL
    );

    CREATE TABLE member (
      troupe text COLLATE "C" NOT NULL,
      person text COLLATE "C" NOT NULL,
      role text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'teacher', 'performer')),
      since bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (troupe, person)
    );

    CREATE TABLE password (
      person text COLLATE "C" PRIMARY KEY,
      login text COLLATE "C" NOT NULL UNIQUE,
      hash text COLLATE "C" NOT NULL,
      changedAt bigint NOT NULL
    );

    CREATE TABLE passkey (
      id text COLLATE "C" PRIMARY KEY,
      person text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      site text COLLATE "C" NOT NULL,
      publicKey text COLLATE "C" NOT NULL,
      algorithm bigint NOT NULL,
      counter bigint NOT NULL,
      createdAt bigint NOT NULL,
      lastUsedAt bigint
    );
    CREATE INDEX passkey_person ON passkey (person);

    CREATE TABLE account (
      id text COLLATE "C" PRIMARY KEY,
      issuer text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      person text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      createdAt bigint NOT NULL,
      lastUsedAt bigint,
      UNIQUE (issuer, subject)
    );
    CREATE INDEX account_person ON account (person);
    """,
    """
    CREATE TABLE pairing (
      hash text COLLATE "C" PRIMARY KEY,
      maker text COLLATE "C",
      person text COLLATE "C",
      expiresAt bigint NOT NULL,
      isUsed bigint NOT NULL
    );
    CREATE TABLE answered (
      challenge text COLLATE "C" PRIMARY KEY,
      endsAt bigint NOT NULL
    );
    CREATE TABLE secret (
      name text COLLATE "C" PRIMARY KEY,
      value text COLLATE "C" NOT NULL
    );
    """,
    // What servers that share the library need.
    """
    ALTER TABLE job ADD server bigint;
    CREATE TABLE deletion (sha256 text COLLATE "C" PRIMARY KEY, server bigint);
    CREATE TABLE hold (
      id text COLLATE "C" PRIMARY KEY,
      sha256 text COLLATE "C",
      server bigint NOT NULL
    );

    ALTER TABLE schemaVersion
      ADD servers bigint NOT NULL DEFAULT 0, ADD devices bigint NOT NULL DEFAULT 0,
      ADD people bigint NOT NULL DEFAULT 0, ADD links bigint NOT NULL DEFAULT 0;
    CREATE FUNCTION countChange() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE schemaVersion SET
          devices = devices + CAST(TG_ARGV[0] = 'devices' AS integer),
          people = people + CAST(TG_ARGV[0] = 'people' AS integer),
          links = links + CAST(TG_ARGV[0] = 'links' AS integer);
        RETURN NULL;
      END $$;
    CREATE TRIGGER device_change AFTER INSERT OR DELETE
      OR UPDATE OF id, name, tokenHash, invitedBy, person, endsAt ON device
      EXECUTE FUNCTION countChange('devices');
    CREATE TRIGGER push_change AFTER INSERT OR DELETE OR UPDATE ON push
      EXECUTE FUNCTION countChange('devices');
    CREATE TRIGGER person_change AFTER INSERT OR DELETE OR UPDATE ON person
      EXECUTE FUNCTION countChange('people');
    CREATE TRIGGER troupe_change AFTER INSERT OR DELETE OR UPDATE ON troupe
      EXECUTE FUNCTION countChange('people');
    CREATE TRIGGER member_change AFTER INSERT OR DELETE OR UPDATE ON member
      EXECUTE FUNCTION countChange('people');
    CREATE TRIGGER link_change AFTER INSERT OR DELETE
      OR UPDATE OF id, secret, salt, tokenHash, passcodeHash, routine, part, startFrame, endFrame,
        expiresAt ON link
      EXECUTE FUNCTION countChange('links');
    """,
  ]

  /// Creates the schema that the address names, if it is missing.
  static func create(_ connection: PostgreSQLConnection) throws(DatabaseError) {
    guard try connection.integer("SELECT 1 WHERE current_schema() IS NULL") != nil else { return }
    var path = ""
    try connection.query("SHOW search_path") { row in path = row.text(0) }
    let name = path.split(separator: ",").first.map(String.init) ?? ""
    try connection.execute("CREATE SCHEMA IF NOT EXISTS \(name)")
  }

  /// Takes the steps that are left. Other servers may share the library meanwhile: they wait for a step that has
  /// begun, and a step that has to wait for one of them makes room and tries again.
  ///
  /// - Throws: `newerSchema` when a later version of Segmance made it; `busy` when something reads for longer than
  ///   `patience` what a step changes.
  func migrate(_ connection: PostgreSQLConnection) throws(DatabaseError) {
    if try found(connection) == number { return }
    let end = ContinuousClock.now + patience
    while true {
      do throws(DatabaseError) {
        if try takesStep(connection) { continue }
        return
      } catch  where error.code == .busy {
        guard ContinuousClock.now < end else {
          throw DatabaseError(
            .busy,
            "The library has to be brought to a new schema, and something reads it for long, such as a "
              + "backup. Try again when that is through. (\(error.message))")
        }
        // Where it waited to begin.
        if connection.isInTransaction { try connection.run("ROLLBACK") }
        usleep(Self.rest)
      }
    }
  }

  /// - Returns: false if no step is left.
  private func takesStep(_ connection: PostgreSQLConnection) throws(DatabaseError) -> Bool {
    try connection.transaction { () throws(DatabaseError) in
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS schemaVersion (
          value bigint NOT NULL, opened bigint NOT NULL DEFAULT 0)
        """)
      let version = try Self.version(connection)
      guard version <= number else { throw Migrations.newerSchema }
      guard version < number else { return false }
      try connection.allowLongStatements()
      try connection.execute("SET LOCAL lock_timeout = '\(Self.lockPatience)'")
      let next = max(version + 1, Self.first)
      try connection.execute(steps[next - Self.first])
      try connection.execute(
        version == 0
          ? "INSERT INTO schemaVersion (value) VALUES (\(next))"
          : "UPDATE schemaVersion SET value = \(next)")
      return true
    }
  }

  /// Throws unless there is a library of this schema.
  func require(_ connection: PostgreSQLConnection) throws(DatabaseError) {
    let found = try found(connection)
    guard found <= number else { throw Migrations.newerSchema }
    guard found < number else { return }
    throw DatabaseError(
      .other,
      found == 0
        ? "There is no library on the database server yet."
        : "This library belongs to an earlier version of Segmance. Start this version once.")
  }

  /// The number of the schema that is there; 0 for none.
  private func found(_ connection: PostgreSQLConnection) throws(DatabaseError) -> Int {
    let isThere = try connection.integer("SELECT 1 WHERE to_regclass('schemaVersion') IS NOT NULL")
    return isThere == nil ? 0 : try Self.version(connection)
  }

  /// Whether a later version has taken a step more.
  func isOlder(than connection: PostgreSQLConnection) throws(DatabaseError) -> Bool {
    try Self.version(connection) > number
  }

  /// Counts that a server opens the library alone, and returns the number. What servers that shared it had agreed
  /// about blobs is over.
  static func open(_ connection: PostgreSQLConnection) throws(DatabaseError) -> Int {
    try connection.execute("DELETE FROM deletion; DELETE FROM hold")
    return try connection.integer("UPDATE schemaVersion SET opened = opened + 1 RETURNING opened")
      ?? 0
  }

  /// Returns the number of the last opening, and a number of its own for one more server that shares the library.
  static func join(
    _ connection: PostgreSQLConnection
  ) throws(DatabaseError) -> (opening: Int, number: Int) {
    var numbers = (opening: 0, number: 0)
    try connection.query(
      "UPDATE schemaVersion SET servers = servers + 1 RETURNING opened, servers"
    ) { row in numbers = (row.integer(0), row.integer(1)) }
    return numbers
  }

  private static func version(_ connection: PostgreSQLConnection) throws(DatabaseError) -> Int {
    try connection.integer("SELECT value FROM schemaVersion") ?? 0
  }
}
