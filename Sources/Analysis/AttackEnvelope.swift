// Where exactly a sound begins to rise, once it is known that one begins nearby.

#if canImport(Glibc)
  import Glibc
#endif

/// The energy of the last second, in steps of 32 frames: of the sound as it is, of its differences
/// from frame to frame, and of theirs, in which a bright attack stands out of a loud bass.
struct AttackEnvelope: Sendable {
  static let stepFrames = 32
  private static let capacity = 2_048

  /// How many steps were appended.
  private(set) var stepCount = 0
  private var energies = [SIMD4<Float>](repeating: .zero, count: capacity)
  private var last = SIMD2<Float>.zero
  private var lastDifference = SIMD2<Float>.zero

  /// Takes the frames from `start` on, a multiple of `stepFrames` (full scale: 1).
  mutating func append(left: [Float], right: [Float], from start: Int) {
    for step in Swift.stride(from: start, to: left.count, by: Self.stepFrames) {
      var whole = SIMD2<Float>.zero
      var edges = SIMD2<Float>.zero
      var corners = SIMD2<Float>.zero
      for frame in step..<step + Self.stepFrames {
        let now = SIMD2(left[frame], right[frame])
        let difference = now - last
        let second = difference - lastDifference
        last = now
        lastDifference = difference
        whole += now * now
        edges += difference * difference
        corners += second * second
      }
      energies[stepCount % Self.capacity] = SIMD4(whole.sum(), edges.sum(), corners.sum(), 0)
      stepCount += 1
    }
  }

  /// The steepest rise of a stretch.
  struct Rise {
    var frame: Int
    /// The logarithm (base 2) of how much more energy there is after than before, at best.
    var octaves: Float
  }

  /// Returns where between `first` and `last` the energy rises most.
  func steepest(from first: Int, to last: Int) -> Rise {
    // Before the track there is silence; later, steps that are no longer kept say nothing.
    let oldest = stepCount > Self.capacity ? stepCount - Self.capacity + Self.before : 0
    let newest = stepCount - Self.after
    var best = Rise(frame: max(0, (first + last) / 2), octaves: -.infinity)
    let from = max(first / Self.stepFrames, oldest)
    let to = min(last / Self.stepFrames, newest)
    guard from <= to else { return best }
    for step in from...to {
      let ahead = mean(step, step + Self.after)
      let behind = mean(step - Self.before, step)
      let ratio = (ahead + Self.floors) / (behind + Self.floors)
      let rise = log2f(ratio.max())
      // A click is as much ahead from each of the steps before it: it begins at the last of them.
      if rise > best.octaves - Self.alike {
        best = Rise(frame: step * Self.stepFrames, octaves: max(rise, best.octaves))
      }
    }
    return best
  }

  /// Tells whether the sound stops at about `frame`: afterwards hardly anything is left of any of
  /// its energies.
  func stops(around frame: Int) -> Bool {
    let step = frame / Self.stepFrames
    guard step + Self.far + Self.after <= stepCount else { return false }
    let ahead = mean(step + Self.far, step + Self.far + Self.after)
    let behind = mean(step - Self.far - Self.before, step - Self.far)
    let left = ahead.replacing(with: 0, where: ahead .<= Self.floors) / (behind + Self.floors)
    return behind.max() > 2 * Self.floors.x && left.max() < Self.nothing
  }

  /// The steps that are compared: 8 ms before a moment with 5 ms after it.
  private static let before = 12
  private static let after = 8
  /// Octaves that make no difference.
  private static let alike: Float = 0.02
  /// So many steps beside a moment, its loudest time is over: 27 ms.
  private static let far = 40
  /// What is left of a sound that stopped, at most: 15 dB less.
  private static let nothing: Float = 0.03
  /// What is quieter counts as silence: some bits of 16.
  private static let floors = SIMD4<Float>(1e-5, 1e-6, 1e-6, 1)

  private func mean(_ start: Int, _ end: Int) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for step in start..<end where step >= 0 { sum += energies[step % Self.capacity] }
    return sum / Float(end - start)
  }
}
