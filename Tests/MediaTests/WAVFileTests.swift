// WAV files of samples in memory.

import Testing

@testable import Media

struct WAVFileTests {
  @Test func `a file has a header of 44 bytes and then the samples`() throws {
    let sound = (0..<2_000).map { Int16(truncatingIfNeeded: $0 * 7_919) }
    let file = try #require(WAVFile.file(interleaved: sound))
    #expect(file.count == 44 + sound.count * 2)
    #expect(Array(file[8..<16]) == Array("WAVEfmt ".utf8))
    #expect(samples(Array(file[44...])) == sound)
  }

  @Test func `more than 4 GB do not fit`() {
    #expect(WAVFile.header(frameCount: 1 << 30) == nil)
  }
}
