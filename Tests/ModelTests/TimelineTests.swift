import Testing

@testable import Model

@Suite struct TimelineTests {
  @Test(arguments: [
    ("0", 0), ("1", 48_000), ("0:01", 48_000), ("01:02.500", 62 * 48_000 + 24_000),
    ("1:00:00", 3600 * 48_000), ("0.001", 48), ("90", 90 * 48_000), ("12:34.0000208", 36_192_001),
    ("frames:0", 0), ("frames:36192001", 36_192_001),
  ])
  func `a typed time becomes a frame`(text: String, frame: Int) {
    #expect(Timeline.frame(parsing: text) == frame)
  }

  @Test(arguments: [
    "", ":", "1:", "1:60", "1:2:3:4", "-1", "1.2.3", "x", "1.", "1e3", "٣",
    "frames:", "frames:-1", "frames:+1", "frames:1.5", "frames:8000000000000000000",
  ])
  func `an invalid time is refused`(text: String) {
    #expect(Timeline.frame(parsing: text) == nil)
  }

  @Test func `a formatted frame is parsed back to the same millisecond`() {
    for milliseconds in stride(from: 0, to: 8_000_000, by: 977) {
      let frame = milliseconds * 48
      #expect(Timeline.frame(parsing: Timeline.text(frame: frame)) == frame)
    }
    #expect(Timeline.text(frame: 62 * 48_000 + 24_000) == "01:02.500")
    #expect(Timeline.clock(frame: 62 * 48_000 + 47_999) == "1:02")
    #expect(Timeline.clock(frame: 3_661 * 48_000) == "1:01:01")
    // Found by fuzzing: the parsed value was too large to be written.
    #expect(Timeline.frame(parsing: "999999999:59:59.9995") == nil)
    let longest = "999999999:59:59.999"
    #expect(Timeline.frame(parsing: longest).map { Timeline.text(frame: $0) } == longest)
  }

  @Test func `chunks cover the track`() {
    #expect(Timeline.chunkCount(lengthFrames: 0) == 0)
    #expect(Timeline.chunkCount(lengthFrames: 1) == 1)
    #expect(Timeline.chunkCount(lengthFrames: 480_000) == 1)
    #expect(Timeline.chunkCount(lengthFrames: 480_001) == 2)
  }
}
