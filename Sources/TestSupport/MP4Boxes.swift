// Edits the boxes of MP4 files for tests.

/// The boxes of an MP4 file with 32-bit lengths.
public struct MP4Boxes {
  /// A position where a box may begin: the file offset, and the enclosing boxes from the outermost.
  public struct Place: Sendable {
    public let offset: Int
    /// The offset and name of each enclosing box.
    public let parents: [(offset: Int, name: String)]
    /// The name of the innermost enclosing box; empty at the top level.
    public var parent: String { parents.last?.name ?? "" }
  }

  private static let containers = [
    "moov": 0, "trak": 0, "edts": 0, "mdia": 0, "minf": 0, "dinf": 0, "stbl": 0, "udta": 0,
    "meta": 4,
    "ilst": 0,
  ]

  private let file: [UInt8]
  /// The positions where a box may begin, including the end of each box.
  public private(set) var places: [Place] = []

  /// Parses a file as far as its boxes are complete.
  public init(_ file: [UInt8]) {
    self.file = file
    walk(0..<file.count, [])
  }

  /// Makes a box with this name, encoded as Latin-1, and content.
  public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      + content
  }

  /// Returns the file with these bytes inserted; the enclosing boxes' lengths grow accordingly.
  public func inserting(_ bytes: [UInt8], at place: Place) -> [UInt8] {
    var file = self.file
    for (offset, _) in place.parents {
      file.replaceSubrange(offset..<offset + 4, with: Self.number(length(at: offset) + bytes.count))
    }
    file.insert(contentsOf: bytes, at: place.offset)
    return file
  }

  private mutating func walk(_ range: Range<Int>, _ parents: [(offset: Int, name: String)]) {
    var offset = range.lowerBound
    while range.upperBound - offset >= 8 {
      places.append(Place(offset: offset, parents: parents))
      let length = length(at: offset)
      guard length >= 8, length <= range.upperBound - offset else { return }
      let name = String(
        String.UnicodeScalarView(file[offset + 4..<offset + 8].map(Unicode.Scalar.init)))
      if let header = Self.containers[name], length >= 8 + header {
        walk(offset + 8 + header..<offset + length, parents + [(offset, name)])
      }
      offset += length
    }
    if offset == range.upperBound { places.append(Place(offset: offset, parents: parents)) }
  }

  private func length(at offset: Int) -> Int {
    file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
