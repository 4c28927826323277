// One frequency band of the stretcher: a phase vocoder for both channels at once. This file moves
// samples; SpectralBand+Phases.swift decides the phase rotations.

/// Stretches one frequency band.
///
/// The two channels are the real and the imaginary part of one complex signal, so that one
/// transform serves both: bin k holds left + i·right, bin N − k its mirror image. Rotating the
/// phase of both channels by z multiplies the one by z and the other by its conjugate.
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
  /// The weights of the output: narrow, since a transform is most accurate in its middle. At speeds
  /// far from 1, the sound beside the middle belongs elsewhere.
  private let synthesisWindow: SampleBuffer
  private let cutWindow: SampleBuffer
  /// The share of each bin of the whole spectrum that belongs to this band, divided by `length`.
  private let share: SampleBuffer
  /// The phase rotations that shift a spectrum by less than one frame of the band's rate.
  private let shifts: SampleBuffer
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  private var lowMaterial: StereoQueue

  /// Whole spectra, each a row of real and one of imaginary parts: those of the latest transforms
  /// in turn, then `fresh`, then `made`. A zero follows each row, the image of bin 0.
  private let spectra: SampleBuffer
  private var currentSlot = 0
  private var earlierSlot = 0
  private static let fresh = 3
  /// The latest transform after rotation, which the next one must continue.
  private static let made = 4
  /// The bins' power, with four zeros before and after.
  let power: SampleBuffer
  /// For every bin: made · conj(earlier), the power of made and that of earlier.
  let comparison: SampleBuffer
  /// The bins' rotations: cosines, then sines; longer than 1 where they raise the level.
  let turns: SampleBuffer
  // Unsafe for the reason in SampleBuffer; this band alone owns and frees it.
  let peaks: UnsafeMutablePointer<Int>
  /// Whether nothing was rotated since the beginning.
  var isUnturned = false

  // Output that later transforms still add to, and the sum of the windows in it, from
  // `pendingStart` on.
  private let left: SampleBuffer
  private let right: SampleBuffer
  private let weight: SampleBuffer
  private let pendingFrames: Int
  private var pendingStart = 0
  /// The start of these buffers in the band's output, at its rate.
  private var origin = 0
  // Finished output at the band's rate: eight frames from before, then those of the step.
  private let readyLeft: SampleBuffer
  private let readyRight: SampleBuffer
  private var isPrimed = false

  /// The output frame at the centre of the next transform.
  private(set) var center = 0
  /// The distance of the latest transform from its ideal position, in frames of the material.
  var offset = 0.0
  private var latest = Place()
  private var previous: Place?
  /// Whether there is a previous transform that the next must continue.
  private(set) var hasPast = false

  /// The position and the view of a transform.
  private struct Place {
    var source = 0
    var view = View()
  }

  init(_ shape: BandShape) {
    self.shape = shape
    let length = shape.lengthFrames / shape.decimation
    self.length = length
    let binHertz = 48_000 / Double(shape.lengthFrames)
    // Multiples of four bins; the whole band with its overlaps.
    let firstBin = max(0, Int((shape.lowHertz - shape.lowOverlapHertz) / binHertz)) & ~3
    self.firstBin = firstBin
    let lastBin = min(length / 2, Int((shape.highHertz + shape.highOverlapHertz) / binHertz) + 4)
    let binCount = (lastBin - firstBin + 3) & ~3
    self.binCount = binCount
    filter = RateFilter(factor: shape.decimation)
    fourier = FourierTransform(length: length)
    window = SampleBuffer(count: length)
    synthesisWindow = SampleBuffer(count: length)
    for i in 0..<length {
      let level = 0.5 - 0.5 * Mathematics.cosine(turns: Double(i) / Double(length))
      window[i] = Float(level)
      synthesisWindow[i] = Float(level * level * level * level * level)
    }
    share = SampleBuffer(count: length)
    for k in firstBin..<(firstBin + binCount) {
      let hertz = Double(k) * binHertz
      let entering = Self.rise(hertz, around: shape.lowHertz, over: shape.lowOverlapHertz)
      let leaving = Self.rise(hertz, around: shape.highHertz, over: shape.highOverlapHertz)
      share[k] = Float(entering * (1 - leaving) / Double(length))
      if k > 0 { share[length - k] = share[k] }
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
    spectra = SampleBuffer(count: 10 * (length + 4))
    power = SampleBuffer(count: binCount + 8)
    comparison = SampleBuffer(count: 4 * binCount)
    turns = SampleBuffer(count: 2 * (binCount + 4))
    peaks = .allocate(capacity: binCount + 4)
    peaks.initialize(repeating: 0, count: binCount + 4)
    pendingFrames = length + 3 * Stretcher.stepFrames
    left = SampleBuffer(count: 2 * pendingFrames)
    right = SampleBuffer(count: 2 * pendingFrames)
    weight = SampleBuffer(count: 2 * pendingFrames)
    readyLeft = SampleBuffer(count: Stretcher.stepFrames + 16)
    readyRight = SampleBuffer(count: Stretcher.stepFrames + 16)
  }

  deinit { peaks.deallocate() }

  /// A raised cosine from 0 to 1 around an edge; an edge at 0 Hz is always passed, one at 24 kHz
  /// never.
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

  /// Restarts with new material: the next transform is centred on an output frame and takes its
  /// phases from the material. Pending output rings out unless `silent`.
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
    pendingStart = 0
    origin = output / shape.decimation - (shape.decimation == 1 ? 0 : 4)
    isPrimed = false
  }

  /// Resamples the new material. Frames before `kept` are not needed again.
  mutating func absorb(_ material: borrowing StereoQueue, keepingFrom kept: Int) {
    let factor = shape.decimation
    guard factor > 1 else { return }
    while lowMaterial.end * factor + filter.reach + 4 <= material.end {
      lowMaterial.makeRoom(1, keepingFrom: kept / factor - 1)
      let low = lowMaterial.end
      let sample = filter.sample(material.left + low * factor, material.right + low * factor)
      lowMaterial.left[low] = sample.left
      lowMaterial.right[low] = sample.right
      lowMaterial.wrote(1)
    }
  }

  // MARK: Transforms

  /// Makes the transform that is centred on output frame `center` and on material frame `source`.
  mutating func process(
    _ material: borrowing StereoQueue, source: Int, view: View, isAttack: Bool
  ) {
    var gain: Float = 1
    var continuesLatest = false
    let latestSlot = currentSlot
    currentSlot = (currentSlot + 1) % Self.fresh
    if hasPast {
      let back = source - shape.hopFrames
      if latest.view == View() && latest.source == back {
        earlierSlot = latestSlot
        continuesLatest = true
      } else if latest.view == View(), let previous, previous.view == View(),
        previous.source == back
      {
        // At half the speed the transform before the latest lies at the required position.
        earlierSlot = (currentSlot + 1) % Self.fresh
      } else {
        // The same view as the previous transform had, so that a different window does not change a
        // phase, but without attacks that it did not see.
        var past = latest.view
        if view.right < View.unlimited {
          past.right = max(
            min(past.right, view.right + shape.hopFrames), past.left + 4 * View.fadeFrames)
        }
        earlierSlot = Self.fresh
        gain = analyze(material, at: back, past, into: Self.fresh)
      }
    }
    _ = analyze(material, at: source, view, into: currentSlot)
    // Nothing was rotated before, and this lies exactly one hop further, so no rotation is needed.
    if !(isUnturned && continuesLatest && !isAttack) {
      decideTurns(
        isAttack: isAttack, isWhole: view == View() && latest.view == View(), earlierGain: gain)
    }
    turnSpectrum()
    synthesize(view)
    previous = hasPast ? latest : nil
    latest = Place(source: source, view: view)
    hasPast = true
    center += shape.hopFrames
  }

  /// The real and the imaginary parts of a spectrum.
  private func spectrum(_ slot: Int) -> FourierTransform.Arrays {
    let row = length + 4
    return (spectra.base + 2 * slot * row, spectra.base + (2 * slot + 1) * row)
  }

  var current: FourierTransform.Arrays { spectrum(currentSlot) }
  /// The spectrum one hop before `current` in the source.
  var earlier: FourierTransform.Arrays { spectrum(earlierSlot) }
  var made: FourierTransform.Arrays { spectrum(Self.made) }

  /// Transforms the view around a frame. Returns the ratio of the whole window to the view.
  private func analyze(
    _ material: borrowing StereoQueue, at source: Int, _ view: View, into slot: Int
  ) -> Float {
    let factor = shape.decimation
    let low = source >= 0 ? source / factor : -((factor - 1 - source) / factor)
    let shift = source - low * factor
    let from = low - length / 2
    let seen = visibleWindow(view, shift: shift)
    let l = (factor == 1 ? material.left : lowMaterial.left) + from
    let r = (factor == 1 ? material.right : lowMaterial.right) + from
    let result = spectrum(slot)
    fourier.transform((l, r), weights: seen, into: result)
    if shift > 0 { move(result, by: shift) }
    if seen == window.base { return 1 }
    var sum = Four()
    var i = 0
    while i < length {
      sum += seen.four(i)
      i += 4
    }
    return Float(length) / 2 / max(sum.sum(), 1)
  }

  /// Shifts a spectrum by some frames of the material.
  private func move(_ spectrum: FourierTransform.Arrays, by frames: Int) {
    let (re, im) = spectrum
    let cosines = shifts.base + 2 * frames * binCount
    let sines = cosines + binCount
    var k = 0
    while k < binCount {
      let bin = firstBin + k
      let mirror = length - bin - 3
      let c = cosines.four(k), s = sines.four(k)
      let ar = re.four(bin), ai = im.four(bin)
      let br = re.four(mirror), bi = im.four(mirror)
      let d = c.reversed, t = s.reversed
      re.setFour(bin, ar * c - ai * s)
      im.setFour(bin, ai * c + ar * s)
      re.setFour(mirror, br * d + bi * t)
      im.setFour(mirror, bi * d - br * t)
      k += 4
    }
  }

  /// Returns the window with the hidden parts removed.
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

  /// Transforms the rotated spectrum back and adds it to the output.
  private func synthesize(_ view: View) {
    let re = real.base, im = imaginary.base
    // With real and imaginary part swapped, the transform is its inverse.
    fourier.transform((made.1, made.0), weights: share.base, into: (im, re))
    let seen = visibleWindow(view, shift: 0)
    let from = center / shape.decimation - length / 2 - origin
    let start = pendingStart + from
    let l = left.base + start, r = right.base + start, sum = weight.base + start
    var i = max(0, -from)
    while i < length {
      let level = synthesisWindow.base.four(i)
      l.setFour(i, l.four(i) + re.four(i) * level)
      r.setFour(i, r.four(i) + im.four(i) * level)
      sum.setFour(i, sum.four(i) + seen.four(i) * level)
      i += 4
    }
  }

  // MARK: Output

  /// Adds the band's next step to the output. All transforms that reach into it must have been
  /// made.
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

  /// Returns finished output at the band's rate and advances.
  private mutating func takeFinished(
    _ count: Int, _ outLeft: UnsafeMutablePointer<Float>, _ outRight: UnsafeMutablePointer<Float>,
    adding: Bool
  ) {
    let l = left.base + pendingStart, r = right.base + pendingStart
    var i = 0
    while i < count {
      // The full weight is 1.8. Where views end, little may be left of it, except in a low band.
      let sum = weight.base.four(pendingStart + i)
      let scale = 1 / sum.replacing(with: 0.15, where: sum .< 0.15)
      outLeft.setFour(i, (adding ? outLeft.four(i) : Four()) + l.four(i) * scale)
      outRight.setFour(i, (adding ? outRight.four(i) : Four()) + r.four(i) * scale)
      i += 4
    }
    origin += count
    pendingStart += count
    guard pendingStart > pendingFrames else { return }
    moveToFront(left)
    moveToFront(right)
    moveToFront(weight)
    pendingStart = 0
  }

  /// Moves pending output to the front, once in so many steps.
  private func moveToFront(_ buffer: borrowing SampleBuffer) {
    let rest = buffer.count - pendingStart
    buffer.base.update(from: buffer.base + pendingStart, count: rest)
    (buffer.base + rest).update(repeating: 0, count: pendingStart)
  }
}
