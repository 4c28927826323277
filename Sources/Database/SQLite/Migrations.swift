// The schema, as ordered SQL. A released migration is never edited; a new one corrects it.

/// The steps from an empty file to the current schema.
enum Migrations {
  /// Each is one transaction; `user_version` is the number of applied ones.
  static let all = [
    """
    CREATE TABLE record (
      type TEXT NOT NULL,
      id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      createdAt INTEGER NOT NULL,
      deletedAt INTEGER,
      fields TEXT NOT NULL CHECK (json_valid(fields)),
      stamps TEXT NOT NULL CHECK (json_valid(stamps)),
      PRIMARY KEY (type, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX record_seq ON record (seq);
    CREATE INDEX record_track ON record (json_extract(fields, '$.track'))
      WHERE json_extract(fields, '$.track') IS NOT NULL;
    CREATE INDEX record_sha256 ON record (json_extract(fields, '$.sha256'))
      WHERE json_extract(fields, '$.sha256') IS NOT NULL;
    CREATE INDEX record_deleted ON record (deletedAt) WHERE deletedAt IS NOT NULL;

    CREATE TABLE counter (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counter VALUES ('seq', 0), ('clock', 0);

    CREATE TABLE job (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
      message TEXT,
      subject TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      endedAt INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_state ON job (state, createdAt);
    """,
    """
    CREATE INDEX record_routine ON record (json_extract(fields, '$.routine'))
      WHERE json_extract(fields, '$.routine') IS NOT NULL;
    CREATE INDEX record_part ON record (json_extract(fields, '$.part'))
      WHERE json_extract(fields, '$.part') IS NOT NULL;

    CREATE TABLE earlier (
      type TEXT NOT NULL,
      record TEXT NOT NULL,
      field TEXT NOT NULL,
      stamp TEXT NOT NULL,
      value TEXT NOT NULL,
      replacer TEXT NOT NULL,
      replacedAt INTEGER NOT NULL,
      isLate INTEGER NOT NULL,
      keptAt INTEGER NOT NULL,
      PRIMARY KEY (type, record, field, stamp)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX earlier_kept ON earlier (keptAt);
    """,
    """
    CREATE TABLE device (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      tokenHash TEXT NOT NULL UNIQUE,
      createdAt INTEGER NOT NULL,
      lastSeenAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    // Which deletions were purged before is unknown: every one that could have been counts.
    """
    INSERT INTO counter SELECT 'purged', value FROM counter WHERE name = 'seq';
    """,
    // The inviters of existing devices are unknown: they count as paired with the owner's code.
    """
    ALTER TABLE device ADD COLUMN invitedBy TEXT;
    """,
    // The tables stay. Records may be spots from here on, which earlier versions would call damage:
    // the number keeps them from opening the library.
    "SELECT 1",
    // The same for corrections of a track's counts.
    "SELECT 1",
    // The same for recordings of the names of moves.
    "SELECT 1",
    // Earlier values may be numbers from here on, which earlier versions would list as texts. What was
    // overwritten before is unknown, so it is stored since when they are complete.
    """
    CREATE INDEX earlier_part ON earlier (value, record) WHERE field = 'part';
    INSERT INTO counter VALUES ('choreographyFrom', CAST(strftime('%s', 'now') AS INTEGER) * 1000);
    """,
    """
    CREATE TABLE link (
      id TEXT PRIMARY KEY,
      secret TEXT NOT NULL,
      salt TEXT NOT NULL,
      tokenHash TEXT NOT NULL UNIQUE,
      passcodeHash TEXT,
      routine TEXT NOT NULL,
      part TEXT,
      startFrame INTEGER,
      endFrame INTEGER,
      createdAt INTEGER NOT NULL,
      expiresAt INTEGER NOT NULL,
      isOver INTEGER NOT NULL,
      openings INTEGER NOT NULL,
      lastOpenedAt INTEGER
    ) STRICT, WITHOUT ROWID;
    """,
    // Everything that is there belongs to the person who runs the server.
    """
    ALTER TABLE record ADD COLUMN space TEXT NOT NULL DEFAULT 'owner';
    CREATE INDEX record_space ON record (space, seq);
    CREATE TABLE personal (
      person TEXT NOT NULL,
      type TEXT NOT NULL,
      id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      createdAt INTEGER NOT NULL,
      deletedAt INTEGER,
      fields TEXT NOT NULL CHECK (json_valid(fields)),
      stamps TEXT NOT NULL CHECK (json_valid(stamps)),
      PRIMARY KEY (person, type, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX personal_seq ON personal (person, seq);

    CREATE TABLE person (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      colour TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      anewFrom INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    INSERT INTO person (id, name, colour, createdAt) VALUES ('owner', '', '#8863de', 0);
    CREATE TABLE troupe (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      createdAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE member (
      troupe TEXT NOT NULL,
      person TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('owner', 'teacher', 'performer')),
      PRIMARY KEY (troupe, person)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE device ADD COLUMN person TEXT;
    """,
    """
    CREATE TABLE password (
      person TEXT PRIMARY KEY,
      login TEXT NOT NULL UNIQUE,
      hash TEXT NOT NULL,
      changedAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE passkey (
      id TEXT PRIMARY KEY,
      person TEXT NOT NULL,
      name TEXT NOT NULL,
      site TEXT NOT NULL,
      publicKey TEXT NOT NULL,
      algorithm INTEGER NOT NULL,
      counter INTEGER NOT NULL,
      createdAt INTEGER NOT NULL,
      lastUsedAt INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX passkey_person ON passkey (person);
    ALTER TABLE device ADD COLUMN endsAt INTEGER;
    """,
    // Records may be comments from here on. The members of a group joined before the first one.
    """
    ALTER TABLE member ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX record_move ON record (json_extract(fields, '$.move'))
      WHERE json_extract(fields, '$.move') IS NOT NULL;
    """,
    """
    CREATE TABLE account (
      id TEXT PRIMARY KEY,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      person TEXT NOT NULL,
      name TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      lastUsedAt INTEGER,
      UNIQUE (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_person ON account (person);
    """,
    """
    CREATE TABLE push (
      device TEXT PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
      endpoint TEXT NOT NULL UNIQUE,
      publicKey TEXT NOT NULL,
      authentication TEXT NOT NULL,
      level TEXT NOT NULL CHECK (level IN ('mentions', 'all')),
      language TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    // What only memory held before, and a file beside the database.
    """
    CREATE TABLE pairing (
      hash TEXT PRIMARY KEY,
      maker TEXT,
      person TEXT,
      expiresAt INTEGER NOT NULL,
      isUsed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE answered (
      challenge TEXT PRIMARY KEY,
      endsAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE secret (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    // What servers that share the library need.
    """
    ALTER TABLE job ADD COLUMN server INTEGER;
    CREATE TABLE deletion (sha256 TEXT PRIMARY KEY, server INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE hold (
      id TEXT PRIMARY KEY,
      sha256 TEXT,
      server INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
  ]

  /// Returns how many migrations the database of `connection` has seen.
  static func version(of connection: SQLiteConnection) throws(DatabaseError) -> Int {
    try connection.integer("PRAGMA user_version") ?? 0
  }

  /// Throws unless the database of `connection` has the current schema.
  static func requireCurrent(_ connection: SQLiteConnection) throws(DatabaseError) {
    let version = try version(of: connection)
    guard version == all.count else {
      throw DatabaseError(
        version > all.count ? .newerSchema : .other,
        "This library belongs to another version of Segmance. Start this version once, or update.")
    }
  }

  /// Migrates the database of `connection` to the current schema.
  ///
  /// - Throws: `newerSchema` when a later version of Segmance wrote it.
  static func migrate(_ connection: SQLiteConnection) throws(DatabaseError) {
    let version = try version(of: connection)
    guard version <= all.count else { throw newerSchema }
    for (index, sql) in all.enumerated().dropFirst(version) {
      try connection.transaction { () throws(DatabaseError) in
        try connection.execute(sql)
        try connection.execute("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  static let newerSchema = DatabaseError(
    .newerSchema,
    "This library was written by a later version of Segmance. Update Segmance to open it.")
}
