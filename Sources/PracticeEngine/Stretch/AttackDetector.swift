// Detects attacks, where sounds begin: drums, clicks, plucked strings. The stretcher keeps them
// sharp.

/// How a sound goes on after its attack.
enum Onset {
  /// It dies away within some 60 ms: drums, clicks. So is one that another attack follows within 75 ms.
  case hit
  /// It is there at once, and held: struck and plucked strings, the beginning of a section within a song.
  case sudden
  /// It rises by 7 dB after its first 5 ms, and is held: voices, bowed strings.
  case soft
}

/// Analyses source frames in order and keeps the positions of the latest attacks.
///
/// An attack is where the power of 64 frames exceeds every 64 frames of the last 21 ms, by 6 dB in
/// the first or second difference of the signal, which emphasize high frequencies, or by 9 dB in the
/// signal itself. Comparing with the strongest and not with the mean excludes low tones, whose power
/// oscillates.
///
/// Tones mask bass drums in that test. So an attack is also where the power of low frequencies
/// (that of the sum of 128 frames, which suppresses frequencies far above 200 Hz) exceeds the power
/// of the 43 ms until 4 ms ago by 8 dB, and is at least a sixteenth of the total power.
///
/// How the sound goes on is known 75 ms later; until then it counts as a hit. Real time: fixed memory, a few
/// operations for every frame.
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

  private struct Attack {
    var place = 0
    /// By how much the power of low frequencies rose.
    var lowRise: Float = 0
    var onset = Onset.hit
  }

  /// The powers that tell how the sound of the latest attack goes on: of the signal, and of the order of difference
  /// that showed the attack.
  private struct Course {
    var order: Int
    var before: SIMD2<Float>
    /// The highest of the first 5 ms, and of the first 12 ms.
    var first: SIMD2<Float>
    var peak: SIMD2<Float>
    var hops = 0

    /// The hops after which it is decided, by the highest power of the last 21 ms.
    static let decidingHops = 56
    private static let firstHops = 3
    private static let peakHops = 8
    /// The part of a rise that is left of what is held.
    private static let held: Float = 0.4
    private static let softRise: Float = 5
    /// A cymbal raises the power of the signal itself by less, where other sound is held.
    private static let plainRise: Float = 2

    init(_ order: Int, _ before: SIMD2<Float>, _ now: SIMD2<Float>) {
      self.order = order
      self.before = before
      first = now
      peak = now
    }

    mutating func add(_ power: SIMD2<Float>) {
      hops += 1
      if hops <= Self.firstHops { first = pointwiseMax(first, power) }
      if hops <= Self.peakHops { peak = pointwiseMax(peak, power) }
    }

    func onset(later: SIMD2<Float>) -> Onset {
      let index = peak.x > Self.plainRise * before.x ? 0 : 1
      let later = later[index], before = before[index]
      guard later - before > Self.held * (peak[index] - before) else { return .hit }
      return later > Self.softRise * first[index] ? .soft : .sudden
    }
  }

  // Unsafe for the reason in SampleBuffer; this detector alone owns and frees it.
  private let attacks: UnsafeMutablePointer<Attack>
  private var course: Course?
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
    attacks.initialize(repeating: Attack(), count: Self.capacity)
  }

  deinit { attacks.deallocate() }

  mutating func reset() {
    count = 0
    course = nil
    hopCount = 0
    frame = 0
    latestSum = .zero
    powers.clear()
    lowPowers.clear()
  }

  /// Returns the source frame of an attack; they are in order.
  subscript(index: Int) -> Int { attacks[index].place }

  /// How the sound of an attack goes on.
  func onset(_ index: Int) -> Onset { attacks[index].onset }

  /// How many hops after an attack its low frequencies are known.
  static let settlingHops = 8

  /// Whether the power of low frequencies rose by 3 dB in the 11 ms after an attack. A cymbal's
  /// attack does not count as one for the bass below it.
  func hasLowFrequencies(_ index: Int) -> Bool { attacks[index].lowRise >= 2 }

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
    if count > 0 && frame < attacks[count - 1].place + Self.settlingHops * Self.hop {
      attacks[count - 1].lowRise = max(attacks[count - 1].lowRise, low / latestReference)
    }
    let slot = hopCount % Self.memory
    powers[slot] = now.0
    powers[Self.memory + slot] = now.1
    powers[2 * Self.memory + slot] = now.2
    lowPowers[hopCount % Self.lowMemory] = low
    hopCount += 1
    follow(now)
    var place: Int?
    var course: Course?
    if now.2 > Self.rise * reference.2 {
      place = onset(left, right, order: 2, reference.2)
      course = Course(2, SIMD2(reference.0, reference.2), SIMD2(now.0, now.2))
    } else if now.1 > Self.rise * reference.1 {
      place = onset(left, right, order: 1, reference.1)
      course = Course(1, SIMD2(reference.0, reference.1), SIMD2(now.0, now.1))
    } else if now.0 > Self.plainRise * reference.0 {
      place = onset(left, right, order: 0, reference.0)
      course = Course(0, SIMD2(repeating: reference.0), SIMD2(repeating: now.0))
    } else if low > max(Self.lowRise * lowReference, now.0 / 16) {
      place = lowOnset(left, right, lowReference)
    }
    latestSum = sum
    if let place, found(at: max(0, frame + place), low, lowReference) { self.course = course }
    frame += Self.hop
  }

  /// Follows how the sound of the latest attack goes on, until that is known.
  private mutating func follow(_ power: (Float, Float, Float)) {
    guard let order = course?.order, count > 0 else { return }
    course?.add(SIMD2(power.0, order == 2 ? power.2 : order == 1 ? power.1 : power.0))
    guard let course, course.hops == Course.decidingHops else { return }
    var later = SIMD2<Float>()
    for index in 0..<Self.memory {
      later = pointwiseMax(later, SIMD2(powers[index], powers[order * Self.memory + index]))
    }
    attacks[count - 1].onset = course.onset(later: later)
    self.course = nil
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

  /// Stores a position, unless an attack lies just before it. Returns whether it did.
  private mutating func found(at place: Int, _ power: Float, _ reference: Float) -> Bool {
    if count > 0 && place - attacks[count - 1].place < 960 { return false }
    if count == Self.capacity {
      dropFirst()
    }
    attacks[count] = Attack(place: place, lowRise: power / reference)
    latestReference = reference
    count += 1
    return true
  }

  /// Drops the attacks before a source frame.
  mutating func forget(before place: Int) {
    while count > 0 && attacks[0].place < place { dropFirst() }
  }

  private mutating func dropFirst() {
    for index in 1..<max(count, 1) {
      attacks[index - 1] = attacks[index]
    }
    count -= 1
  }
}
