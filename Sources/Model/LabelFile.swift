// Audacity's label files: `start⇥end⇥text`, a label to a line, times in seconds.

import Text

/// A named range of a track; a named point if both ends are the same.
public struct Label: Hashable, Sendable {
  /// Frames of the track, the end exclusive.
  public var startFrame: Int
  public var endFrame: Int
  public var text: String

  /// Makes a label.
  public init(startFrame: Int, endFrame: Int, text: String) {
    self.startFrame = startFrame
    self.endFrame = endFrame
    self.text = text
  }

  /// Whether it names a point.
  public var isPoint: Bool { startFrame == endFrame }
}

/// A sentence that says why a label file can't be read, with the line number if there is one.
public struct LabelProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
}

/// Writes and reads label files.
public enum LabelFile {
  /// The largest file that is read.
  public static let byteLimit = 1 << 20
  /// How many labels are read from one file at most.
  public static let labelLimit = 5_000

  /// Returns the file of `labels`: seconds with six decimals, tabs and line ends in texts made
  /// spaces.
  public static func text(_ labels: [Label]) -> String {
    labels.map { label in
      "\(seconds(label.startFrame))\t\(seconds(label.endFrame))\t\(line(label.text))\n"
    }.joined()
  }

  /// Returns the labels that a file holds, in its order.
  ///
  /// Read are UTF-8 with or without a byte order mark, every kind of line end, a comma in place of
  /// the decimal point, labels without an end or text, and times as `Timeline` reads them. Lines of a spectral selection, which begin
  /// with a backslash, and empty lines are passed over.
  public static func labels(in bytes: [UInt8]) throws(LabelProblem) -> [Label] {
    guard bytes.count <= byteLimit else {
      throw LabelProblem(description: "The label file is larger than 1 MB.")
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw LabelProblem(description: "The label file is no UTF-8 text. Export it again.")
    }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    var labels: [Label] = []
    // Swift counts a carriage return with a line feed as one character, and so as one line end.
    let lines = text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
    for (index, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) {
      if line.hasPrefix("\\") { continue }
      guard labels.count < labelLimit else {
        throw LabelProblem(description: "The label file holds more than 5,000 labels.")
      }
      do throws(LabelProblem) {
        labels.append(try label(line))
      } catch {
        throw LabelProblem(description: "Line \(index + 1): \(error.description)")
      }
    }
    return labels
  }

  private static func label(_ line: Substring) throws(LabelProblem) -> Label {
    let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    guard let start = try frame(fields[0]) else {
      throw LabelProblem(
        description: "a label begins with its time in seconds, such as 12.5, and a tab.")
    }
    guard fields.count > 1 else { return Label(startFrame: start, endFrame: start, text: "") }
    guard let end = try frame(fields[1]) else {
      // An early form has no end: the text follows the start.
      let text = fields[1...].joined(separator: " ")
      return Label(startFrame: start, endFrame: start, text: Self.line(text))
    }
    guard end >= start else {
      throw LabelProblem(description: "the label ends before it begins.")
    }
    let text = fields.count > 2 ? Self.line(String(fields[2])) : ""
    return Label(startFrame: start, endFrame: end, text: text)
  }

  /// The frame that lies nearest to a time; nil when `field` is none.
  private static func frame(_ field: Substring) throws(LabelProblem) -> Int? {
    var digits = field.drop(while: \.isWhitespace)
    while digits.last?.isWhitespace == true { digits.removeLast() }
    if digits.contains(":") {
      let written = digits.map { $0 == "," ? "." : $0 }
      guard let frame = Timeline.frame(parsing: String(written)) else { return nil }
      guard frame <= Timeline.longestTrackFrames else {
        throw LabelProblem(description: "the label lies beyond twelve hours.")
      }
      return frame
    }
    let isNegative = digits.first == "-"
    if isNegative { digits.removeFirst() }
    let parts = digits.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "," })
    guard let whole = parts.first, !digits.isEmpty,
      parts.allSatisfy({ part in part.utf8.allSatisfy { (48...57).contains($0) } }),
      parts.contains(where: { !$0.isEmpty })
    else { return nil }
    let rate = Timeline.framesPerSecond
    guard whole.utf8.count <= 9, let seconds = whole.isEmpty ? 0 : Int(whole) else {
      throw LabelProblem(description: "the label lies beyond twelve hours.")
    }
    var (fraction, scale) = (0, 1)
    // Nine decimals are far below a frame, and don't overflow.
    for digit in (parts.count > 1 ? parts[1] : "").utf8.prefix(9) {
      fraction = fraction * 10 + Int(digit - 48)
      scale *= 10
    }
    let frame = seconds * rate + (fraction * rate + scale / 2) / scale
    guard frame <= Timeline.longestTrackFrames else {
      throw LabelProblem(description: "the label lies beyond twelve hours.")
    }
    guard !isNegative || frame == 0 else {
      throw LabelProblem(description: "the label begins before the track does.")
    }
    return frame
  }

  /// `frame` in seconds with six decimals, rounded to the nearest.
  static func seconds(_ frame: Int) -> String {
    let rate = Timeline.framesPerSecond
    let digits = ((frame % rate * 1_000_000 + rate / 2) / rate).padded(to: 6)
    return "\(frame / rate).\(digits)"
  }

  /// `text` without tabs, line ends and other control characters.
  static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.isControl || $0 == "\u{2028}" || $0 == "\u{2029}" ? " " : $0
        }))
  }
}
