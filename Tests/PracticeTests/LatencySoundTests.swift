// The sounds by which latency is measured.

import Testing

@testable import Practice

struct LatencySoundTests {
  @Test(arguments: [true, false]) func `a click begins at once and ends in silence`(isStrong: Bool)
  {
    let click = LatencySounds.click(isStrong: isStrong)
    let loudest = click.map(abs).max() ?? 0
    let loudestAt = click.firstIndex { abs($0) == loudest } ?? .max
    #expect(loudestAt < 48)
    #expect(abs(click[click.count - 1]) < 0.001)
    #expect(loudest < 1)
  }

  @Test func `the clicks between are much quieter`() {
    let strong = LatencySounds.click(isStrong: true).map(abs).max() ?? 0
    let quiet = LatencySounds.click(isStrong: false).map(abs).max() ?? 0
    #expect(quiet > 0 && strong > 6 * quiet)
  }

  @Test func `a chirp begins and ends in silence and does not clip`() {
    let chirp = LatencySounds.chirp()
    #expect(chirp.count == LatencySounds.chirpFrames)
    #expect(abs(chirp[0]) < 0.001 && abs(chirp[chirp.count - 1]) < 0.001)
    #expect((chirp.map(abs).max() ?? 0) < 0.9)
  }
}
