// Where everything lies on disk. No path is ever made from a name that a person can choose.

import Model

#if canImport(Glibc)
  import Glibc
#endif

/// The layout of the data folder.
public struct DataDirectory: Sendable {
  /// The absolute path of the folder.
  public let root: String
  /// How much room is left alone on the disk; on a small disk it is a twentieth of it.
  public let reserveBytes: Int
  /// The versions of derived files that are made and read.
  public var versions = DerivedVersions.current
  /// Tells what the disk that a path lies on has, in bytes.
  package var measure: @Sendable (_ path: String) throws -> (free: Int, total: Int) = Files.space

  /// Names the folder; `prepare()` makes it.
  public init(root: String, reserveBytes: Int = 256 << 20) {
    self.root = Self.absolute(root)
    self.reserveBytes = reserveBytes
  }

  public var database: String { root + "/segmance.sqlite" }
  /// Whoever holds its lock has the library open.
  public var lock: String { root + "/segmance.lock" }
  public var blobs: String { root + "/blobs" }
  public var derived: String { root + "/derived" }
  public var uploads: String { root + "/uploads" }
  public var exports: String { root + "/exports" }
  public var tmp: String { root + "/tmp" }
  /// Where a restored library is built.
  var restoring: String { root + "/restoring" }
  /// The authority of this installation.
  public var tls: String { root + "/tls" }
  /// Where the running server is.
  public var runtimeFile: String { root + "/serving.json" }
  /// Whether the network was last switched on.
  public var networkChoice: String { root + "/network.json" }

  /// Makes an empty file where there is none, which belongs to the folder's owner.
  public func createIfMissing(_ path: String) throws { try Files.createIfMissing(path) }

  /// Makes the folders, readable only by the owner, and clears away what a crash left behind: all
  /// that is in `tmp`, and `restoring`. Call it once, before anything else uses the folder.
  ///
  /// - Returns: why some of that had to stay (a command that ran as root left it, say); nil when all
  ///   is gone.
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

  /// Throws `fileSystem` where a folder that is emptied, or one of `others`, is a link: a command that
  /// runs as root would remove files wherever the service's user made it lead.
  func requireNoLinks(_ others: String...) throws {
    for path in [derived, uploads, exports, tmp] + others where Files.isLink(path) {
      throw StorageError(.fileSystem, "\(path) is a link. Put a folder in its place.")
    }
  }

  /// Returns the folder of what was made from a track or video. An id that is no id leads to a
  /// folder that never exists.
  public func derived(_ id: String) -> String {
    derived + "/" + (Self.isPlain(id) ? id : "no-such-id")
  }

  /// Returns where the bytes with this hash lie.
  public func blob(_ sha256: String) -> String {
    guard Self.isPlain(sha256), sha256.utf8.count == 64 else { return blobs + "/no-such-blob" }
    return blobs + "/" + sha256.prefix(2) + "/" + sha256
  }

  /// Returns the file of a track's frames `number`·480000 … of the practice rendition.
  public func chunk(track: String, _ number: Int) -> String {
    derived(track) + "/" + Self.chunkName(number)
  }

  /// Returns the file that is played of a video whose original not every browser plays.
  public func video(_ id: String) -> String {
    derived(id) + "/" + Self.videoName
  }

  /// Returns the picture that stands for a video until it plays.
  public func poster(video id: String) -> String {
    derived(id) + "/" + Self.posterName
  }

  /// Removes what was made from a track or video; it is no error when there is nothing.
  public func removeDerived(_ id: String) throws {
    try Files.removeTree(derived(id))
  }

  /// Returns whether a track's waveform and every chunk of its practice rendition are there.
  public func hasRendition(track: String, lengthFrames: Int) -> Bool {
    peaks(track: track) != nil
      && (0..<Timeline.chunkCount(lengthFrames: lengthFrames)).allSatisfy {
        Files.exists(chunk(track: track, $0))
      }
  }

  /// The size of the database, with what is not yet checkpointed.
  public func databaseBytes() throws -> Int {
    try [database, database + "-wal"].filter(Files.exists)
      .reduce(0) { sum, path in sum + (try Files.size(of: path)) }
  }

  /// Removes a file under `tmp`; it is no error when there is none.
  public func removeTemporary(_ name: String) throws { try Files.remove(tmp + "/" + name) }

  /// Removes a file that `temporaryPath` named; it is no error when there is none.
  public func removeTemporary(at path: String) throws { try Files.remove(path) }

  /// Returns the ids of all tracks and videos that have a folder under `derived`. A restored library
  /// has none before its first start.
  public func derivedIds() throws -> [String] {
    Files.exists(derived) ? try Files.names(in: derived).sorted() : []
  }

  /// The bytes of what was made from a track or video; 0 where there is nothing.
  public func derivedBytes(_ id: String) throws -> Int { try Files.treeBytes(derived(id)) }

  /// The bytes of exports that wait to be fetched.
  public func exportBytes() throws -> Int { try Files.treeBytes(exports) }

  /// The room on the disk, in bytes: what is free, the whole, and what is left alone of it.
  public func space() throws -> (free: Int, total: Int, reserve: Int) {
    let space = try measure(root)
    return (space.free, space.total, min(reserveBytes, space.total / 20))
  }

  /// Returns whether the disk is down to its reserve.
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

  /// Writes a file that only the owner can read, whole or not at all, in place of an older one.
  public func writePrivately(_ bytes: [UInt8], to path: String) throws {
    let new = temporaryPath("file")
    do {
      try Files.writeNew(new, bytes)
      try Files.move(new, to: path)
    } catch {
      // What could not be named must not stay.
      try? Files.remove(new)
      throw error
    }
    try Files.syncFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  package static let videoName = "video.mp4"
  package static let posterName = "poster.jpg"

  package static func chunkName(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits + ".flac"
  }

  /// Returns a fresh name under `tmp`.
  public func temporaryPath(_ purpose: String) -> String {
    tmp + "/" + purpose + "-" + Files.randomName()
  }

  static func isPlain(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 64
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
          return true
        default:
          return false
        }
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
