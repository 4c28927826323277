// The client application's files: read once, compressed once, served from memory.

import FoundationEssentials

/// Serves a folder of built files, and its index.html for the application's own addresses.
public final class StaticFiles: Sendable {
  private struct Entry: Sendable {
    let contentType: String
    let cacheControl: String
    let etag: String
    let plain: SharedBytes
    /// Compressed forms, the smallest first: the coding's name and its bytes.
    var codings: [(name: String, bytes: SharedBytes)]
    /// A policy of its own; nil for the usual one.
    var policy: String?
  }

  /// A script that differs from the one in the folder.
  public struct OwnScript: Sendable {
    let path: String
    let firstLine: String
    let origins: [String]

    /// Puts a line before the script at `path`, and lets it connect to `origins`.
    public init(_ path: String, firstLine: String, connectingTo origins: [String]) {
      self.path = path
      self.firstLine = firstLine
      self.origins = origins
    }
  }

  private let entries: [String: Entry]

  /// Reads a folder and its subfolders without links and hidden files. `name.br` is the Brotli form of
  /// `name`.
  public init(directory: String, own script: OwnScript? = nil) throws {
    var entries: [String: Entry] = [:]
    var brotli: [String: SharedBytes] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
      let path = "\(directory)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      guard let data = FileManager.default.contents(atPath: path) else {
        throw ServerError(message: "The file \(path) can't be read.", code: 0)
      }
      if name.hasSuffix(".br") {
        brotli["/\(name.dropLast(3))"] = SharedBytes([UInt8](data))
      } else {
        entries["/\(name)"] = StaticFiles.entry(name, [UInt8](data))
      }
    }
    for (path, bytes) in brotli {
      entries[path]?.codings.insert((name: "br", bytes: bytes), at: 0)
    }
    if let script, let found = entries[script.path] {
      let bytes = Array("\(script.firstLine)\n".utf8) + found.plain.bytes
      entries[script.path] = StaticFiles.entry(String(script.path.dropFirst()), bytes)
      entries[script.path]?.policy = EncodedResponse.policy(connectingTo: script.origins)
    }
    self.entries = entries
  }

  /// Answers a `GET`: the file of that name; index.html for a name without a dot; or a 404.
  public func respond(to request: Request) throws -> Response {
    let isFile = request.path.split(separator: "/").last?.contains(".") ?? false
    guard let entry = entries[request.path] ?? (isFile ? nil : entries["/index.html"]) else {
      throw HTTPError.notFound()
    }
    var headers: Headers = [
      "Content-Type": entry.contentType, "Cache-Control": entry.cacheControl, "ETag": entry.etag,
    ]
    if let policy = entry.policy { headers[EncodedResponse.policyName] = policy }
    if !entry.codings.isEmpty { headers["Vary"] = "Accept-Encoding" }
    let accepted = request.headers["Accept-Encoding"]
    let coding = entry.codings.first { ContentCoding.isAccepted($0.name, by: accepted) }
    guard let coding else { return Response(headers: headers, body: .shared(entry.plain)) }
    headers["Content-Encoding"] = coding.name
    headers["ETag"] = EntityTag.weak(entry.etag)
    return Response(headers: headers, body: .shared(coding.bytes))
  }

  private static func entry(_ name: String, _ bytes: [UInt8]) -> Entry {
    let contentType = ContentType.of(fileName: name)
    let isWorth = bytes.count >= Gzip.threshold && ContentType.isCompressible(contentType)
    let gzip = isWorth ? Gzip.compress(bytes, level: 9) : nil
    return Entry(
      contentType: contentType,
      cacheControl: hasContentHash(name) ? CacheControl.immutable : CacheControl.revalidate,
      etag: EntityTag.of(bytes), plain: SharedBytes(bytes),
      codings: gzip.map { [(name: "gzip", bytes: SharedBytes($0))] } ?? [])
  }

  /// Whether a name has a hash of the content: `main-K3QZ7A2B.js`, `main.0f3a9c71.css`.
  static func hasContentHash(_ name: String) -> Bool {
    let parts = (name.split(separator: "/").last ?? "").split { $0 == "." || $0 == "-" }
    return parts.dropFirst().dropLast().contains { part in
      let bytes = part.utf8
      let isBase32 =
        bytes.count == 8
        && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
      let isHexadecimal =
        bytes.count >= 8
        && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        && bytes.contains { (0x30...0x39).contains($0) }
      return isBase32 || isHexadecimal
    }
  }
}
