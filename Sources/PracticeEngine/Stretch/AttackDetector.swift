// Detects attacks, where sounds begin: drums, clicks, plucked strings. The stretcher keeps them
// sharp.

/// Analyses source frames in order and keeps the positions of the latest attacks.
///
/// An attack is where the power of 64 frames exceeds every 64 frames of the last 21 ms, by 6 dB in
/// the first or second difference of the signal, which emphasize high frequencies, or by 9 dB in the
/// signal itself. Comparing with the strongest and not with the mean excludes low tones, whose power
/// oscillates.
///
/// Tones mask bass drums in that test. So an attack is also where the power of low frequencies
/// (that of the sum of 128 frames, which suppresses frequencies far above 200 Hz) exceeds the power
/// of the 43 ms until 4 ms ago by 8 dB, and is at least a sixteenth of the total power. Real time:
/// fixed memory, a few operations for every frame.
struct AttackDetector: ~Copyable {
  static let hop = 64
  private static let memory = 16
  private static let rise: Float = 4
  /// The power of the signal itself rises by 6 dB in chords of many partials too, where nothing begins.
  private static let plainRise: Float = 8
  /// Low-frequency noise has few independent values, so its power varies more and the threshold is
  /// higher.
  private static let lowRise: Float = 6
  private static let lowMemory = 32
  /// The hops in which a bass drum rises; they are excluded from the reference power.
  private static let risingHops = 3
  /// How long before its low power exceeds the threshold a bass drum begins, in frames.
  private static let lowDelay = 96
  /// Below −80 dBFS there are no attacks.
  private static let floor: Float = 1e-8 * 64
  static let capacity = 64

  // Unsafe for the reason in SampleBuffer; this detector alone owns and frees it.
  private let attacks: UnsafeMutablePointer<Int>
  private let rises = SampleBuffer(count: capacity)
  private var latestReference: Float = 1
  private(set) var count = 0
  private let powers = SampleBuffer(count: 3 * memory)
  private let lowPowers = SampleBuffer(count: lowMemory)
  private var latestSum = SIMD2<Float>()
  private var hopCount = 0
  /// The position up to which the source was analysed.
  private(set) var frame = 0

  init() {
    attacks = .allocate(capacity: Self.capacity)
    attacks.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { attacks.deallocate() }

  mutating func reset() {
    count = 0
    hopCount = 0
    frame = 0
    latestSum = .zero
    powers.clear()
    lowPowers.clear()
  }

  /// Returns the source frame of an attack; they are in order.
  subscript(index: Int) -> Int { attacks[index] }

  /// How many hops after an attack its low frequencies are known.
  static let settlingHops = 8

  /// Whether the power of low frequencies rose by 3 dB in the 11 ms after an attack. A cymbal's
  /// attack does not count as one for the bass below it.
  func hasLowFrequencies(_ index: Int) -> Bool { rises[index] >= 2 }

  /// How many samples before the analysed ones must be readable.
  static let readBehind = (risingHops + 2) * hop

  /// Passes over the next `hop` frames.
  mutating func skip() { frame += Self.hop }

  /// Analyses the next `hop` frames.
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
    let sum = SIMD2(left.sum(Self.hop), right.sum(Self.hop))
    let low = Self.lowPower(latestSum + sum)
    let lowReference = self.lowReference
    if count > 0 && frame < attacks[count - 1] + Self.settlingHops * Self.hop {
      rises[count - 1] = max(rises[count - 1], low / latestReference)
    }
    let slot = hopCount % Self.memory
    powers[slot] = now.0
    powers[Self.memory + slot] = now.1
    powers[2 * Self.memory + slot] = now.2
    lowPowers[hopCount % Self.lowMemory] = low
    hopCount += 1
    var place: Int?
    if now.2 > Self.rise * reference.2 {
      place = onset(left, right, order: 2, reference.2)
    } else if now.1 > Self.rise * reference.1 {
      place = onset(left, right, order: 1, reference.1)
    } else if now.0 > Self.plainRise * reference.0 {
      place = onset(left, right, order: 0, reference.0)
    } else if low > max(Self.lowRise * lowReference, now.0 / 16) {
      place = lowOnset(left, right, lowReference)
    }
    latestSum = sum
    if let place { found(at: max(0, frame + place), low, lowReference) }
    frame += Self.hop
  }

  /// The low-frequency power of one hop, from two sums.
  private static func lowPower(_ sums: SIMD2<Float>) -> Float {
    (sums * sums).sum() / Float(4 * hop)
  }

  /// The reference: the strongest low power of the preceding hops.
  private var lowReference: Float {
    var reference = Self.floor
    for age in (Self.risingHops + 1)...Self.lowMemory {
      reference = max(reference, lowPowers[(hopCount + Self.lowMemory - age) % Self.lowMemory])
    }
    return reference
  }

  /// Returns the start of the bass drum that this hop revealed: some time before the low power,
  /// which is detected late, last exceeded the earlier power.
  private func lowOnset(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ reference: Float
  ) -> Int {
    let width = 2 * Self.hop
    let first = -Self.risingHops * Self.hop
    var sums = SIMD2((left + first - width).sum(width), (right + first - width).sum(width))
    var onset = first
    for i in first..<Self.hop {
      sums += SIMD2(left[i] - left[i - width], right[i] - right[i - width])
      if Self.lowPower(sums) <= reference { onset = i }
    }
    return onset - Self.lowDelay
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

  /// Returns the first frame of the hop whose power exceeds the threshold.
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

  /// Stores a position, unless an attack lies just before it.
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

  /// Drops the attacks before a source frame.
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
