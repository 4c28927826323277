// The paths of all files on disk. No path is ever made from a name that a user can choose.

import Model
import Text

#if canImport(Glibc)
  import Glibc
#endif

/// The layout of the data folder.
public struct DataDirectory: Sendable {
  /// The absolute path of the folder.
  public let root: String
  /// Disk space that is kept free; on a small disk a twentieth of it.
  public let reserveBytes: Int
  /// The versions of derived files that are written and read.
  public var versions = DerivedVersions.current
  /// Returns the free and total bytes of the disk that holds a path.
  package var measure: @Sendable (_ path: String) throws -> (free: Int, total: Int) = Files.space

  /// `prepare()` creates the folder.
  public init(root: String, reserveBytes: Int = 256 << 20) {
    self.root = Self.absolute(root)
    self.reserveBytes = reserveBytes
  }

  public var database: String { root + "/segmance.sqlite" }
  /// The file that names the database server, if the records are on one. It may hold a password.
  public var addressFile: String { root + "/database.address" }
  /// A process that has the library open holds this lock.
  public var lock: String { root + "/segmance.lock" }
  public var blobs: String { root + "/blobs" }
  /// Blobs of a bucket that were read or written lately.
  public var blobCache: String { root + "/blob-cache" }
  /// Which bucket holds the blobs; without this file, the folder `blobs` does.
  public var bucketFile: String { root + "/bucket.json" }
  public var derived: String { root + "/derived" }
  /// The ids of records whose derived files in a bucket belong to a library that a restore replaced.
  var staleFile: String { root + "/derived-stale.json" }
  public var uploads: String { root + "/uploads" }
  public var exports: String { root + "/exports" }
  public var tmp: String { root + "/tmp" }
  /// Where a restored library is built.
  var restoring: String { root + "/restoring" }
  /// The certificate authority of this installation.
  public var tls: String { root + "/tls" }
  /// The address of the running server.
  public var runtimeFile: String { root + "/serving.json" }
  /// Whether the network was last switched on.
  public var networkChoice: String { root + "/network.json" }

  /// Creates an empty file if it does not exist, owned by the folder's owner.
  public func createIfMissing(_ path: String) throws { try Files.createIfMissing(path) }

  /// Creates the folders, readable only by the owner, and removes the leftovers of a crash: all
  /// files in `tmp`, and `restoring`. Call it once, before the folder is used.
  ///
  /// - Returns: why some of them could not be removed (for instance files that root owns); nil if
  ///   all are gone.
  @discardableResult
  public func prepare() throws -> (any Error)? {
    for path in [root, blobs, derived, uploads, exports, tmp, tls] {
      try Files.makeFolder(path)
    }
    try requireNoLinks()
    var problem: (any Error)?
    for scrap in try Files.names(in: tmp).map({ tmp + "/" + $0 }) + [restoring] {
      do { try Files.removeTree(scrap) } catch { problem = error }
    }
    return problem
  }

  /// Throws `fileSystem` if a folder that is emptied, or one of `others`, is a link. The service's
  /// user could otherwise make a command that runs as root remove files elsewhere.
  func requireNoLinks(_ others: String...) throws {
    for path in [derived, uploads, exports, tmp] + others where Files.isLink(path) {
      throw StorageError(.fileSystem, "\(path) is a link. Put a folder in its place.")
    }
  }

  /// Returns the folder of the files derived from a track, video or recording. An invalid id leads to a folder
  /// that never exists.
  public func derived(_ id: String) -> String {
    derived + "/" + (Self.isPlain(id) ? id : "no-such-id")
  }

  /// Returns the path of the blob with this hash.
  public func blob(_ sha256: String) -> String {
    guard Self.isPlain(sha256), sha256.utf8.count == 64 else { return blobs + "/no-such-blob" }
    return blobs + "/" + sha256.prefix(2) + "/" + sha256
  }

  /// Returns the file that holds the track's frames from `number`·480000 on.
  public func chunk(track: String, _ number: Int) -> String {
    derived(track) + "/" + Self.chunkName(number)
  }

  /// Returns the converted file of a video whose original not every browser plays.
  public func video(_ id: String) -> String {
    derived(id) + "/" + Self.videoName
  }

  /// Returns the voice file of a recording.
  public func voice(recording id: String) -> String {
    derived(id) + "/" + Self.voiceName
  }

  /// Returns the picture that is shown for a video until it plays.
  public func poster(video id: String) -> String {
    derived(id) + "/" + Self.posterName
  }

  /// Gives a copy of a track, video or recording the derived files of the original, which are never
  /// written to. Does nothing if there are none.
  public func copyDerived(of id: String, to copy: String) throws {
    guard Files.exists(derived(id)) else { return }
    let path = temporaryPath("copy")
    do {
      try Files.linkFiles(of: derived(id), in: path)
      try Files.move(path, to: derived(copy))
      try Files.syncFolder(derived)
    } catch {
      try Files.removeTree(path)
      throw error
    }
  }

  /// Removes the files derived from a track, video or recording; does nothing if there are none.
  public func removeDerived(_ id: String) throws {
    try Files.removeTree(derived(id))
  }

  /// Returns whether a track's waveform and every chunk of its practice rendition exist.
  public func hasRendition(track: String, lengthFrames: Int) -> Bool {
    hasRendition(lengthFrames: lengthFrames) { Files.exists(derived(track) + "/" + $0) }
  }

  /// Returns the same of a track whose files are told by their names.
  public func hasRendition(lengthFrames: Int, among hasFile: (_ name: String) -> Bool) -> Bool {
    peaksName(among: hasFile) != nil
      && (0..<Timeline.chunkCount(lengthFrames: lengthFrames)).allSatisfy {
        hasFile(Self.chunkName($0))
      }
  }

  /// The address of the database server that holds the records; nil if they are in this folder.
  ///
  /// The folder says so itself, and no option has to: who left it out would find an empty library, or an
  /// old one, and write there.
  public var databaseAddress: String? {
    get throws {
      guard Files.exists(addressFile) else { return nil }
      let text = String(decoding: try Files.read(addressFile), as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      guard !line.isEmpty else {
        throw StorageError(.corrupt, "The file \(addressFile) holds no address of a database.")
      }
      return line
    }
  }

  /// Throws `busy` if the records of this folder's library are elsewhere than on the database server at
  /// `address`.
  public func requireRecords(at address: String) throws {
    if let known = try databaseAddress {
      guard known != address else { return }
      throw StorageError(
        .busy,
        "The records of the library in \(root) are at another address than --database says. Leave "
          + "--database out, or write the new address of the same server into \(addressFile).")
    }
    guard !hasDatabaseFile else {
      throw StorageError(
        .busy,
        "The records of the library in \(root) are in that folder. Move them first: segmance migrate "
          + "--to ADDRESS")
    }
  }

  /// Names the database server that holds the records.
  public func writeDatabaseAddress(_ address: String) throws {
    try writePrivately(Array((address + "\n").utf8), to: addressFile)
  }

  /// Whether there is a database in this folder.
  public var hasDatabaseFile: Bool { Files.exists(database) }

  /// Whether there is a library in this folder, or for it on a server.
  public var hasLibrary: Bool { hasDatabaseFile || Files.exists(addressFile) }

  /// Removes the database in this folder, where the records are on a server.
  public func removeDatabaseFile() throws {
    for suffix in ["-wal", "-shm", ""] { try Files.remove(database + suffix) }
    try Files.syncFolder(root)
  }

  /// Gives the database in this folder, which has no log, the name of one that is used no more.
  public func putDatabaseFileAside() throws {
    for suffix in ["-wal", "-shm"] { try Files.remove(database + suffix) }
    try Files.move(database, to: root + "/segmance-before-move.sqlite")
    try Files.syncFolder(root)
  }

  /// Makes the complete database at `path` in this folder the one of the folder.
  public func moveInDatabaseFile(at path: String) throws {
    try OpenFile(path, O_RDONLY).sync()
    try Files.move(path, to: database)
    try Files.syncFolder(root)
  }

  /// Lets the records be in this folder's database, and no longer on a server.
  public func forgetDatabaseAddress() throws {
    try Files.remove(addressFile)
    try Files.syncFolder(root)
  }

  /// Removes a file under `tmp`; does nothing if there is none.
  public func removeTemporary(_ name: String) throws { try Files.remove(tmp + "/" + name) }

  /// Removes a file that `temporaryPath` named; does nothing if there is none.
  public func removeTemporary(at path: String) throws { try Files.remove(path) }

  /// Returns the ids of all tracks, videos and recordings that have a folder under `derived`. A restored library
  /// has none before its first start.
  public func derivedIds() throws -> [String] {
    Files.exists(derived) ? try Files.names(in: derived).sorted() : []
  }

  /// The size of the files derived from a track, video or recording; 0 if there are none.
  public func derivedBytes(_ id: String) throws -> Int { try Files.treeBytes(derived(id)) }

  /// The size of the stored exports.
  public func exportBytes() throws -> Int { try Files.treeBytes(exports) }

  /// The disk space in bytes: free, total, and kept in reserve.
  public func space() throws -> (free: Int, total: Int, reserve: Int) {
    let space = try measure(root)
    return (space.free, space.total, min(reserveBytes, space.total / 20))
  }

  /// Returns whether only the reserve is free.
  public func isFull() throws -> Bool {
    do {
      try requireSpace(for: 0)
      return false
    } catch let error as StorageError where error.code == .noSpace {
      return true
    }
  }

  /// Throws `noSpace` unless `bytes` more fit on the disk without touching the reserve.
  public func requireSpace(for bytes: Int) throws {
    let space = try space()
    guard space.free - space.reserve >= bytes else { throw StorageError.noSpace }
  }

  /// Writes a file that only the owner can read, atomically, replacing an existing one.
  public func writePrivately(_ bytes: [UInt8], to path: String) throws {
    let new = temporaryPath("file")
    do {
      try Files.writeNew(new, bytes)
      try Files.move(new, to: path)
    } catch {
      // The temporary file must not stay after a failed rename.
      try? Files.remove(new)
      throw error
    }
    try Files.syncFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  public static let videoName = "video.mp4"
  public static let posterName = "poster.jpg"
  public static let voiceName = "voice.wav"

  public static func chunkName(_ number: Int) -> String {
    number.padded(to: 5) + ".flac"
  }

  /// Returns a new unique path under `tmp`.
  public func temporaryPath(_ purpose: String) -> String {
    tmp + "/" + purpose + "-" + Files.randomName()
  }

  static func isPlain(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 64 && id.utf8.allSatisfy(isPlain(byte:))
  }

  static func isPlain(byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func absolute(_ path: String) -> String {
    var result = path
    if !result.hasPrefix("/") {
      // getcwd allocates with a nil buffer; freed right here.
      if let current = getcwd(nil, 0) {
        defer { free(current) }
        result = String(cString: current) + "/" + result
      }
    }
    while result.count > 1 && result.hasSuffix("/") { result.removeLast() }
    return result
  }
}
