// The parsers of what people and other programs write: labels, times, positions, names.

import HTTP
import TestSupport

@testable import Model

extension Harness {
  /// An Audacity label file.
  static let labels = Harness(
    "labels", "labels lie in order on the track and are written as they were read",
    texts: [
      "0.000000\t1.000000\tIntro\n1.000000\t2.500000\tسماء\n", "\u{FEFF}1,5\t2,5\tA\r\n3\tB\r4",
      "1.5\t2.5\tA\n\\\t100.000000\t4000.000000\n3\t3\tB\n", "-0.0\t0\t\n", "43200.999999999\t5\t",
      "1\t2\ta\tb\u{7}c\u{2028}\n", "5\t4\tB",
    ],
    words: ["\t", "\r\n", "\u{FEFF}", "43200", "999999999", "\\", "\u{301}", "\u{85}", "0.000021"]
  ) {
    { bytes in
      let labels: [Label]
      do throws(LabelProblem) {
        labels = try LabelFile.labels(in: bytes)
      } catch {
        try holds(error.description.hasSuffix("."), "no sentence: \(error.description)")
        return
      }
      for label in labels {
        try holds(
          0 <= label.startFrame && label.startFrame <= label.endFrame
            && label.endFrame <= Timeline.longestTrackFrames,
          "a label from \(label.startFrame) to \(label.endFrame)")
      }
      let written = LabelFile.text(labels)
      guard written.utf8.count <= LabelFile.byteLimit else { return }
      let again = try LabelFile.labels(in: Array(written.utf8))
      try holds(again == labels, "written and read again, the labels differ")
    }
  }

  /// A time as it is typed on the command line.
  static let times = Harness(
    "times", "a time is read as what it says, and written and read again it is the same moment",
    texts: [
      "0", "1:02.250", "0:31.5", "11:59:59.999999999", "999999999:59:59.9", "59.000010416", "1:60",
      "frames:72001",
    ],
    words: [":", "999999999", ".", "\u{301}", "٣", "00:"]
  ) {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let frame = Timeline.frame(parsing: text) else { return }
      let isNumber = text.hasPrefix("frames:")
      let fields = text.split(separator: ":").map { Double($0) ?? -.infinity }
      try holds(
        isNumber || fields.dropFirst().allSatisfy { 0 <= $0 && $0 < 60 }, "\(text) is a time")
      let seconds =
        isNumber ? (fields.last ?? -.infinity) / 48_000 : fields.reduce(0) { $0 * 60 + $1 }
      try holds(
        abs(Double(frame) - seconds * 48_000) <= max(1, seconds * 1e-6), "\(text) is \(frame)")
      // The very last hour that can be read may be written as the next one.
      guard frame < 999_999_999 * 3_600 * Timeline.framesPerSecond else { return }
      let written = Timeline.text(frame: frame)
      let again = Timeline.frame(parsing: written)
      try holds(again.map { abs($0 - frame) <= 24 } == true, "\(text) is written as \(written)")
    }
  }

  /// Two lines, each perhaps a position, a stamp or an identifier.
  static let positions = Harness(
    "positions", "behind a position, before the next, is another one; a stamp is its own text",
    texts: [
      "V\nW", "V\nV1", "A\nA00001", "\nV", "zzz\n", "z\nzz", "1700000000000-0000-0000000a\n",
      "0193a5b0-0000-7000-8000-000000000001\n9999999999999-ffff-ffffffff",
    ], words: ["0", "z", "Vz", "0000000000", "-ffff-"], shortRounds: 1_500
  ) {
    { bytes in
      let lines = bytes.lines(2)
      let low = Position.isValid(lines[0]) ? lines[0] : nil
      // A border above that is no position counts as none.
      let high = Position.isValid(lines[1]) ? lines[1] : nil
      let middle = Position.between(low, lines[1])
      let isInOrder = low.flatMap { low in high.map { Position.bytewise(low, $0) } } ?? true
      let row =
        [low].compactMap(\.self) + Position.between(low, high, count: bytes.count % 9)
        + [high].compactMap { isInOrder ? $0 : nil }
      try holds(
        zip(row, row.dropFirst()).allSatisfy(Position.bytewise), "\(row) are out of order")
      try holds(
        middle.utf8.count > 1_000 || Position.isValid(middle), "\(middle) is no position")
      if let low { try holds(Position.bytewise(low, middle), "\(middle) lies before \(low)") }
      if let high, isInOrder {
        try holds(Position.bytewise(middle, high), "\(middle) lies behind \(high)")
      }
      for line in lines {
        guard let stamp = Stamp(line) else { continue }
        let again = Stamp(
          milliseconds: stamp.milliseconds, counter: stamp.counter,
          device: UInt32(stamp.deviceName, radix: 16) ?? 0)
        try holds(again == stamp, "\(line) is written as \(again)")
        var clock = HybridClock(device: 7)
        clock.observe(stamp)
        guard stamp.milliseconds < 9_999_999_999_999 else { continue }
        try holds(clock.next(now: 0) > stamp, "the clock stands behind \(stamp)")
      }
    }
  }

  /// A name that somebody typed.
  static let names = Harness(
    "names", "no name leads elsewhere, whatever somebody typed",
    texts: [
      "Swan Lake", "../../etc/passwd", "CON.txt", "com¹", " . a . ", "a\u{202E}gpj.exe", "سماء 🎪",
      String(repeating: "é", count: 80), "a\\b:c*d?\"<>|", "\u{7F}\u{85}\0",
    ], words: ["/", "\\", "..", "NUL", "COM1", "\u{202E}", "\u{FEFF}", "\u{301}", "\0", ".", " "],
    shortRounds: 1_500
  ) {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      for limit in [20, 120] {
        let name = FileName.safe(text, limit: limit, fallback: "clip")
        try holds(!name.isEmpty && name.utf8.count <= limit + 1, "\(name.utf8.count) bytes")
        try holds(
          !name.unicodeScalars.contains {
            "/\\:*?\"<>|".unicodeScalars.contains($0) || $0.value < 32
          },
          "\(name.debugDescription) leads elsewhere")
        try holds(
          !name.hasPrefix(".") && !name.hasSuffix(".") && !name.hasSuffix(" "),
          "\(name.debugDescription) has an end that a file system takes off")
        try holds(
          FileName.safe(name, limit: limit + 1, fallback: "clip") == name,
          "\(name.debugDescription) is not safe by itself")
      }
      let cue = CueFile(
        fileName: text, title: text, tracks: [CueFile.Track(title: text, startFrame: 0)])
      let written = (cue?.text ?? "").unicodeScalars
      try holds(
        written.count { $0 == "\"" } == 6
          && written.count { $0.value < 32 || $0 == "\u{85}" || $0 == "\u{2028}" } == 5,
        "it ends its line in a .cue")
      let field =
        Response.bytes([], contentType: "a/b", downloadName: text)
        .headers["Content-Disposition"] ?? ""
      try holds(
        field.utf8.allSatisfy { (0x20...0x7E).contains($0) }
          && field.utf8.count { $0 == UInt8(ascii: "\"") } == 2, "\(field.debugDescription)")
    }
  }
}
