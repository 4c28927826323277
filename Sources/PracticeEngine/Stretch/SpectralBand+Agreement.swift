// Keeps the phases of the window lengths in agreement: where a longer window is heard, it leads.
//
// Two windows see one tone with different neighbours, and their phases drift apart by what the shorter one does
// not resolve. Where both are heard, on a border of zones or while one takes over from the other, their parts
// would cancel.

/// How spectra look through windows that are shorter by a factor of 2, 4 or 8: through Hann's, of which the square in
/// the highest band is near enough.
struct ShorterWindows: ~Copyable {
  /// How far a shorter window's lobe reaches to either side, in its own bins.
  fileprivate static let reach = 3
  static let longestRatio = 8
  /// The weights for one ratio after the other; `count` of each.
  private let weights: SampleBuffer

  init() {
    weights = SampleBuffer(count: Self.count(2) + Self.count(4) + Self.count(8))
    for ratio in 2...Self.longestRatio where Self.isRatio(ratio) {
      let lobe = weights.base + Self.start(ratio)
      for index in 0...(2 * Self.reach * ratio) {
        lobe[index] = Float(Self.weight(ratio, bins: Double(index - Self.reach * ratio)))
      }
    }
  }

  private static func isRatio(_ ratio: Int) -> Bool { ratio & (ratio - 1) == 0 }

  /// All weights of a ratio, rounded up to a multiple of four.
  fileprivate static func count(_ ratio: Int) -> Int { 2 * reach * ratio + 4 }

  private static func start(_ ratio: Int) -> Int {
    ratio == 2 ? 0 : count(2) + (ratio == 4 ? 0 : count(4))
  }

  /// The transform of the shorter window divided by the longer one, some of the longer one's bins from its centre.
  private static func weight(_ ratio: Int, bins: Double) -> Double {
    let steps = 64
    var sum = 0.0
    for step in 0..<steps {
      // From the centre to the end of the shorter window, in lengths of the longer one.
      let place = (Double(step) + 0.5) / Double(2 * steps * ratio)
      let long = 1 + Mathematics.cosine(turns: place)
      let short = 1 + Mathematics.cosine(turns: place * Double(ratio))
      sum += short / long * Mathematics.cosine(turns: bins * place)
    }
    return sum / Double(steps * ratio)
  }

  /// The weights for the bins from −`reach` · ratio on around one.
  fileprivate func weights(_ ratio: Int) -> UnsafeMutablePointer<Float> {
    weights.base + Self.start(ratio)
  }
}

/// What a band made last, for shorter ones, and what the longer bands ask of it.
struct Agreement: ~Copyable {
  /// Shorter bands make the transform of the same centre later, by up to three hops.
  fileprivate static let slots = 4
  /// More than the bins that are read beyond a band's own.
  private static let margin = (ShorterWindows.reach + 1) * ShorterWindows.longestRatio

  /// Spectra after rotation, with phases at the window's centre: for every slot the real parts of the bins from
  /// −`highest` to `highest`, then the imaginary ones.
  private let spectra: SampleBuffer
  private let rowCount: Int
  private let zeroBin: Int
  /// The centre of the transform in each slot, −1 for none.
  // Unsafe for the reason in SampleBuffer; owned here, freed in `deinit`.
  private let centers: UnsafeMutablePointer<Int>
  private var latest = 0

  /// For every bin and its mirror image, real and imaginary, what a longer band made there.
  fileprivate let asked: SampleBuffer
  /// For every bin, how a longer band leads: 0 not at all, `isUnheard` or `isHeard`.
  fileprivate let isLed: SampleBuffer
  fileprivate static let isUnheard: Float = 0.5
  fileprivate static let isHeard: Float = 1
  fileprivate let shares = SampleBuffer(count: Zones.count + 1)
  var isLedAnywhere = false

  init(highest: Int, binCount: Int) {
    zeroBin = highest + Self.margin
    rowCount = 2 * zeroBin + 4
    spectra = SampleBuffer(count: 2 * Self.slots * rowCount)
    asked = SampleBuffer(count: 4 * binCount)
    isLed = SampleBuffer(count: binCount)
    centers = .allocate(capacity: Self.slots)
    centers.initialize(repeating: -1, count: Self.slots)
  }

  deinit { centers.deallocate() }

  func reset() { centers.update(repeating: -1, count: Self.slots) }

  /// The real parts of a slot, from bin 0 on; bins below 0 may be read too.
  fileprivate func real(_ slot: Int) -> UnsafeMutablePointer<Float> {
    spectra.base + 2 * slot * rowCount + zeroBin
  }
  fileprivate func imaginary(_ slot: Int) -> UnsafeMutablePointer<Float> { real(slot) + rowCount }

  fileprivate func slot(at center: Int) -> Int? {
    for slot in 0..<Self.slots where centers[slot] == center { return slot }
    return nil
  }

  fileprivate mutating func nextSlot(at center: Int) -> Int {
    latest = (latest + 1) % Self.slots
    centers[latest] = center
    return latest
  }
}

extension SpectralBand {
  /// How like a region must be to what the longer band made, for that to lead.
  private static let likeEnough: Float = 0.8
  /// The same of the longest windows while they are not heard: the lowest usual band follows them slowly, if it is
  /// all but the same, so that they may take over.
  private static let likeEnoughUnheard: Float = 0.97
  private static let unheardChange: (cosine: Float, sine: Float) = (0.9998, 0.02)

  /// Keeps what was made, for shorter bands. Where an attack is hidden from a transform, whether it is like theirs
  /// shows whether it can lead.
  mutating func keepMade() {
    let slot = agreement.nextSlot(at: center)
    guard shape.lengthFrames > 2_048 else { return }
    let toReal = agreement.real(slot), toImaginary = agreement.imaginary(slot)
    let (re, im) = made
    for k in firstBin..<(firstBin + binCount) {
      let mirror = k == 0 ? 0 : length - k
      // A transform's phases are those at its first sample, half a window before the centre.
      let sign: Float = k & 1 == 0 ? 1 : -1
      toReal[k] = sign * re[k]
      toImaginary[k] = sign * im[k]
      toReal[-k] = sign * re[mirror]
      toImaginary[-k] = sign * im[mirror]
    }
  }

  mutating func forgetLead() {
    agreement.isLedAnywhere = false
    agreement.isLed.clear()
  }

  /// Lets a longer band lead in the next transform, wherever it is heard, if it made one of the same centre; below
  /// 350 Hz the longest also where it is not.
  mutating func follow(
    _ longer: borrowing SpectralBand, band: Int, _ lengths: borrowing WindowLengths,
    through windows: borrowing ShorterWindows
  ) {
    guard let slot = longer.agreement.slot(at: center) else { return }
    for zone in 0..<Zones.count {
      agreement.shares[zone] = lengths.shares(zone, at: center)[band]
    }
    let leadsUnheard = longer.shape.isForSteadySound && firstBin == 0 && shape.decimation > 1
    let ratio = longer.shape.lengthFrames / shape.lengthFrames
    let first = (longer.firstBin + ratio - 1) / ratio
    let end = (longer.firstBin + longer.binCount + ratio - 1) / ratio
    for k in max(0, first - firstBin)..<max(0, min(binCount, end - firstBin)) {
      let next = nextZone[k]
      let share = (1 - next) * agreement.shares[zones[k]] + next * agreement.shares[zones[k] + 1]
      guard share > 0 || leadsUnheard else { continue }
      let here = longer.seen(slot, through: windows, ratio, bin: firstBin + k)
      let mirror = longer.seen(slot, through: windows, ratio, bin: -firstBin - k)
      agreement.asked.base.setFour(
        4 * k, Four(here.real, here.imaginary, mirror.real, mirror.imaginary))
      agreement.isLed[k] = share > 0 ? Agreement.isHeard : Agreement.isUnheard
      agreement.isLedAnywhere = true
    }
  }

  /// Returns a bin of what this band made, as a shorter window would show it.
  private func seen(
    _ slot: Int, through windows: borrowing ShorterWindows, _ ratio: Int, bin: Int
  ) -> (real: Float, imaginary: Float) {
    let weights = windows.weights(ratio)
    let from = ratio * (bin - ShorterWindows.reach)
    let re = agreement.real(slot) + from, im = agreement.imaginary(slot) + from
    var real = Four(), imaginary = Four()
    var i = 0
    while i < ShorterWindows.count(ratio) {
      let weight = weights.four(i)
      real += weight * re.four(i)
      imaginary += weight * im.four(i)
      i += 4
    }
    let sign: Float = bin & 1 == 0 ? 1 : -1
    return (sign * real.sum(), sign * imaginary.sum())
  }

  /// Returns the rotation of a region: that which a longer band asks for, if one leads at its peak and made
  /// something like this region; but one close to the region's own if the longer band is not heard.
  func ledTurn(
    _ region: Range<Int>, peak: Int, own: (cosine: Float, sine: Float)
  ) -> (cosine: Float, sine: Float) {
    guard agreement.isLed[peak] > 0 else { return own }
    let (xr, xi) = current
    var real: Float = 0, imaginary: Float = 0, past: Float = 0, now: Float = 0
    for k in region where agreement.isLed[k] > 0 {
      let asked = agreement.asked.base.four(4 * k)
      let bin = firstBin + k
      let mirror = bin == 0 ? 0 : length - bin
      let x = Four(xr[bin], xi[bin], xr[mirror], xi[mirror])
      real += (asked * x).sum()
      imaginary += asked.y * x.x - asked.x * x.y - asked.w * x.z + asked.z * x.w
      past += (asked * asked).sum()
      now += (x * x).sum()
    }
    let isHeard = agreement.isLed[peak] == Agreement.isHeard
    let alike = (real * real + imaginary * imaginary).squareRoot()
    let enough = isHeard ? Self.likeEnough : Self.likeEnoughUnheard
    guard alike > 1e-20 && alike > enough * (past * now).squareRoot() else { return own }
    let cosine = real / alike, sine = imaginary / alike
    let most = Self.unheardChange
    guard !isHeard, cosine * own.cosine + sine * own.sine < most.cosine else {
      return (cosine, sine)
    }
    let side = sine * own.cosine < cosine * own.sine ? -most.sine : most.sine
    return (
      own.cosine * most.cosine - own.sine * side, own.sine * most.cosine + own.cosine * side
    )
  }
}
