// Text of lines and words: how the fields of the log and of plans are written.

/// Goes through the lines of a text, and through the words of a line. Any bytes are safe.
struct LineReader {
  private let text: [UInt8]
  private var next = 0
  /// The end of the line that is read.
  private var lineEnd = 0

  /// The longest text that is read, in bytes; the rest is left out. Fields hold at most 12,000 characters.
  static let mostBytes = 48_000

  init(_ text: [UInt8]) { self.text = text }

  /// Goes to the next line; false after the last.
  mutating func nextLine() -> Bool {
    let end = min(text.count, LineReader.mostBytes)
    if lineEnd > 0 { next = lineEnd + 1 }
    guard next < end else { return false }
    lineEnd = next
    while lineEnd < end, text[lineEnd] != UInt8(ascii: "\n") { lineEnd += 1 }
    // A first line that is empty must not look as if none had been read.
    if lineEnd == 0 {
      next = 1
      return nextLine()
    }
    return true
  }

  /// Returns the next word of the line, nil at its end. Words have one space between them.
  mutating func word() -> ArraySlice<UInt8>? {
    guard next < lineEnd else { return nil }
    let start = next
    while next < lineEnd, text[next] != UInt8(ascii: " ") { next += 1 }
    let word = text[start..<next]
    next += 1
    return word
  }

  /// Returns the next word as an id; nil if it is none.
  mutating func id() -> RecordID? { word().flatMap { RecordID($0) } }

  /// Returns the next word as a whole number of 0…`most`; nil if it is none.
  mutating func number(upTo most: Int) -> Int? {
    guard let word = word(), !word.isEmpty, word.count <= 10 else { return nil }
    var number: Int64 = 0
    for byte in word {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number &* 10 &+ Int64(byte - UInt8(ascii: "0"))
    }
    return number <= Int64(most) ? Int(number) : nil
  }
}

/// Appends a number of 0 or more in decimal digits.
func write(_ number: Int, to text: inout [UInt8]) {
  var rest = max(number, 0)
  var digits: [UInt8] = []
  repeat {
    digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
    rest /= 10
  } while rest > 0
  text += digits.reversed()
}

/// Frames of a track and lengths of time.
enum Limit {
  /// The frames of the longest track: twelve hours.
  static let frames = 2_073_600_000
  /// The frames of a second.
  static let framesPerSecond = 48_000.0
}
