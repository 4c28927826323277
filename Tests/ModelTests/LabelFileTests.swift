// Audacity's label files, as users have them.

import TestSupport
import Testing

@testable import Model

@Suite struct LabelFileTests {
  private func read(_ text: String) throws(LabelProblem) -> [Label] {
    try LabelFile.labels(in: Array(text.utf8))
  }

  private func problem(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a label is start, end and text, in seconds`() throws {
    #expect(
      try read("0.000000\t1.000000\tIntro\n1.000000\t2.500000\tسماء\n") == [
        Label(startFrame: 0, endFrame: 48_000, text: "Intro"),
        Label(startFrame: 48_000, endFrame: 120_000, text: "سماء"),
      ])
  }

  @Test(arguments: [
    "1.5\t2.5\tA\n3\t3\tB", "1.5\t2.5\tA\r\n3\t3\tB\r\n", "1.5\t2.5\tA\r3\t3\tB\r",
    "\u{FEFF}1.5\t2.5\tA\n\n3\t3\tB\n\n", "1,500000\t2,500000\tA\n3,0\t3,0\tB\n",
    "1.5\t2.5\tA\n\\\t100.000000\t4000.000000\n3\t3\tB\n", " 1.5 \t 2.5 \tA\n3.\t3.\tB\n",
    "1.5\t2.5\tA\n3\tB\n", "-0.000000\t0\t\n1.5\t2.5\tA\n3\t3\tB",
    "0:01.5\tframes:120000\tA\n00:00:03,0\t0:03\tB\n",
  ])
  func `every variant of the format is parsed`(text: String) throws {
    #expect(
      try read(text).suffix(2) == [
        Label(startFrame: 72_000, endFrame: 120_000, text: "A"),
        Label(startFrame: 144_000, endFrame: 144_000, text: "B"),
      ])
  }

  @Test func `text is kept except for tabs inside it`() throws {
    #expect(try read("1\t2\ta\tb\u{7}c\n").first?.text == "a b c")
    #expect(try read("1\t2\n").first?.text == "")
    #expect(try read("1\n").first == Label(startFrame: 48_000, endFrame: 48_000, text: ""))
    #expect(try read("").isEmpty)
  }

  @Test(arguments: [
    ("1\t2\tA\nIntro\n", "Line 2: a label begins with its time"),
    ("1\t2\tA\r\n\r\n5\t4\tB\r\n", "Line 3: the label ends before it begins."),
    ("1e3\t2\tA", "Line 1:"), ("1.2.3\t4\tA", "Line 1:"), (".\t4\tA", "Line 1:"),
    ("-1\t4\tA", "Line 1: the label begins before the track does."),
    ("99999999999999999999\t4\tA", "Line 1: the label lies beyond twelve hours."),
    // Found by fuzzing: it could be read, but its written form could not.
    ("43200.5\t43201\tA", "Line 1: the label lies beyond twelve hours."),
    ("43201\t43202\tA", "Line 1: the label lies beyond twelve hours."),
    ("12:00:01\t43202\tA", "Line 1: the label lies beyond twelve hours."),
    ("0:75\t80\tA", "Line 1: a label begins with its time"),
  ])
  func `an invalid label is reported with its line number`(text: String, sentence: String) {
    #expect(problem(text)?.hasPrefix(sentence) == true, "\(problem(text) ?? "none")")
    #expect(problem(text)?.hasSuffix(".") == true)
  }

  @Test func `a file that is too large, or no text, is refused`() throws {
    let many = String(repeating: "1\t2\tA\n", count: LabelFile.labelLimit)
    #expect(try read(many).count == LabelFile.labelLimit)
    #expect(problem(many + "1\t2\tA\n")?.contains("5,000") == true)
    #expect(
      problem(String(repeating: " ", count: LabelFile.byteLimit + 1))?.contains("1 MB") == true)
    #expect(throws: LabelProblem.self) { try LabelFile.labels(in: [0xff, 0xfe, 49, 0]) }
  }

  @Test func `written labels are parsed back to the exact frame`() throws {
    var generator = SeededGenerator(seed: 4)
    let labels = (0..<2_000).map { index in
      let start = Int.random(in: 0..<Timeline.longestTrackFrames - 100, using: &generator)
      return Label(startFrame: start, endFrame: start + index % 100, text: "Part \(index)")
    }
    #expect(try read(LabelFile.text(labels)) == labels)
    #expect(LabelFile.seconds(1) == "0.000021")
    #expect(LabelFile.seconds(47_999) == "0.999979")
    #expect(LabelFile.line("a\tb\nc\u{2028}d") == "a b c d")
  }

  @Test func `any bytes are parsed or refused with a message`() {
    var generator = SeededGenerator(seed: 9)
    let alphabet = Array("0123456789.,-\t\n\r\\ aé\u{FEFF}".utf8)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      do {
        let labels = try LabelFile.labels(in: bytes)
        #expect(labels.allSatisfy { 0 <= $0.startFrame && $0.startFrame <= $0.endFrame })
      } catch {
        #expect(error.description.hasSuffix("."))
      }
    }
  }
}
