// gzip through zlib, and whether a client takes it.

import CZlib

/// What a client can unpack (RFC 9110, 12.5.3).
enum ContentCoding {
  /// Tells whether an Accept-Encoding takes a coding: by its name, or by `*` when that is not there.
  static func isAccepted(_ wanted: String, by field: String?) -> Bool {
    guard let field else { return false }
    var any: Bool?
    for item in field.split(separator: ",") {
      let parts = item.split(separator: ";")
      guard let coding = parts.first?.trimmingSpaces().lowercased() else { continue }
      let isWanted = !parts.dropFirst().contains { part in
        let text = part.trimmingSpaces().lowercased()
        return text.hasPrefix("q=") && text.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
      }
      if coding == wanted || coding == "x-\(wanted)" { return isWanted }
      if coding == "*" { any = isWanted }
    }
    return any ?? false
  }
}

enum Gzip {
  /// Content below this is not worth compressing.
  static let threshold = 1024

  /// Tells whether an Accept-Encoding takes gzip.
  static func isAccepted(_ field: String?) -> Bool { ContentCoding.isAccepted("gzip", by: field) }

  /// Compresses; nil if it does not get smaller, or zlib is out of memory.
  static func compress(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    guard !bytes.isEmpty, bytes.count < Int(UInt32.max) else { return nil }
    var stream = z_stream()
    guard segmance_gzip_init(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
      bytes.withUnsafeBufferPointer { input in
        // zlib only reads from next_in; its declaration lacks the const.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = output.count - Int(stream.avail_out)
    }
    return isComplete ? output : nil
  }
}
