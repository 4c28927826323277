// Numbers, control characters, JSON strings and moments as text.

import Testing
import Text

@Suite struct TextTests {
  @Test func `numbers are padded with zeros and keep all digits`() {
    #expect(7.padded(to: 2) == "07")
    #expect(0.padded(to: 3) == "000")
    #expect(1234.padded(to: 2) == "1234")
    #expect(UInt64.max.padded(to: 16, radix: 16) == "ffffffffffffffff")
    #expect(255.padded(to: 4, radix: 16) == "00ff")
  }

  @Test func `bytes are two hexadecimal digits each`() {
    #expect([0x00, 0x0f, 0xf0, 0xff].map(UInt8.init).hexadecimal == "000ff0ff")
    #expect([UInt8]().hexadecimal == "")
  }

  @Test func `only control characters become spaces`() {
    #expect("a\0b\nc\u{7f}d\u{85}e\u{9f}f\u{a0}é🩰".withoutControls == "a b c d e f\u{a0}é🩰")
  }

  @Test func `a name has neither control characters nor white space around it`() {
    #expect(" \n\u{a0}Ana\0 María\u{7f}\u{3000} ".asName == "Ana María")
    #expect("é🩰".asName == "é🩰" && " \t\u{85}".asName == "")
  }

  @Test(arguments: [
    ("", "\"\""), ("plain é🩰", "\"plain é🩰\""), ("a\"b\\c", #""a\"b\\c""#),
    ("a\n\r\t\u{1}\u{7f}", #""a\n\r\t\u0001\u007f""#),
  ])
  func `a JSON string escapes the required characters`(text: String, json: String) {
    var written = "x"
    written.appendJSON(text)
    #expect(written == "x" + json)
  }

  @Test func `a time has its date, weekday and time of day in UTC`() {
    let time = UTCTime(784_111_777)
    #expect([time.year, time.month, time.day, time.weekday] == [1994, 11, 6, 0])
    #expect([time.hour, time.minute, time.second] == [8, 49, 37])
    let early = UTCTime(-1)
    #expect(
      [early.year, early.month, early.day, early.hour, early.second] == [1969, 12, 31, 23, 59])
  }
}
