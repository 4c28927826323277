// The structure of a parsed JSON export. The values are not validated yet.

import FoundationEssentials
import Glibc
import Model

/// A record of the document: its fields and its child records.
struct DocumentItem: Decodable {
  var id: String
  var fields: [String: Value]
  /// The parts of a routine, or the moves of a part.
  var children: [DocumentItem]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: Key(stringValue: "id"))
    fields = [:]
    children = []
    for key in container.allKeys where key.stringValue != "id" {
      if key.stringValue == "parts" || key.stringValue == "moves" {
        // A valid document is not nested deeper than routine, part and move.
        guard decoder.codingPath.count < 5 else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "nested too deep")
        }
        children += try container.decode([DocumentItem].self, forKey: key)
      } else {
        fields[key.stringValue] = try container.decode(Value.self, forKey: key)
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// The document, after its format and version are verified.
struct ExportDocument: Decodable {
  var routines: [DocumentItem]
  /// Missing in files of earlier versions.
  var spots: [DocumentItem]?
  /// Missing in files of earlier versions.
  var gridCorrections: [DocumentItem]?
  var moveTypes: [DocumentItem]
  var tracks: [DocumentItem]

  /// The maximum file size.
  static let largestBytes = 256 << 20

  private struct Head: Decodable {
    var format: String
    var version: Int
  }

  /// Reads the file at `path`.
  init(contentsOf path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw LibraryError(.notFound, "There is no file \(path).")
    }
    guard status.st_size <= ExportDocument.largestBytes else {
      throw LibraryError(
        .unusable,
        "\(path) is larger than \(ExportDocument.largestBytes >> 20) MB: "
          + "that is no export of Segmance.")
    }
    try self.init(bytes: try Data(contentsOf: URL(filePath: path)), name: path)
  }

  /// Reads the document in `bytes`; `name` is used in messages.
  init(bytes: Data, name: String) throws {
    let decoder = JSONDecoder()
    guard let head = try? decoder.decode(Head.self, from: bytes), head.format == "segmance" else {
      throw LibraryError(
        .unusable, "\(name) is no JSON export of Segmance, or it is incomplete.")
    }
    guard head.version == JSONExport.version else {
      throw LibraryError(
        .unusable,
        head.version > JSONExport.version
          ? "\(name) was written by a later version of Segmance. Update Segmance to import it."
          : "\(name) has version \(head.version), which never was.")
    }
    do {
      self = try decoder.decode(ExportDocument.self, from: bytes)
    } catch let error as DecodingError {
      throw LibraryError(.unusable, "\(name) can't be read\(ExportDocument.place(of: error)).")
    }
  }

  /// The position of an error in the document, in words.
  private static func place(of error: DecodingError) -> String {
    let path: [any CodingKey] =
      switch error {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      @unknown default: []
      }
    let words = path.map { $0.intValue.map { "[\($0)]" } ?? String($0.stringValue.prefix(40)) }
    return words.isEmpty ? "" : " at \(words.joined(separator: " "))"
  }
}
