// Uploads of large files in parts, so that a broken connection costs one part.

import Glibc

extension BucketClient {
  /// Files above this size are sent in parts.
  static let wholeLimit = 64 << 20
  private static let partCountLimit = 9_000
  private static let smallestPart = 32 << 20

  /// Stores a file as an object, in parts if it is large. `sha256` is its hash. When it returns, the server
  /// has confirmed the object and its size. With `keepsHash` the object is stored with its hash.
  func upload(
    _ name: String, fileAt path: String, size: Int, sha256: String, keepsHash: Bool = false
  ) throws {
    if size <= Self.wholeLimit {
      try put(name, fileAt: path, range: 0..<size, sha256: sha256, keepsHash: keepsHash)
    } else {
      try uploadInParts(name, fileAt: path, size: size, hash: keepsHash ? sha256 : nil)
    }
    let stored = try self.size(of: name)
    guard stored == size else {
      throw StorageError(
        .corrupt, "The bucket stored this file wrongly. Try again.",
        cause: "\(name): \(stored) of \(size) bytes")
    }
  }

  /// Stores a file as an object in parts of at least `partBytes`, with `hash` if that is not nil. After a
  /// failure the parts are deleted.
  func uploadInParts(
    _ name: String, fileAt path: String, size: Int, partBytes: Int = smallestPart,
    hash: String? = nil
  ) throws {
    let partBytes = max(partBytes, size / Self.partCountLimit + 1)
    let id = try retry {
      try document(
        "POST", name, query: [("uploads", "")],
        headers: hash.map { [(Self.hashField, $0)] } ?? [], root: "InitiateMultipartUploadResult")[
          "UploadId"]
    }
    guard let id, !id.isEmpty else {
      throw BucketFailure(what: "POST", reason: "no upload id", isPassing: false)
        .storageError(address)
    }
    do {
      var parts = ""
      for (index, start) in stride(from: 0, to: size, by: partBytes).enumerated() {
        let range = start..<min(size, start + partBytes)
        let tag = try put(
          name, query: [("partNumber", "\(index + 1)"), ("uploadId", id)], fileAt: path,
          range: range, sha256: try Self.hash(ofFileAt: path, range))
        parts +=
          "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escaped(tag))</ETag></Part>"
      }
      try complete(name, id, "<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>", size)
    } catch {
      // The error says why; what can't be deleted now is found by `abandonedUploads` later.
      try? delete(name, query: [("uploadId", id)])
      throw error
    }
  }

  private func complete(_ name: String, _ id: String, _ body: String, _ size: Int) throws {
    do {
      _ = try retry {
        try document(
          "POST", name, query: [("uploadId", id)], body: Array(body.utf8),
          root: "CompleteMultipartUploadResult")
      }
    } catch {
      // An attempt whose response was lost may have completed it.
      guard try self.size(of: name) == size else { throw error }
    }
  }

  /// Deletes the parts of uploads that were never completed, of objects whose names begin with `start`.
  /// Returns how many such uploads there were.
  func deleteAbandonedParts(_ start: String) throws -> Int {
    let list = try retry {
      try document(
        "GET", "", query: [("uploads", ""), ("prefix", address.prefix + start)],
        root: "ListMultipartUploadsResult")
    }
    var count = 0
    for upload in list.children where upload.name == "Upload" {
      guard let key = upload["Key"], let id = upload["UploadId"],
        key.hasPrefix(address.prefix + start)
      else { continue }
      try delete(String(key.dropFirst(address.prefix.count)), query: [("uploadId", id)])
      count += 1
    }
    return count
  }

  /// The hash of `range` of a file.
  static func hash(ofFileAt path: String, _ range: Range<Int>) throws -> String {
    let file = try OpenFile(path, O_RDONLY)
    var hasher = SHA256Hasher()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
      let bytes = try file.read(at: start, count: min(1 << 20, range.upperBound - start))
      bytes.withUnsafeBytes { hasher.update($0) }
    }
    return hasher.digest()
  }

  /// An ETag, which the server chose, as text of XML.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
