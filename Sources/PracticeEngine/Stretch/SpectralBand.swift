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
  /// Hann's window; squared in the highest band, whose partials glide by more than its lobe while they are seen.
  private let window: SampleBuffer
  private let windowSum: Float
  /// The weights of the output: narrow, since a transform is most accurate in its middle. At speeds
  /// far from 1, the sound beside the middle belongs elsewhere.
  private let synthesisWindow: SampleBuffer
  private let cutWindow: SampleBuffer
  /// The share of each bin of the whole spectrum that belongs to this band, divided by `length`.
  private let share: SampleBuffer
  /// Whether the band has a share of the next transform anywhere.
  private var isHeard = false
  /// For every bin, its zone and the share of the next one.
  let zones: UnsafeMutablePointer<Int>
  let nextZone: SampleBuffer
  /// The band's share of each zone, and a zero.
  private let zoneShares = SampleBuffer(count: Zones.count + 1)
  /// For every zone, over the latest transforms: how much of the previous output was like the spectrum
  /// that continues it, and how much could have been.
  let likeness = SampleBuffer(count: 2 * Zones.count)
  /// What is exchanged with bands of other window lengths; see SpectralBand+Agreement.swift.
  var agreement: Agreement
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
  /// Where the band holds noise; see SpectralBand+Noise.swift.
  var noise: NoiseGroups
  /// How unlike noise would have been at the latest transform that saw its whole window.
  var expectedUnlikeness: Float = 1
  /// How far the latest transform was taken beyond the place whose phases its next one continues, in
  /// frames of the material: negative at less than the full speed.
  var lag = 0
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
    let firstBin = max(0, Int(shape.lowHertz / binHertz)) & ~3
    self.firstBin = firstBin
    let lastBin = min(length / 2, Int(shape.highHertz / binHertz) + 4)
    let binCount = (lastBin - firstBin + 3) & ~3
    self.binCount = binCount
    filter = RateFilter(factor: shape.decimation, isWide: shape.isForSteadySound)
    fourier = FourierTransform(length: length)
    window = SampleBuffer(count: length)
    synthesisWindow = SampleBuffer(count: length)
    for i in 0..<length {
      let level = 0.5 - 0.5 * Mathematics.cosine(turns: Double(i) / Double(length))
      window[i] = Float(shape.isHighest ? level * level : level)
      let outer = abs(i - length / 2) >= length / 4
      synthesisWindow[i] =
        outer
        ? 0 : Float(0.5 - 0.5 * Mathematics.cosine(turns: 2 * Double(i) / Double(length) - 0.5))
    }
    windowSum = Float(length) * (shape.isHighest ? 0.375 : 0.5)
    noise = NoiseGroups(binCount: binCount)
    share = SampleBuffer(count: length)
    zones = .allocate(capacity: binCount)
    nextZone = SampleBuffer(count: binCount)
    for k in 0..<binCount {
      let (zone, next) = Zones.place(Double(firstBin + k) * binHertz)
      (zones + k).initialize(to: zone)
      nextZone[k] = Float(next)
    }
    shifts = SampleBuffer(count: 2 * shape.decimation * binCount)
    for shift in 0..<shape.decimation {
      for k in 0..<binCount {
        let turns = Double((firstBin + k) * shift) / Double(shape.lengthFrames)
        shifts[2 * shift * binCount + k] = Float(Mathematics.cosine(turns: turns))
        shifts[(2 * shift + 1) * binCount + k] = Float(Mathematics.sine(turns: turns))
      }
    }
    agreement = Agreement(highest: firstBin + binCount, binCount: binCount)
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
    readyLeft = SampleBuffer(count: Stretcher.stepFrames + 32)
    readyRight = SampleBuffer(count: Stretcher.stepFrames + 32)
  }

  deinit {
    peaks.deallocate()
    zones.deallocate()
  }

  /// How little the previous output is like the spectrum that continues it, in some zones: from 0, the
  /// same, to 1; `unknown` before it was measured. What one window does not resolve differs, and so does
  /// what changes within a window.
  func unlikeness(_ zones: Range<Int>, unknown: Float) -> Float {
    var alike: Float = 0, possible: Float = 0
    for zone in zones {
      alike += likeness[2 * zone]
      possible += likeness[2 * zone + 1]
    }
    return possible > 1e-20 ? 1 - alike / possible : unknown
  }

  func unlikeness(_ zone: Int, unknown: Float) -> Float {
    unlikeness(zone..<(zone + 1), unknown: unknown)
  }

  /// Applies the band's shares of the zones to the next transform.
  mutating func apply(_ lengths: borrowing WindowLengths, band: Int) {
    lengths.weigh(at: center)
    for zone in 0..<Zones.count {
      zoneShares[zone] = lengths.shares(zone, at: center)[band]
    }
    let scale = 1 / Float(length)
    isHeard = false
    for k in 0..<binCount {
      let zone = zones[k], next = nextZone[k]
      var value = (1 - next) * zoneShares[zone] + next * zoneShares[zone + 1]
      if value > 0 {
        value *= scale * lengths.raise(zone, next: next)
        isHeard = true
      }
      share[firstBin + k] = value
      if firstBin + k > 0 { share[length - firstBin - k] = value }
    }
  }

  /// How far a transform reads to either side of its centre in the material.
  var readFrames: Int { shape.lengthFrames / 2 + rateFrames }
  /// How far ahead of the output a transform must be made: its result is weighted with half its length.
  var reachFrames: Int { shape.lengthFrames / 4 + rateFrames }
  private var rateFrames: Int { shape.decimation == 1 ? 0 : filter.reach }

  // MARK: Starting

  /// Restarts with new material: the next transform is centred on an output frame, or some time after, and takes its
  /// phases from the material. Pending output rings out unless `silent`.
  mutating func restart(at output: Int, silent: Bool) {
    center = output + shape.delayFrames
    offset = 0
    likeness.clear()
    noise.reset()
    hasPast = false
    agreement.reset()
    forgetLead()
    if shape.decimation > 1 { lowMaterial.reset(silent: length) }
    guard silent else { return }
    left.clear()
    right.clear()
    weight.clear()
    readyLeft.clear()
    readyRight.clear()
    pendingStart = 0
    origin = output / shape.decimation - (shape.decimation == 1 ? 0 : filter.side)
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
    lag = hasPast ? source - shape.hopFrames - latest.source : 0
    // If nothing was rotated before, and this lies exactly one hop further, no rotation is needed.
    isUnturned = !hasPast || isUnturned && continuesLatest && !isAttack
    if isUnturned {
      makeCurrent()
    } else {
      decideTurns(
        isAttack: isAttack, isWhole: view == View() && latest.view == View(), earlierGain: gain)
      turn(current)
    }
    keepMade()
    synthesize(view)
    previous = hasPast ? latest : nil
    latest = Place(source: source, view: view)
    hasPast = true
    center += shape.hopFrames
  }

  // MARK: Beginning from what lies ahead

  /// Begins with the spectrum at a frame of the material, and compares it with the one a hop further: finds how unlike
  /// they are, and the rotations by which a steady sound goes back by one hop.
  mutating func lookAhead(_ material: borrowing StereoQueue, from source: Int) {
    _ = analyze(material, at: source, View(), into: currentSlot)
    _ = analyze(material, at: source + shape.hopFrames, View(), into: Self.fresh)
    earlierSlot = Self.fresh
    makeCurrent()
    latest = Place(source: source)
    hasPast = true
    isUnturned = false
    lag = -shape.hopFrames
    decideTurns(isAttack: false, isWhole: true, earlierGain: 1)
  }

  /// Makes the transform that `lookAhead` began with, and those before it, each rotated back by a hop.
  mutating func processBack(to first: Int, _ lengths: borrowing WindowLengths, band: Int) {
    let end = center + shape.hopFrames
    while center >= first {
      apply(lengths, band: band)
      if isHeard { keepMade() }
      synthesize(View())
      turn(made)
      center -= shape.hopFrames
    }
    makeCurrent()
    center = end
  }

  /// Makes what is in the source as it is.
  private func makeCurrent() {
    made.0.update(from: current.0, count: length)
    made.1.update(from: current.1, count: length)
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
    return windowSum / max(sum.sum(), 1)
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
    if isHeard {
      // With real and imaginary part swapped, the transform is its inverse.
      fourier.transform((made.1, made.0), weights: share.base, into: (im, re))
    } else {
      real.clear()
      imaginary.clear()
    }
    let seen = visibleWindow(view, shift: 0)
    let from = center / shape.decimation - length / 2 - origin
    let start = pendingStart + from
    let l = left.base + start, r = right.base + start, sum = weight.base + start
    var i = max(length / 4, -from)
    while i < 3 * length / 4 {
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
    let past = 2 * filter.side
    if !isPrimed {
      takeFinished(past, readyLeft.base, readyRight.base, adding: false)
      isPrimed = true
    }
    takeFinished(count, readyLeft.base + past, readyRight.base + past, adding: false)
    filter.interpolate(readyLeft.base + filter.side, count: count, into: outLeft)
    filter.interpolate(readyRight.base + filter.side, count: count, into: outRight)
    readyLeft.base.update(from: readyLeft.base + count, count: past)
    readyRight.base.update(from: readyRight.base + count, count: past)
  }

  /// Returns finished output at the band's rate and advances.
  private mutating func takeFinished(
    _ count: Int, _ outLeft: UnsafeMutablePointer<Float>, _ outRight: UnsafeMutablePointer<Float>,
    adding: Bool
  ) {
    let l = left.base + pendingStart, r = right.base + pendingStart
    var i = 0
    while i < count {
      // The full weight is 1.7 or 1.8. Where views end, little may be left of it, except in a low band.
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
