// The network as a stream of several versions of the same sound.

import AllocationCounter
import Testing

@testable import Analysis

struct BeatNetworkTests {
  /// Bands with a pulse every `frames`, from `seed` on.
  private static func bands(count: Int, frames: Int, seed: UInt32) -> [[Float]] {
    var random = seed
    return (0..<count).map { frame in
      (0..<MelBands.bandCount).map { _ in
        random = random &* 1_664_525 &+ 1_013_904_223
        return Float(random >> 24) / 255 + (frame.isMultiple(of: frames) ? 4 : 0)
      }
    }
  }

  private func activations(_ rows: [[Float]], versionCount: Int = 1) -> [BeatActivation] {
    var network = BeatNetwork(weights: BeatTracker.weights, versionCount: versionCount)
    var result: [BeatActivation] = []
    for row in rows { network.append(row) { result.append($0) } }
    network.finish { result.append($0) }
    return result
  }

  @Test func `what comes out is the mean of the versions`() {
    let one = Self.bands(count: 300, frames: 25, seed: 1)
    let other = Self.bands(count: 300, frames: 30, seed: 2)
    let mean = activations(zip(one, other).map { $0 + $1 }, versionCount: 2)
    let (ofOne, ofOther) = (activations(one), activations(other))
    #expect(mean.count == 300 && ofOne != ofOther)
    for (found, (one, other)) in zip(mean, zip(ofOne, ofOther)) {
      // Sums of two rounded numbers.
      #expect(abs(found.beat - (one.beat + other.beat) / 2) < 1e-6)
      #expect(abs(found.downbeat - (one.downbeat + other.downbeat) / 2) < 1e-6)
    }
  }

  @Test(.enabled(if: segmance_allocation_count() >= 0, "sanitizers have their own allocator"))
  func `hearing a frame allocates nothing`() {
    var network = BeatNetwork(weights: BeatTracker.weights, versionCount: 3)
    let row = [Float](repeating: 1, count: 3 * MelBands.bandCount)
    var sum: Float = 0
    let before = segmance_allocation_count()
    // More than pass before the first activation comes.
    for _ in 0..<3_000 { network.append(row) { sum += $0.beat } }
    #expect(segmance_allocation_count() == before)
    #expect(sum > 0)
  }

  @Test func `bands are heard as they are, a band higher and a band lower`() {
    var moved = MovedBands()
    let bands = (0..<MelBands.bandCount).map { Float($0 + 1) }
    for _ in 0..<2 {
      moved.move(bands) { levels in
        let rows = (0..<MovedBands.versionCount).map { version in
          (0..<MelBands.bandCount).map { levels[version * MelBands.bandCount + $0] }
        }
        #expect(rows == [bands, [0] + bands.dropLast(), bands.dropFirst() + [0]])
      }
    }
  }
}
