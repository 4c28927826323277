// Chooses with which window length each zone of frequency is stretched, from moment to moment.

/// The zones of frequency, from low to high, in each of which the window length is chosen.
enum Zones {
  static let count = 10

  /// The lower border of a zone, and how far to either side it and the zone below fade into each other,
  /// in hertz.
  private static func border(_ zone: Int) -> (hertz: Double, overlap: Double) {
    switch zone {
    case 1: (130, 20)
    case 2: (220, 30)
    case 3: (350, 35)
    case 4: (520, 40)
    case 5: (800, 50)
    case 6: (1_200, 50)
    case 7: (1_700, 60)
    case 8: (2_500, 80)
    case 9: (4_000, 100)
    default: (0, 0)
    }
  }

  /// Returns the lowest zone that a frequency belongs to, and the share that the next one has in it,
  /// from 0 to 1.
  static func place(_ hertz: Double) -> (zone: Int, next: Double) {
    var zone = count - 1
    while zone > 0 && hertz < border(zone).hertz - border(zone).overlap { zone -= 1 }
    guard zone > 0 else { return (0, 0) }
    let (edge, overlap) = border(zone)
    let x = (hertz - edge + overlap) / (2 * overlap)
    return x >= 1 ? (zone, 0) : (zone - 1, 0.5 - 0.5 * Mathematics.cosine(turns: x / 2))
  }
}

/// The share of each window length in each zone, over the time of the output.
///
/// Each zone has a usual length. The longest windows take over where they alone resolve the sound: dense
/// chords that are held. The shortest do in lower zones where they are enough: voices that glide. The measure
/// is how unlike a band's previous output is to the spectrum that continues it (`SpectralBand.unlikeness`), which
/// each band knows anyway: it is small where a window resolves what is in it, and nothing in it moves.
///
/// Real time: fixed memory; a choice costs some hundred operations.
struct WindowLengths: ~Copyable {
  // The bands, longest windows first.
  static let steadyBand = 0
  static let lowBand = 1
  static let middleBand = 2
  static let movingBand = 3

  /// Returns the band of a zone in which neither the longest nor the shortest windows are better.
  static func usualBand(_ zone: Int) -> Int {
    zone < firstMiddleZone ? lowBand : zone < firstHighZone ? middleBand : movingBand
  }
  private static let firstMiddleZone = 3
  private static let firstHighZone = 6
  /// The zone above those which the longest windows reach.
  private static let steadyEnd = 9

  /// Above this unlikeness of the longest windows a sound is dense, so that the usual ones do not resolve it.
  private static let dense: Float = 0.00003
  /// Below this part of what noise would have it is resolved.
  private static let resolved: Float = 0.12
  /// How alike the parts are that two window lengths make of noise; measured where zones meet.
  private static let alikeParts: Float = 0.4
  /// Below this unlikeness the shortest windows are enough.
  private static let enough: Float = 0.0005

  private var steadiness = ZoneTrack(hop: 2_048, step: 0.5)
  private var movement = ZoneTrack(hop: 1_024, step: 0.25)
  private let isSteady = SampleBuffer(count: Zones.count)
  private let isMoving = SampleBuffer(count: Zones.count)
  /// How far each zone holds noise, from 0 to 1; a zero follows.
  private let noisiness = SampleBuffer(count: Zones.count + 1)
  /// For the output frame that `weigh` was called for: the power of the bands' parts in each zone and, between
  /// them, where one zone fades into the next, if the parts are incoherent.
  private let powers = SampleBuffer(count: 2 * Zones.count + 1)

  /// Starts with the usual lengths.
  mutating func reset(at output: Int) {
    noisiness.clear()
    isSteady.clear()
    isMoving.clear()
    steadiness.reset(at: output)
    movement.reset(at: output)
  }

  // MARK: Choosing

  /// Chooses where the longest windows are used, at the centre of their next transform; nowhere if it does not
  /// see its whole window, which holds an attack then.
  ///
  /// What they resolve is far less unlike than noise would be. A glide is unlike in every window, and may be least so
  /// in the longest by chance.
  mutating func chooseSteady(
    at output: Int, _ bands: UnsafeMutablePointer<SpectralBand>, isWhole: Bool
  ) {
    for zone in 0..<Self.steadyEnd {
      let steady = bands[Self.steadyBand].unlikeness(zone, unknown: 1)
      let usual = bands[Self.usualBand(zone)].unlikeness(zone, unknown: 0)
      let other = min(usual, bands[Self.movingBand].unlikeness(zone, unknown: 1))
      let wasSteady = isSteady[zone] > 0
      let noise = bands[Self.steadyBand].expectedUnlikeness
      let isResolved = steady < (wasSteady ? 0.2 : Self.resolved) * noise
      let isBetter = steady < other * (wasSteady ? 0.7 : 0.5) - 0.006 * noise
      isSteady[zone] = isWhole && isResolved && isBetter ? 1 : 0
    }
    steadiness.append(at: output, isSteady)
  }

  /// Chooses where the longest windows are used from the beginning on, as the other lengths have not measured anything
  /// yet: where the spectrum ahead, with which they began, is dense and resolved. Up to an output frame the usual
  /// lengths were heard.
  mutating func beginSteady(from output: Int, _ bands: UnsafeMutablePointer<SpectralBand>) {
    let band = bands + Self.steadyBand
    let most = Self.resolved * band.pointee.expectedUnlikeness
    for zone in 0..<Self.steadyEnd {
      let unlikeness = band.pointee.unlikeness(zone, unknown: 1)
      isSteady[zone] = unlikeness > Self.dense && unlikeness < most ? 1 : 0
    }
    steadiness.reset(at: output)
    var output = output
    while output < band.pointee.center {
      output += 2_048
      steadiness.append(at: output, isSteady)
    }
  }

  /// Chooses where the shortest windows are used instead of the usual ones, at the centre of a low
  /// transform: in all zones of a usual length at once, since the short windows' bins are as wide as the lower
  /// borders. Not near hits, whose sound is drawn out less by longer windows.
  ///
  /// What no window resolves makes the unlikeness grow with the square of the hop, what moves with the fourth
  /// power of the length; so that of the shortest windows is multiplied by somewhat more than the square before
  /// it is compared.
  mutating func chooseMoving(
    at output: Int, _ bands: UnsafeMutablePointer<SpectralBand>, isHit: (low: Bool, middle: Bool)
  ) {
    chooseMoving(0..<Self.firstMiddleZone, bands, factor: 24, isHit: isHit.low)
    chooseMoving(Self.firstMiddleZone..<Self.firstHighZone, bands, factor: 6, isHit: isHit.middle)
    movement.append(at: output, isMoving)
    listenForNoise(at: output, bands)
  }

  private func chooseMoving(
    _ zones: Range<Int>, _ bands: UnsafeMutablePointer<SpectralBand>, factor: Float, isHit: Bool
  ) {
    let wasMoving = isMoving[zones.upperBound - 1] > 0
    let isMoving =
      !isHit && isMovingBetter(in: zones, bands, factor: factor, wasMoving: wasMoving)
    for zone in zones { self.isMoving[zone] = isMoving ? 1 : 0 }
    // 43 ms hold three periods of a bass, so that it wavers. It needs a reason of its own, as it does not always
    // move when a melody above it does.
    if isMoving && zones.lowerBound == 0
      && !isLessUnlike(in: 0..<1, bands, factor: 6, wasMoving: wasMoving)
    {
      self.isMoving[0] = 0
    }
  }

  private func isMovingBetter(
    in zones: Range<Int>, _ bands: UnsafeMutablePointer<SpectralBand>, factor: Float,
    wasMoving: Bool
  ) -> Bool {
    isLessUnlike(in: zones, bands, factor: factor, wasMoving: wasMoving)
      || bands[Self.movingBand].unlikeness(zones, unknown: 1) < Self.enough * (wasMoving ? 3 : 1)
  }

  /// Whether the shortest windows are less unlike than the usual ones by more than a factor.
  private func isLessUnlike(
    in zones: Range<Int>, _ bands: UnsafeMutablePointer<SpectralBand>, factor: Float,
    wasMoving: Bool
  ) -> Bool {
    let moving = bands[Self.movingBand].unlikeness(zones, unknown: 1)
    let usual = bands[Self.usualBand(zones.lowerBound)].unlikeness(zones, unknown: 0)
    return moving * factor < usual * (wasMoving ? 1.3 : 0.8) - 0.0005
  }

  /// Noise is as unlike as it can be in each band that has a share.
  private func listenForNoise(at output: Int, _ bands: UnsafeMutablePointer<SpectralBand>) {
    for zone in 0..<Zones.count {
      let shares = self.shares(zone, at: output)
      var least: Float = 2
      for band in 0..<Stretcher.bandCount where shares[band] > 0 {
        least = min(
          least, bands[band].unlikeness(zone, unknown: 0) / bands[band].expectedUnlikeness)
      }
      let isNoise = SpectralBand.part(of: least, from: 0.3, to: 0.8)
      noisiness[zone] += 0.3 * (isNoise - noisiness[zone])
    }
  }

  // MARK: Shares

  /// Returns the shares of the bands in a zone at an output frame, from 0 to 1, which add up to 1.
  ///
  /// Not inlined, as its copies were a kilobyte of the compressed module.
  @inline(never)
  func shares(_ zone: Int, at output: Int) -> Four {
    let steady = steadiness.value(zone, at: output)
    let moving = min(1 - steady, movement.value(zone, at: output))
    var shares = Four()
    shares[Self.steadyBand] = steady
    shares[Self.movingBand] = moving
    shares[Self.usualBand(zone)] += 1 - steady - moving
    return shares
  }

  /// Prepares `raise` for an output frame.
  func weigh(at output: Int) {
    powers.clear()
    var below = Four()
    for zone in 0..<Zones.count {
      let here = shares(zone, at: output)
      powers[2 * zone] = (here * here).sum()
      if zone > 0 { powers[2 * zone - 1] = (here * below).sum() }
      below = here
    }
    powers[2 * Zones.count] = 1
  }

  /// Returns the factor that keeps the level of noise where it is made by several bands, whose parts do
  /// not fit; 1 for all else. `next` is the share of the zone after `zone`.
  func raise(_ zone: Int, next: Float) -> Float {
    let here = 1 - next
    let power =
      here * here * powers[2 * zone] + next * next * powers[2 * zone + 2]
      + 2 * here * next * powers[2 * zone + 1]
    guard power < 0.999 else { return 1 }
    // Where a tone lies next to a zone that holds nothing but noise, it is the tone that counts.
    let noise = next > 0 ? min(noisiness[zone], noisiness[zone + 1]) : noisiness[zone]
    // As one window length leads another, their parts are alike to some extent.
    let kept = Self.alikeParts + (1 - Self.alikeParts) * power
    return 1 + noise * (1 / kept.squareRoot() - 1)
  }
}

/// A value for every zone that was chosen at steps of the output, with straight lines between them.
private struct ZoneTrack: ~Copyable {
  private static let capacity = 16
  private let hop: Int
  /// By how much a value changes at most from one step to the next.
  private let step: Float
  private let values = SampleBuffer(count: capacity * Zones.count)
  private var latest = 0
  /// The output frame of the latest step.
  private var end = 0

  init(hop: Int, step: Float) {
    self.hop = hop
    self.step = step
  }

  mutating func reset(at output: Int) {
    values.clear()
    latest = 0
    end = output
  }

  /// Moves every zone towards its target.
  mutating func append(at output: Int, _ targets: borrowing SampleBuffer) {
    let from = values.base + latest * Zones.count
    latest = (latest + 1) % Self.capacity
    end = output
    let to = values.base + latest * Zones.count
    for zone in 0..<Zones.count {
      to[zone] = from[zone] + max(-step, min(step, targets[zone] - from[zone]))
    }
  }

  func value(_ zone: Int, at output: Int) -> Float {
    let behind = max(0, end - output)
    let back = min(behind / hop, Self.capacity - 2)
    let part = min(1, Float(behind - back * hop) / Float(hop))
    let at = (latest + Self.capacity - back) % Self.capacity
    let before = (at + Self.capacity - 1) % Self.capacity
    let here = values[at * Zones.count + zone], there = values[before * Zones.count + zone]
    return here + part * (there - here)
  }
}
