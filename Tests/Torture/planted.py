"""Programs with a bug planted in them. A trial that does not catch its bug proves nothing."""

import shutil
import subprocess

import planting
import rig

# Each bug: the file, the original text, and its replacement.
BUGS = {
    "answer-before-commit": [
        ("Sources/Server/Library.swift", "import Database\n", "import Database\nimport Dispatch\n"),
        ("Sources/Server/Library.swift", "    if !changes.isEmpty { rejected += try merge(changes, by: viewer) }\n", """
    if !changes.isEmpty {
      let late = changes
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
        _ = try? self.merge(late, by: viewer)
      }
    }
"""),
    ],
    "record-before-blob": [
        ("Sources/Storage/FolderBlobStore.swift",
         "import Locking\n", "import Dispatch\nimport Locking\n"),
        ("Sources/Storage/FolderBlobStore.swift", "      try Files.move(staged.path, to: target)\n", """
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
        try? Files.move(staged.path, to: target)
      }
"""),
    ],
    "upload-not-synced": [
        ("Sources/Storage/FolderUploadAppender.swift", "      try file.sync()\n", ""),
    ],
    "blob-not-synced": [
        # The upload was synced when it was received. A copy of it is not.
        ("Sources/Storage/FolderBlobStore.swift", "      try rename(staged)\n", """
      let copy = try stage(copyOf: staged.path)
      try staged.discard()
      try rename(copy)
"""),
        ("Sources/Storage/BlobStore.swift",
         "      try file.sync()\n    } catch {\n", "    } catch {\n"),
    ],
    "shelf-not-synced": [
        ("Sources/Storage/FolderBlobStore.swift", "    try Files.syncFolder(shard)\n", ""),
    ],
    "unlink-before-commit": [
        ("Sources/Server/Tracks/MediaRecords.swift", "      try library.commit([Library.Edit(type, id, fields)])\n", """
      if let sha256 = try library.records.record(type, id)?["sha256"].text {
        try library.blobs.remove(sha256)
      }
      try library.commit([Library.Edit(type, id, fields)])
"""),
    ],
    "row-not-synced": [
        ("Sources/Database/SQLite/SQLiteConnection.swift",
         'try execute("PRAGMA journal_mode = WAL")\n      try execute("PRAGMA synchronous = FULL")',
         'try execute("PRAGMA journal_mode = WAL")\n      try execute("PRAGMA synchronous = OFF")'),
    ],
    "commit-not-awaited": [
        ("Sources/Database/PostgreSQL/PostgreSQLConnection.swift",
         "SET enable_seqscan = off;", "SET synchronous_commit = off; SET enable_seqscan = off;"),
    ],
    "second-server-let-in": [
        ("Sources/Database/PostgreSQL/PostgreSQLEngine.swift",
         "    try replaceBrokenGuardian()\n", ""),
    ],
    "record-before-object": [
        ("Sources/Storage/Bucket/BucketBlobStore.swift", """    try asking {
      try client.upload(
        Self.start + sha256, fileAt: path, size: reference.size, sha256: sha256)
    }
""", """    let late = "\\(path).late"
    guard link(path, late) == 0 else { throw StorageError.system("link", late) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { [client] in
      try? client.upload(
        Self.start + sha256, fileAt: late, size: reference.size, sha256: sha256)
      try? Files.remove(late)
    }
"""),
    ],
    "object-kept": [
        ("Sources/Storage/Bucket/BucketBlobStore.swift",
         "        try asking { try client.delete(Self.start + sha256) }\n", ""),
    ],
    "later-schema-let-in": [
        ("Sources/Database/PostgreSQL/PostgreSQLSchema.swift",
         "      guard version <= number else { throw Migrations.newerSchema }\n", ""),
    ],
    "all-columns-read": [
        ("Sources/Database/RecordStore+Pages.swift",
         "SELECT type, id, seq, createdAt, deletedAt, fields FROM record",
         "SELECT type, id, seq, createdAt, deletedAt, fields, record.* FROM record"),
    ],
    "others-not-awaited": [
        ("Sources/Server/Sharing/Sharing.swift",
         "      return done.wait(timeout: .now() + .milliseconds(Sharing.repetition)) == .success", "      return true"),
    ],
    "swallowed-failure": [
        ("Sources/Server/Library.swift", "    if !changes.isEmpty { rejected += try merge(changes, by: viewer) }\n",
         "    if !changes.isEmpty { _ = try? merge(changes, by: viewer) }\n"),
    ],
    "write-failure-swallowed": [
        ("Sources/Storage/Files.swift", 'throw StorageError.system("write", path)', "return"),
    ],
    "sync-failure-swallowed": [
        ("Sources/Storage/Files.swift",
         'if errno != EINTR { throw StorageError.system("fsync", path) }', "return"),
    ],
    "scraps-kept": [
        ("Sources/Storage/Files.swift",
         "    } catch {\n      try removeTree(path)\n      throw error\n",
         "    } catch {\n      throw error\n"),
    ],
    "refused-for-good": [
        ("Sources/Database/LibraryDatabase.swift",
         "if error.code != .busy { writingProblem", "isReadOnly = error.code == .full\n"
         "        if error.code != .busy { writingProblem"),
    ],
    "wordless-end": [
        ("Sources/Server/Library.swift", "guard error.code == .full || error.code == .other,",
         "guard error.code == .newerSchema,"),
    ],
    "crash-on-refusal": [
        ("Sources/Media/ImportRefusal.swift",
         "    let known: [(String, MediaError)] = [\n",
         "    precondition(messages.count < 200)\n    let known: [(String, MediaError)] = [\n"),
    ],
    "half-a-video-kept": [
        ("Sources/Storage/Files.swift",
         "    } catch {\n      try removeTree(path)\n      throw error\n",
         "    } catch {\n      throw error\n"),
    ],
    "undescribed-answer": [
        ("Sources/Server/Routes/SyncRoutes.swift", r'],\"rejected\":', r'],\"refused\":'),
    ],
    "fault-for-nothing": [
        ("Sources/Server/Routes/JobRoutes.swift", "throw HTTPError.notFound(",
         "throw HTTPError(500, detail: "),
    ],
    "anything-is-a-number": [
        ("Sources/HTTP/Request.swift",
         'throw .badRequest("The query value \\(name) must be a whole number.")', "return nil"),
    ],
    "first-of-a-millisecond": [
        ("Sources/Model/Record.swift", "          cell.stamp < change.at\n",
         "          cell.stamp.milliseconds < change.at.milliseconds\n"),
    ],
    "one-change-a-record": [
        ("Sources/Database/RecordStore.swift", "groups[index].append(change)", "_ = index"),
    ],
    "news-untold": [
        ("Sources/Database/RecordStore.swift",
         "SET space = excluded.space, seq = excluded.seq,", "SET space = excluded.space,"),
    ],
    "descriptor-kept": [
        ("Sources/HTTP/MicrohttpdConnection.swift",
         "let descriptor = file.release()", "let descriptor = dup(file.release())"),
    ],
    "answer-kept": [
        ("Sources/Server/Routes/SyncRoutes.swift",
         "import Model\n", "import Model\nimport Synchronization\n"),
        ("Sources/Server/Routes/SyncRoutes.swift", "enum SyncRoutes {\n",
         "private let kept = Mutex<[[UInt8]]>([])\n\nenum SyncRoutes {\n"),
        ("Sources/Server/Routes/SyncRoutes.swift", "    return .json(encoded: json)\n",
         "    kept.withLock { [json] in $0.append(json + [UInt8](repeating: 1, count: 1 << 16)) }\n"
         "    return .json(encoded: json)\n"),
    ],
    "few-connections": [
        ("Sources/HTTP/Configuration.swift",
         "connectionsPerLoopbackAddress = 1536", "connectionsPerLoopbackAddress = 300"),
    ],
    "no-share-for-others": [
        ("Sources/HTTP/Configuration.swift",
         "connectionsPerLoopbackAddress = 1536", "connectionsPerLoopbackAddress = 100_000"),
    ],
    "patient-with-headers": [
        ("Sources/HTTP/Configuration.swift",
         "headerTimeoutSeconds = 10", "headerTimeoutSeconds = 100_000"),
    ],
    "patient-with-bodies": [
        ("Sources/HTTP/Configuration.swift",
         "minimumBodyBytesPerSecond = 200", "minimumBodyBytesPerSecond = 0"),
    ],
    "patient-with-streams": [
        ("Sources/HTTP/HTTPExchange.swift",
         "      goesOn = expectBody(.streaming(sink, limit: limit))\n",
         "      stage = .streaming(sink, limit: limit)\n      goesOn = true\n"),
    ],
    "patient-with-silence": [
        ("Sources/HTTP/Configuration.swift",
         "idleTimeoutSeconds = 75", "idleTimeoutSeconds = 100_000"),
    ],
    "route-left-open": [
        ("Sources/Server/Routes/JobRoutes.swift",
         'responses: [.json(200, "The job", "Job")], access: .person(.job)\n',
         'responses: [.json(200, "The job", "Job")], access: .everyone\n'),
    ],
    "revoked-comes-in": [
        ("Sources/Server/Devices/Devices.swift", "          state.ids[row.tokenHash] = nil\n", ""),
    ],
    "revoked-after-restart": [
        ("Sources/Server/Devices/Devices.swift", "      try store.remove(id)\n", ""),
    ],
    "revoked-listens": [
        ("Sources/Server/Devices/Library+Revocation.swift",
         "    hub.close { $0.device.map(revoked.contains) ?? false }\n", ""),
        ("Sources/Server/Listener/StudioAuthenticator.swift",
         "    case .device(let id, _): devices.isPaired(id)\n", "    case .device: true\n"),
    ],
    "raw-path": [
        ("Sources/HTTP/Application.swift", "        try route.access.authorize(request.caller)\n",
         '        if request.target.contains(route.pattern.prefix { $0 != "{" }) {\n'
         "          try route.access.authorize(request.caller)\n        }\n"),
    ],
    "mark-hides-slash": [
        ("Sources/HTTP/Router.swift",
         '    path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), '
         "omittingEmptySubsequences: false)\n      .map { Substring($0) }\n",
         '    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)\n'),
    ],
    "methods-told": [
        ("Sources/HTTP/Application.swift", """      case .otherMethods(let methods):
        if Application.isInterface(target.path) { try Access.person(nil).authorize(request.caller) }
""", """      case .otherMethods(let methods):
"""),
    ],
    "device-as-owner": [
        ("Sources/HTTP/Caller.swift", "(.device, .device(_, of: nil)), (.person, .device),\n"
         "      (.visitor, .device), (.visitor, .visitor)", "(_, .device), (.visitor, .visitor)"),
        ("Sources/HTTP/Caller.swift", """    case (.owner, .device):
      throw .forbidden("Only the owner may do this, at the machine that Segmance runs on.")
    case (.device, .device):
      throw .forbidden("Only the person who runs this server may do this.")
""", ""),
    ],
    "write-from-elsewhere": [
        ("Sources/HTTP/Application.swift",
         "      if request.method.isWrite { try hosts.checkOrigin(of: request, host: host) }\n",
         "      if request.method == .post { try hosts.checkOrigin(of: request, host: host) }\n"),
    ],
    "read-from-elsewhere": [
        ("Sources/HTTP/Application.swift",
         "if route.access != .everyone, !request.method.isWrite {",
         "if route.access == .owner, !request.method.isWrite {"),
    ],
    "host-by-prefix": [
        ("Sources/HTTP/HostPolicy.swift",
         "      if let known = state.origins[host] { return known }\n", """
      if let known = state.origins.first(where: { host.hasPrefix($0.key) }) { return known.value }
"""),
    ],
}

# A version whose schema has a step more, which adds what a step may add.
LATER = [
    ("Sources/Database/PostgreSQL/PostgreSQLSchema.swift",
     "      EXECUTE FUNCTION countChange('links');\n    \"\"\",\n  ]\n", """\
      EXECUTE FUNCTION countChange('links');
    \"\"\",
    \"\"\"
    ALTER TABLE record ADD tempo bigint NOT NULL DEFAULT 120;
    ALTER TABLE person ADD shoe text COLLATE "C";
    ALTER TABLE schemaVersion ADD rehearsals bigint NOT NULL DEFAULT 0;
    CREATE INDEX record_tempo ON record (tempo, seq);
    CREATE TABLE rehearsal (id text COLLATE "C" PRIMARY KEY, tempo bigint NOT NULL);
    \"\"\",
  ]
"""),
    ("Sources/Database/SQLite/Migrations.swift", "    ) STRICT, WITHOUT ROWID;\n    \"\"\",\n  ]\n", """\
    ) STRICT, WITHOUT ROWID;
    \"\"\",
    \"\"\"
    ALTER TABLE record ADD COLUMN tempo INTEGER NOT NULL DEFAULT 120;
    ALTER TABLE person ADD COLUMN shoe TEXT;
    CREATE INDEX record_tempo ON record (tempo, seq);
    CREATE TABLE rehearsal (id TEXT PRIMARY KEY, tempo INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    \"\"\",
  ]
"""),
    ("Sources/Database/TableCopy.swift", "#deletedAt fields stamps\", key: 2),",
     "#deletedAt fields stamps #tempo\", key: 2),"),
    ("Sources/Database/TableCopy.swift", '    Table("person", "id name colour #createdAt #anewFrom"),\n',
     '    Table("person", "id name colour #createdAt #anewFrom shoe"),\n    Table("rehearsal", "id #tempo"),\n'),
]


def build_later():
    """Builds a program of a later version; returns its path."""
    return _build("later", LATER)


def build(name):
    """Builds the program with the bug `name`, or with None without one, in a copy of the sources;
    returns its path."""
    return _build(name or "none", BUGS[name] if name else [])


def _build(name, changes):
    tree = rig.ROOT / ".build" / "planted" / "tree"
    planting.plant(rig.ROOT, tree, changes)
    scratch = rig.ROOT / ".build" / "planted" / "scratch"
    subprocess.run(
        ["swift", "build", "--product", "segmance", "--package-path", str(tree),
         "--scratch-path", str(scratch)], check=True, stdout=subprocess.DEVNULL)
    program = rig.ROOT / ".build" / "planted" / name
    shutil.copy2(scratch / "debug" / "segmance", program)
    return program
