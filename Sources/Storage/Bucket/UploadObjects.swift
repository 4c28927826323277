// The objects of an upload in a bucket, and what their names tell.

import Text

/// Some bytes of an upload, as an object named by their place, their number and their hash.
struct UploadPiece: Equatable {
  /// Where its first byte belongs in the file.
  let offset: Int
  let length: Int
  let sha256: String

  /// The place after its last byte.
  var end: Int { offset + length }

  var name: String {
    "\(offset.padded(to: Self.digits))-\(length.padded(to: Self.digits))-\(sha256)"
  }

  init(offset: Int, length: Int, sha256: String) {
    self.offset = offset
    self.length = length
    self.sha256 = sha256
  }

  /// Reads a name; nil if it is none, or if the object has another size.
  init?(_ name: some StringProtocol, size: Int) {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 3, let offset = Int(words[0]), let length = Int(words[1]), length > 0,
      length == size, BlobReference.isHash(words[2])
    else { return nil }
    self.init(offset: offset, length: length, sha256: String(words[2]))
    guard self.name == name else { return nil }
  }

  private static let digits = 13

  /// The pieces that follow each other from a place on without a gap, in order, and reach as far as any do.
  /// They may overlap: bytes that came twice are the same.
  static func chain(_ pieces: [UploadPiece], from start: Int) -> [UploadPiece] {
    var rest = pieces.sorted { $0.offset < $1.offset }[...]
    var chain: [UploadPiece] = []
    var reached = start
    while true {
      var longest: UploadPiece?
      while let next = rest.first, next.offset <= reached {
        rest.removeFirst()
        if next.end > longest?.end ?? reached { longest = next }
      }
      guard let longest else { return chain }
      chain.append(longest)
      reached = longest.end
    }
  }
}

/// What a bucket holds of one upload.
struct UploadObjects {
  /// What the names of all uploads begin with.
  static let start = "uploads/"

  /// The length of the whole file; nil if the object that says so is not there.
  private(set) var length: Int?
  /// When the last object came, in seconds since 1970.
  private(set) var touchedAt = Int.min
  /// The names of all objects.
  private(set) var names: [String] = []
  private var found: [UploadPiece] = []

  /// The pieces that lie within the file.
  var pieces: [UploadPiece] {
    guard let length else { return [] }
    return found.filter { $0.end <= length }
  }

  /// How many bytes are there from the beginning on without a gap.
  var offset: Int { UploadPiece.chain(pieces, from: 0).last?.end ?? 0 }

  /// The name of the object that holds the file's name. Its own says how long the file is, so that a list tells
  /// the state of all uploads.
  static func description(_ id: String, length: Int) -> String {
    start + id + "/upload-\(length).json"
  }

  static func name(_ id: String, _ piece: UploadPiece) -> String { start + id + "/" + piece.name }

  /// Sorts a list by uploads. Whatever else lies there is not ours. An object without a time came `now`.
  static func uploads(in list: [BucketClient.Entry], now: Int) -> [String: UploadObjects] {
    var uploads: [String: UploadObjects] = [:]
    for entry in list {
      let words = entry.name.dropFirst(start.utf8.count).split(
        separator: "/", omittingEmptySubsequences: false)
      guard words.count == 2, DataDirectory.isPlain(String(words[0])) else { continue }
      let length = length(words[1])
      let piece = UploadPiece(words[1], size: entry.size)
      guard length != nil || piece != nil else { continue }
      var upload = uploads[String(words[0])] ?? UploadObjects()
      upload.names.append(entry.name)
      upload.touchedAt = max(upload.touchedAt, entry.modifiedAt ?? now)
      if let length { upload.length = length }
      if let piece { upload.found.append(piece) }
      uploads[String(words[0])] = upload
    }
    return uploads
  }

  private static func length(_ name: Substring) -> Int? {
    guard name.hasPrefix("upload-"), name.hasSuffix(".json") else { return nil }
    let digits = name.dropFirst(7).dropLast(5)
    guard let length = Int(digits), length >= 0, "\(length)" == digits else { return nil }
    return length
  }
}
