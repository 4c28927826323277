// Media types by file extension, and their properties.

/// Media types.
public enum ContentType {
  /// Returns the type for a file's name; unlisted extensions are `application/octet-stream`.
  public static func of(fileName: String) -> String {
    guard let dot = fileName.lastIndex(of: ".") else { return "application/octet-stream" }
    return switch fileName[fileName.index(after: dot)...].lowercased() {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json", "map": "application/json"
    case "webmanifest": "application/manifest+json"
    case "wasm": "application/wasm"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    case "txt", "md": "text/plain; charset=utf-8"
    case "flac": "audio/flac"
    case "wav": "audio/wav"
    case "mp3": "audio/mpeg"
    case "m4a": "audio/mp4"
    case "opus", "ogg": "audio/ogg"
    case "mp4": "video/mp4"
    case "webm": "video/webm"
    case "zip": "application/zip"
    default: "application/octet-stream"
    }
  }

  /// Tells whether gzip makes the type smaller.
  static func isCompressible(_ contentType: String) -> Bool {
    let type = essence(of: contentType)
    if type == "text/event-stream" { return false }
    return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
      || ["application/json", "application/javascript", "application/xml", "application/wasm"]
        .contains(type)
  }

  /// Tells whether the type is JSON.
  static func isJSON(_ contentType: String) -> Bool {
    let type = essence(of: contentType)
    return type == "application/json" || type.hasSuffix("+json")
  }

  /// The type without its parameters, in lower case.
  private static func essence(of contentType: String) -> String {
    let type = contentType.prefix { $0 != ";" }
    return type.trimmingSpaces().lowercased()
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text without spaces and tabs at its ends.
  func trimmingSpaces() -> Substring {
    var rest = Substring(self).utf8
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return Substring(rest)
  }
}

/// Writes Content-Disposition (RFC 6266).
enum ContentDisposition {
  /// Makes the content a download; the name may be in any script.
  static func attachment(_ name: String) -> String {
    var encoded = ""
    var plain = ""
    for scalar in name.unicodeScalars {
      let isSafe = scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
      if isSafe || "-._ ".unicodeScalars.contains(scalar) {
        plain.unicodeScalars.append(scalar)
      } else {
        plain += "_"
      }
      if isSafe || "-._".unicodeScalars.contains(scalar) {
        encoded.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
  }
}
