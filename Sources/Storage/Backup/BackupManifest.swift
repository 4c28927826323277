// The manifest of a backup, its first file. docs/FORMATS.md describes the whole format.

import FoundationEssentials

/// The list of files in a backup.
public struct BackupManifest: Codable, Sendable, Equatable {
  /// One file of the backup after the manifest.
  public struct File: Codable, Sendable, Equatable {
    /// Its name in the archive: `segmance.sqlite`, or `blobs/ab/abcd…`.
    public var path: String
    public var sha256: String
    public var size: Int

    /// Lists a file.
    public init(path: String, sha256: String, size: Int) {
      self.path = path
      self.sha256 = sha256
      self.size = size
    }

    /// Lists a blob.
    public init(blob: BlobReference) {
      self.init(
        path: "blobs/\(blob.sha256.prefix(2))/\(blob.sha256)", sha256: blob.sha256, size: blob.size)
    }
  }

  public static let format = "segmance-backup"
  public static let version = 1
  public static let databasePath = "segmance.sqlite"
  static let manifestPath = "manifest.json"
  static let endPath = "end.json"

  public var format = Self.format
  public var version = Self.version
  /// The version of the database's schema.
  public var schema: Int
  /// The version of Segmance that wrote it.
  public var segmance: String
  /// The id of the library.
  public var library: String
  /// The time of the backup, in milliseconds since 1970.
  public var createdAt: Int
  /// The database first, then the blobs in the order of their hashes.
  public var files: [File]
  /// Hashes of blobs that the library refers to but had already lost.
  public var missing: [String]

  /// Makes a manifest of the current version.
  public init(
    schema: Int, segmance: String, library: String, createdAt: Int, files: [File],
    missing: [String]
  ) {
    self.schema = schema
    self.segmance = segmance
    self.library = library
    self.createdAt = createdAt
    self.files = files
    self.missing = missing
  }

  /// The total size of all files.
  public var contentBytes: Int { files.reduce(0) { $0 + $1.size } }

  /// The file's bytes.
  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// Reads the first file of an untrusted archive; checks every name and size.
  init(decoding bytes: [UInt8]) throws {
    struct Head: Decodable {
      var format: String
      var version: Int
    }
    do {
      let head = try JSONDecoder().decode(Head.self, from: Data(bytes))
      guard head.format == Self.format else {
        throw StorageError.notBackup("format \(head.format)")
      }
      guard head.version == Self.version else { throw StorageError.newerBackup }
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError.notBackup("the manifest: \(error)")
    }
    guard schema > 0, let first = files.first, first.path == Self.databasePath,
      Self.isHash(first.sha256), missing.allSatisfy(Self.isHash)
    else { throw StorageError.notBackup("the manifest lists no database") }
    var last = ""
    for file in files.dropFirst() {
      let reference = File(blob: BlobReference(sha256: file.sha256, size: file.size))
      guard Self.isHash(file.sha256), file == reference, file.sha256 > last else {
        throw StorageError.notBackup("the manifest lists a file that no library has")
      }
      last = file.sha256
    }
    var total = 0
    for file in files {
      let (sum, isOver) = total.addingReportingOverflow(file.size)
      guard file.size >= 0, !isOver, sum < 1 << 60 else {
        throw StorageError.notBackup("the manifest lists an impossible size")
      }
      total = sum
    }
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// The last file of a backup. It marks the backup as complete and lists the blobs that were intact
/// when they were copied.
struct BackupEnd: Codable, Equatable {
  /// One character for each blob in the manifest's order: 1, or 0 if its bytes did not match its
  /// hash.
  var intact: String

  func encoded() -> [UInt8] { Array("{\"intact\":\"\(intact)\"}".utf8) }

  /// Its length for this many blobs; known before it is written.
  static func size(blobs: Int) -> Int { 13 + blobs }
}

extension StorageError {
  static func notBackup(_ cause: String) -> StorageError {
    StorageError(
      .unusableBackup, "This file is no backup of Segmance, or it is damaged. Choose another one.",
      cause: cause)
  }

  static func damagedBackup(_ cause: String) -> StorageError {
    StorageError(
      .unusableBackup,
      "This backup is damaged or not complete. Nothing was changed. Choose another one.",
      cause: cause)
  }

  static let newerBackup = StorageError(
    .unusableBackup,
    "This backup was written by a later version of Segmance. Update Segmance first.")
}
