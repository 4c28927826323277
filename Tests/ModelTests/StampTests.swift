import TestSupport
import Testing

@testable import Model

@Suite struct StampTests {
  @Test func `a stamp is parsed back to its components`() throws {
    let stamp = Stamp(milliseconds: 1_763_650_000_123, counter: 0xAB, device: 0x1234)
    #expect(stamp.description == "1763650000123-00ab-00001234")
    let read = try #require(Stamp(stamp.description))
    #expect(read == stamp)
    #expect(read.milliseconds == 1_763_650_000_123)
    #expect(read.counter == 0xAB)
  }

  @Test(arguments: [
    "", "1763650000123-00AB-00001234", "176365000012-00ab-00001234", "1763650000123_00ab-00001234",
    "1763650000123-00ab-0000123g", "1763650000123-00ab-000012345",
  ])
  func `an invalid stamp is refused`(text: String) {
    #expect(Stamp(text) == nil)
  }

  @Test func `stamps of one clock always increase, even if the wall clock goes back`() {
    var clock = HybridClock(device: 1)
    var random = SeededGenerator(seed: 3)
    var last = clock.next(now: 1_700_000_000_000)
    for _ in 0..<100_000 {
      let next = clock.next(now: 1_700_000_000_000 + Int.random(in: -5...5, using: &random))
      guard last < next else {
        Issue.record("\(next) does not follow \(last)")
        return
      }
      last = next
    }
  }

  @Test func `an edit made after an observed one is later for any wall clock`() throws {
    var clock = HybridClock(device: 1)
    let seen = try #require(Stamp("1800000000000-ffff-ffffffff"))
    clock.observe(seen)
    #expect(seen < clock.next(now: 1_700_000_000_000))
  }

  @Test func `a stamp of another device may be a day ahead or follow an observed one`() {
    var clock = HybridClock(device: 1)
    let now = 1_700_000_000_000, day = 86_400_000
    #expect(clock.latestAccepted(now: now) == now + day)
    // Devices cannot push the clock further by each being a day ahead of another.
    clock.observe(Stamp(milliseconds: now + day, counter: 0, device: 2))
    #expect(clock.latestAccepted(now: now) == now + day)
    clock.observe(Stamp(milliseconds: now + 365 * day, counter: 0, device: 2))
    #expect(clock.latestAccepted(now: now) == now + 365 * day + 60_000)
  }

  @Test func `the clock is the later of the wall clock and the observed stamps`() throws {
    var clock = HybridClock(device: 1)
    #expect(clock.time(now: 1_700_000_000_000).description == "1700000000000-0000-00000001")
    clock.observe(try #require(Stamp("1700000000000-0007-ffffffff")))
    #expect(clock.time(now: 1_700_000_000_000).description == "1700000000000-0007-00000001")
    #expect(clock.time(now: 1_700_000_000_001).description == "1700000000001-0000-00000001")
  }
}
