// Finds where sounds begin: drums, clicks, plucked strings. What is found is kept sharp.

/// Listens to source frames in order and keeps the places of the latest attacks.
///
/// An attack is where the power of 64 frames exceeds every 64 frames of the last 21 ms by 6 dB, in
/// the signal or in its first or second difference, which weigh high frequencies more. Comparing
/// with the strongest and not with the mean leaves low tones, whose power swings, alone.
/// Real time: fixed memory, a few operations for every frame.
struct AttackDetector: ~Copyable {
  static let hop = 64
  private static let memory = 16
  private static let rise: Float = 4
  /// Below −80 dBFS nothing is an attack.
  private static let floor: Float = 1e-8 * 64
  static let capacity = 64

  // Unsafe for the reason that SampleBuffer gives; owned and freed here alone.
  private let attacks: UnsafeMutablePointer<Int>
  private let rises = SampleBuffer(count: capacity)
  private var latestReference: Float = 1
  private(set) var count = 0
  private let powers = SampleBuffer(count: 3 * memory)
  private var slot = 0
  /// How far the source was listened to.
  private(set) var frame = 0

  init() {
    attacks = .allocate(capacity: Self.capacity)
    attacks.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { attacks.deallocate() }

  mutating func reset() {
    count = 0
    slot = 0
    frame = 0
    powers.clear()
  }

  /// Returns the source frame of an attack; they are in order.
  subscript(index: Int) -> Int { attacks[index] }

  /// How many hops after an attack it is known whether it has low frequencies.
  static let settlingHops = 8

  /// Whether the power of the signal itself, in which low frequencies weigh most, rose by 3 dB in
  /// the 11 ms after an attack. A cymbal's attack is none for the bass below it.
  func hasLowFrequencies(_ index: Int) -> Bool { rises[index] >= 2 }

  /// Listens to the next `hop` frames. The two samples before them must be readable.
  mutating func listen(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    var sums = (Four(), Four(), Four())
    var i = 0
    while i < Self.hop {
      Self.add(left, i, &sums)
      Self.add(right, i, &sums)
      i += 4
    }
    let now = (sums.0.sum(), sums.1.sum(), sums.2.sum())
    var reference: (Float, Float, Float) = (Self.floor, Self.floor, Self.floor)
    for index in 0..<Self.memory {
      reference.0 = max(reference.0, powers[index])
      reference.1 = max(reference.1, powers[Self.memory + index])
      reference.2 = max(reference.2, powers[2 * Self.memory + index])
    }
    if count > 0 && frame < attacks[count - 1] + Self.settlingHops * Self.hop {
      rises[count - 1] = max(rises[count - 1], now.0 / latestReference)
    }
    powers[slot] = now.0
    powers[Self.memory + slot] = now.1
    powers[2 * Self.memory + slot] = now.2
    slot = (slot + 1) % Self.memory
    if now.2 > Self.rise * reference.2 {
      found(at: frame + onset(left, right, order: 2, reference.2), now.0, reference.0)
    } else if now.1 > Self.rise * reference.1 {
      found(at: frame + onset(left, right, order: 1, reference.1), now.0, reference.0)
    } else if now.0 > Self.rise * reference.0 {
      found(at: frame + onset(left, right, order: 0, reference.0), now.0, reference.0)
    }
    frame += Self.hop
  }

  private static func add(
    _ samples: UnsafeMutablePointer<Float>, _ i: Int, _ sums: inout (Four, Four, Four)
  ) {
    let x = samples.four(i)
    let y = samples.four(i - 1)
    let z = samples.four(i - 2)
    let first = x - y
    let second = first - (y - z)
    sums.0 += x * x
    sums.1 += first * first
    sums.2 += second * second
  }

  /// Returns the first frame of the hop whose power stands out.
  private func onset(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, order: Int,
    _ reference: Float
  ) -> Int {
    func power(_ i: Int) -> Float {
      func difference(_ x: UnsafeMutablePointer<Float>) -> Float {
        switch order {
        case 0: x[i]
        case 1: x[i] - x[i - 1]
        default: x[i] - 2 * x[i - 1] + x[i - 2]
        }
      }
      let l = difference(left), r = difference(right)
      return l * l + r * r
    }
    var peak: Float = 0
    for i in 0..<Self.hop { peak = max(peak, power(i)) }
    let threshold = max(peak / 16, Self.rise * reference / Float(Self.hop))
    for i in 0..<Self.hop where power(i) >= threshold { return i }
    return 0
  }

  /// Keeps a place, unless an attack lies just before it.
  private mutating func found(at place: Int, _ power: Float, _ reference: Float) {
    if count > 0 && place - attacks[count - 1] < 960 { return }
    if count == Self.capacity {
      dropFirst()
    }
    attacks[count] = place
    rises[count] = power / reference
    latestReference = reference
    count += 1
  }

  /// Forgets the attacks before a source frame.
  mutating func forget(before place: Int) {
    while count > 0 && attacks[0] < place { dropFirst() }
  }

  private mutating func dropFirst() {
    for index in 1..<max(count, 1) {
      attacks[index - 1] = attacks[index]
      rises[index - 1] = rises[index]
    }
    count -= 1
  }
}
