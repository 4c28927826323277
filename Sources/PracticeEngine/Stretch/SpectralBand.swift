// One band of frequencies of the stretcher: a phase vocoder of both channels at once. This file
// moves samples; SpectralBand+Phases.swift decides how their spectrum is turned.

/// How a band is cut out of the sound. Lengths are in frames of the material.
struct BandShape {
  /// How many frames one transform sees.
  let lengthFrames: Int
  /// The output frames between two transforms.
  let hopFrames: Int
  /// The band runs at a rate that is this many times lower.
  let decimation: Int
  let lowHertz: Double
  let highHertz: Double
  /// How far the band reaches into its neighbours, which fade in while it fades out.
  let lowOverlapHertz: Double
  let highOverlapHertz: Double
}

/// What a transform may see, in frames from its centre: what lies outside is hidden from it.
struct View: Equatable {
  var left = -unlimited
  var right = unlimited

  static let unlimited = 1 << 30
  /// The frames over which the view fades in and out.
  static let fadeFrames = 48
}

/// Stretches one band of frequencies.
///
/// The two channels are the real and the imaginary part of one complex signal, so that one
/// transform serves both: bin k holds left + i·right, bin N − k its mirror image. Turning the phase
/// of both channels by z multiplies the one by z and the other by its conjugate.
///
/// Real time: only `init` allocates. `process` is the costly call: at most three transforms.
struct SpectralBand: ~Copyable {
  let shape: BandShape
  /// Frames in one transform, at the band's rate.
  let length: Int
  let firstBin: Int
  let binCount: Int
  private let filter: RateFilter
  private let fourier: FourierTransform
  private let window: SampleBuffer
  private let cutWindow: SampleBuffer
  /// How much of each bin belongs to this band.
  private let share: SampleBuffer
  /// The turns that move a spectrum by less than one frame of the band's rate.
  private let shifts: SampleBuffer
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  private var lowMaterial: StereoQueue

  /// Spectra, as four rows of bins: real and imaginary part of k, then of N − k.
  let current: SampleBuffer
  let earlier: SampleBuffer
  let made: SampleBuffer
  let power: SampleBuffer
  let cross: SampleBuffer
  let turns: SampleBuffer

  // Output that later transforms still add to, and the windows' weight in it.
  private let left: SampleBuffer
  private let right: SampleBuffer
  private let weight: SampleBuffer
  /// Where in the band's output, at its rate, these begin.
  private var origin = 0
  // Finished output at the band's rate: eight frames from before, then those of the step.
  private let readyLeft: SampleBuffer
  private let readyRight: SampleBuffer
  private var isPrimed = false

  /// The output frame at the centre of the next transform.
  private(set) var center = 0
  /// How far from the ideal place the latest transform was taken, in frames of the material.
  var offset = 0.0
  private var lastSource = 0
  private var lastView = View()
  /// Whether a transform was made that the next must continue.
  private(set) var hasPast = false

  init(_ shape: BandShape) {
    self.shape = shape
    let length = shape.lengthFrames / shape.decimation
    self.length = length
    let binHertz = 48_000 / Double(shape.lengthFrames)
    // Multiples of four bins; the whole of the band and of what it shares with its neighbours.
    let firstBin = max(0, Int((shape.lowHertz - shape.lowOverlapHertz) / binHertz)) & ~3
    self.firstBin = firstBin
    let lastBin = min(length / 2, Int((shape.highHertz + shape.highOverlapHertz) / binHertz) + 4)
    let binCount = (lastBin - firstBin + 3) & ~3
    self.binCount = binCount
    filter = RateFilter(factor: shape.decimation)
    fourier = FourierTransform(length: length)
    window = SampleBuffer(count: length)
    for i in 0..<length {
      let turns = Double(i) / Double(length)
      window[i] = Float(0.5 - 0.5 * Mathematics.cosine(turns: turns))
    }
    share = SampleBuffer(count: binCount)
    for k in 0..<binCount {
      let hertz = Double(firstBin + k) * binHertz
      let entering = Self.rise(hertz, around: shape.lowHertz, over: shape.lowOverlapHertz)
      let leaving = Self.rise(hertz, around: shape.highHertz, over: shape.highOverlapHertz)
      share[k] = Float(entering * (1 - leaving))
    }
    shifts = SampleBuffer(count: 2 * shape.decimation * binCount)
    for shift in 0..<shape.decimation {
      for k in 0..<binCount {
        let turns = Double((firstBin + k) * shift) / Double(shape.lengthFrames)
        shifts[2 * shift * binCount + k] = Float(Mathematics.cosine(turns: turns))
        shifts[(2 * shift + 1) * binCount + k] = Float(Mathematics.sine(turns: turns))
      }
    }
    cutWindow = SampleBuffer(count: length)
    real = SampleBuffer(count: length)
    imaginary = SampleBuffer(count: length)
    lowMaterial = StereoQueue(
      capacity: shape.decimation == 1 ? 16 : Stretcher.materialCapacity / shape.decimation)
    current = SampleBuffer(count: 4 * binCount)
    earlier = SampleBuffer(count: 4 * binCount)
    made = SampleBuffer(count: 4 * binCount)
    power = SampleBuffer(count: binCount + 8)
    cross = SampleBuffer(count: 3 * binCount)
    turns = SampleBuffer(count: 2 * binCount)
    let pending = length + 3 * Stretcher.stepFrames
    left = SampleBuffer(count: pending)
    right = SampleBuffer(count: pending)
    weight = SampleBuffer(count: pending)
    readyLeft = SampleBuffer(count: Stretcher.stepFrames + 16)
    readyRight = SampleBuffer(count: Stretcher.stepFrames + 16)
  }

  /// A raised cosine from 0 to 1 around an edge; an edge at 0 Hz has passed, one at 24 kHz never is.
  private static func rise(_ hertz: Double, around edge: Double, over reach: Double) -> Double {
    if edge <= 0 { return 1 }
    if edge >= 24_000 { return 0 }
    let x = (hertz - edge + reach) / (2 * reach)
    if x <= 0 { return 0 }
    return x >= 1 ? 1 : 0.5 - 0.5 * Mathematics.cosine(turns: x / 2)
  }

  /// How far a transform reaches to either side: what it reads around its centre in the material,
  /// and how far ahead of the output it must be made.
  var reachFrames: Int { shape.lengthFrames / 2 + (shape.decimation == 1 ? 0 : filter.reach) }

  // MARK: Starting

  /// Begins anew with new material: the next transform is centred on an output frame and takes its
  /// phases from the material. What is under way rings out unless `silent`.
  mutating func restart(at output: Int, silent: Bool) {
    center = output
    offset = 0
    hasPast = false
    if shape.decimation > 1 { lowMaterial.reset(silent: length) }
    guard silent else { return }
    left.clear()
    right.clear()
    weight.clear()
    readyLeft.clear()
    readyRight.clear()
    origin = output / shape.decimation - (shape.decimation == 1 ? 0 : 4)
    isPrimed = false
  }

  /// Takes in what is new in the material. Frames before `kept` will not be asked for again.
  mutating func absorb(_ material: borrowing StereoQueue, keepingFrom kept: Int) {
    let factor = shape.decimation
    guard factor > 1 else { return }
    while lowMaterial.end * factor + filter.reach + 4 <= material.end {
      lowMaterial.makeRoom(1, keepingFrom: kept / factor - 1)
      let low = lowMaterial.end
      lowMaterial.left[low] = filter.sample(material.left + low * factor)
      lowMaterial.right[low] = filter.sample(material.right + low * factor)
      lowMaterial.wrote(1)
    }
  }

  // MARK: Transforms

  /// Makes the transform whose centre is heard at `center` and lies at `source` in the material.
  mutating func process(
    _ material: borrowing StereoQueue, source: Int, view: View, isAttack: Bool
  ) {
    var gain: Float = 1
    if hasPast {
      let back = source - shape.hopFrames
      if back == lastSource && lastView == View() {
        earlier.base.update(from: current.base, count: 4 * binCount)
      } else {
        // The same view as the transform before had, lest the window turn a phase; but no attack
        // that it did not see.
        var past = lastView
        if view.right < View.unlimited {
          past.right = max(
            min(past.right, view.right + shape.hopFrames), past.left + 4 * View.fadeFrames)
        }
        let seen = analyze(material, at: back, past, into: earlier)
        gain = Float(length) / 2 / max(seen, 1)
      }
    }
    _ = analyze(material, at: source, view, into: current)
    decideTurns(isAttack: isAttack, earlierGain: gain)
    turnSpectrum()
    synthesize(view)
    lastSource = source
    lastView = view
    hasPast = true
    center += shape.hopFrames
  }

  /// Transforms what is seen around a frame and keeps the band's bins. Returns the window's sum.
  private func analyze(
    _ material: borrowing StereoQueue, at source: Int, _ view: View,
    into spectrum: borrowing SampleBuffer
  ) -> Float {
    let factor = shape.decimation
    let low = source >= 0 ? source / factor : -((factor - 1 - source) / factor)
    let shift = source - low * factor
    let from = low - length / 2
    let window = visibleWindow(view, shift: shift)
    let re = real.base, im = imaginary.base
    let l = (factor == 1 ? material.left : lowMaterial.left) + from
    let r = (factor == 1 ? material.right : lowMaterial.right) + from
    var sum = Four()
    var i = 0
    while i < length {
      let value = window.four(i)
      sum += value
      re.setFour(i, l.four(i) * value)
      im.setFour(i, r.four(i) * value)
      i += 4
    }
    fourier.transform(re, im)
    keepBins(in: spectrum.base, shift: shift)
    return sum.sum()
  }

  /// Copies the band's bins from the transform, moved by `shift` frames of the material.
  private func keepBins(in rows: UnsafeMutablePointer<Float>, shift: Int) {
    let re = real.base, im = imaginary.base
    let bins = binCount
    rows.update(from: re + firstBin, count: bins)
    (rows + bins).update(from: im + firstBin, count: bins)
    // Bin 0 is its own mirror image and has none here.
    rows[2 * bins] = 0
    rows[3 * bins] = 0
    for k in (firstBin == 0 ? 1 : 0)..<bins {
      rows[2 * bins + k] = re[length - firstBin - k]
      rows[3 * bins + k] = im[length - firstBin - k]
    }
    guard shift > 0 else { return }
    let cosines = shifts.base + 2 * shift * bins
    let sines = cosines + bins
    var k = 0
    while k < bins {
      let c = cosines.four(k), s = sines.four(k)
      let ar = rows.four(k), ai = rows.four(k + bins)
      let br = rows.four(k + 2 * bins), bi = rows.four(k + 3 * bins)
      rows.setFour(k, ar * c - ai * s)
      rows.setFour(k + bins, ai * c + ar * s)
      rows.setFour(k + 2 * bins, br * c + bi * s)
      rows.setFour(k + 3 * bins, bi * c - br * s)
      k += 4
    }
  }

  /// Returns the window with what is not to be seen taken out of it.
  private func visibleWindow(_ view: View, shift: Int) -> UnsafeMutablePointer<Float> {
    let half = length / 2
    let factor = shape.decimation
    let reach = factor == 1 ? 0 : filter.reach
    var from = 0
    var to = length
    if view.left > -shape.lengthFrames {
      let edge = view.left + shift + reach
      from = half + (edge >= 0 ? (edge + factor - 1) / factor : -(-edge / factor))
    }
    if view.right < shape.lengthFrames {
      let edge = view.right + shift - reach
      to = half + (edge >= 0 ? edge / factor : -((factor - 1 - edge) / factor))
    }
    from = min(max(from, 0), length)
    to = min(max(to, from), length)
    if from == 0 && to == length { return window.base }
    let cut = cutWindow.base
    cut.update(from: window.base, count: length)
    cut.update(repeating: 0, count: from)
    (cut + to).update(repeating: 0, count: length - to)
    let fade = min(View.fadeFrames / factor, (to - from) / 2)
    for i in 0..<fade {
      let level = (Float(i) + 0.5) / Float(fade)
      if from > 0 { cut[from + i] *= level }
      if to < length { cut[to - 1 - i] *= level }
    }
    return cut
  }

  /// Transforms the turned spectrum back and adds it to the output.
  private func synthesize(_ view: View) {
    let bins = binCount
    let rows = made.base
    let re = real.base, im = imaginary.base
    re.update(repeating: 0, count: length)
    im.update(repeating: 0, count: length)
    var k = 0
    while k < bins {
      let level = share.base.four(k)
      re.setFour(firstBin + k, rows.four(k) * level)
      im.setFour(firstBin + k, rows.four(k + bins) * level)
      k += 4
    }
    for k in (firstBin == 0 ? 1 : 0)..<bins {
      re[length - firstBin - k] = rows[2 * bins + k] * share[k]
      im[length - firstBin - k] = rows[3 * bins + k] * share[k]
    }
    // Swapped, the transform is its inverse.
    fourier.transform(im, re)
    let seen = visibleWindow(view, shift: 0)
    let from = center / shape.decimation - length / 2 - origin
    let scale = Four(repeating: 1 / Float(length))
    let l = left.base + from, r = right.base + from, sum = weight.base + from
    var i = max(0, -from)
    while i < length {
      let level = window.base.four(i)
      l.setFour(i, l.four(i) + re.four(i) * level * scale)
      r.setFour(i, r.four(i) + im.four(i) * level * scale)
      sum.setFour(i, sum.four(i) + seen.four(i) * level)
      i += 4
    }
  }

  // MARK: Output

  /// Adds the band's next step to the output. Every transform that reaches into it must be made.
  mutating func addStep(
    _ outLeft: UnsafeMutablePointer<Float>, _ outRight: UnsafeMutablePointer<Float>
  ) {
    let factor = shape.decimation
    guard factor > 1 else {
      takeFinished(Stretcher.stepFrames, outLeft, outRight, adding: true)
      return
    }
    let count = Stretcher.stepFrames / factor
    if !isPrimed {
      takeFinished(8, readyLeft.base, readyRight.base, adding: false)
      isPrimed = true
    }
    takeFinished(count, readyLeft.base + 8, readyRight.base + 8, adding: false)
    filter.interpolate(readyLeft.base + 4, count: count, into: outLeft)
    filter.interpolate(readyRight.base + 4, count: count, into: outRight)
    readyLeft.base.update(from: readyLeft.base + count, count: 8)
    readyRight.base.update(from: readyRight.base + count, count: 8)
  }

  /// Hands out finished output at the band's rate and moves on.
  private mutating func takeFinished(
    _ count: Int, _ outLeft: UnsafeMutablePointer<Float>, _ outRight: UnsafeMutablePointer<Float>,
    adding: Bool
  ) {
    for i in 0..<count {
      // The whole weight is 3. Where views end, little may be left of it, but not of a low band.
      let scale = 1 / max(weight[i], 0.25)
      outLeft[i] = (adding ? outLeft[i] : 0) + left[i] * scale
      outRight[i] = (adding ? outRight[i] : 0) + right[i] * scale
    }
    origin += count
    Self.shift(left, by: count)
    Self.shift(right, by: count)
    Self.shift(weight, by: count)
  }

  private static func shift(_ buffer: borrowing SampleBuffer, by count: Int) {
    let rest = buffer.count - count
    buffer.base.update(from: buffer.base + count, count: rest)
    (buffer.base + rest).update(repeating: 0, count: count)
  }
}
