// Gives transposed sound the formants of the original: "natural voice". This file moves samples;
// FormantFilter+Envelope.swift decides the gains.

/// Filters the source before it is transposed, so that its spectral envelope is where it was
/// afterwards.
///
/// What lies at a frequency f is transposed to r·f. So it is raised by E(r·f) / E(f), E being the
/// envelope at this moment. A phase of the least delay belongs to that gain: the filter makes
/// nothing sound before it begins, and an attack stays as sharp as it was. The two channels are the
/// real and the imaginary part of one complex signal and get the same gain.
///
/// Real time: only `init` allocates. A window of 43 ms is filtered for every 21 ms of the source.
struct FormantFilter: ~Copyable {
  static let length = 2_048
  static let hop = 1_024
  /// How many source frames after a filtered one must be readable, at most.
  static let lookAheadFrames = length + hop

  /// A beginning is filtered within few blocks, as far as the stretcher reads ahead. So that this stays
  /// cheap, every fourth window there has a gain of its own.
  private static let beginningFrames = 16_384

  /// The envelope is computed on a grid of so many points around the unit circle.
  static let gridLength = 1_024
  static let gridBins = gridLength / 2

  /// The filtered source, counted from the frame of the last `restart`.
  private(set) var filtered = StereoQueue(capacity: 4_096)
  /// The source frame that is frame 0 of `filtered`.
  private(set) var start = 0
  /// The start of the next transform, relative to `start`.
  private var next = 0

  let fourier = FourierTransform(length: length)
  let gridFourier = FourierTransform(length: gridLength)
  /// The sine, before the transform and once more after it: its squares overlap to 1.
  private let window = SampleBuffer(count: length)
  let ones = SampleBuffer(count: length)
  private let inverse = SampleBuffer(count: length)
  /// Keeps the slow part of a cepstrum: formants, no harmonics.
  let lifter = SampleBuffer(count: gridLength)
  /// Folds a cepstrum to that of the least delay.
  let fold = SampleBuffer(count: gridLength)

  let input = ComplexBuffer(count: length)
  let spectrum = ComplexBuffer(count: length)
  /// The filter's gain at every bin, real and imaginary parts.
  let gain = ComplexBuffer(count: length)
  // What is computed on the way to the gain.
  let work = ComplexBuffer(count: length)
  let cepstra = ComplexBuffer(count: length)
  /// The logarithm to base 2 of the gain's power on the grid, smoothed over time.
  let smooth = SampleBuffer(count: gridBins + 4)
  let fresh = SampleBuffer(count: gridBins + 4)
  /// Output that later transforms still add to.
  private let pending = ComplexBuffer(count: length)

  var ratio: Float = 1
  /// Compensates for the density of partials, which are `ratio` times as far apart afterwards.
  var densityGain: Float = 0
  /// The fundamental frequency in bins, found in the transform before.
  var pitchBins = unpitchedBins
  var hasGain = false

  init() {
    for i in 0..<Self.length {
      window[i] = Float(Mathematics.sine(turns: 0.5 * Double(i) / Double(Self.length)))
      ones[i] = 1
      inverse[i] = 1 / Float(Self.length)
    }
    for i in 0...Self.gridBins {
      let kept = Self.lifted(quefrency: i) / Double(Self.length)
      lifter[i] = Float(kept)
      if i > 0 { lifter[Self.gridLength - i] = Float(kept) }
      fold[i] = (i == 0 || i == Self.gridBins ? 1 : 2) / Float(Self.gridLength)
    }
  }

  /// Begins at a source frame. Frames before it are taken for silent.
  mutating func restart(at frame: Int, ratio newRatio: Double) {
    start = frame
    next = Self.hop - Self.length
    ratio = Float(newRatio)
    densityGain = Mathematics.logarithm2(Four(repeating: ratio))[0]
    pitchBins = Self.unpitchedBins
    hasGain = false
    filtered.reset(silent: 2 * Transposer.reach)
    pending.real.clear()
    pending.imaginary.clear()
  }

  /// Filters the source until a frame is there; false if the source is not there yet.
  mutating func advance(until frame: Int, _ source: borrowing StereoQueue) -> Bool {
    while start + filtered.end <= frame {
      if start + next + Self.length > source.end { return false }
      // The first window holds the beginning in its second half: it takes the gain of the next.
      if !hasGain {
        if start + Self.length > source.end { return false }
        load(source, at: 0)
        decideGain()
      }
      load(source, at: next)
      if next > 0 && (next >= Self.beginningFrames || next.isMultiple(of: 4 * Self.hop)) {
        decideGain()
      }
      process(keepingFrom: frame - start - 2 * Transposer.reach)
      next += Self.hop
    }
    return true
  }

  /// Transforms the source from a frame on, relative to `start`.
  private func load(_ source: borrowing StereoQueue, at place: Int) {
    let silent = max(0, -place)
    let count = Self.length - silent
    input.real.base.update(repeating: 0, count: silent)
    input.imaginary.base.update(repeating: 0, count: silent)
    (input.real.base + silent).update(from: source.left + start + place + silent, count: count)
    (input.imaginary.base + silent).update(
      from: source.right + start + place + silent, count: count)
    fourier.transform(
      input.arrays, weights: window.base, into: spectrum.arrays)
  }

  /// Applies the gain to the spectrum, and appends what no later transform changes.
  private mutating func process(keepingFrom kept: Int) {
    let re = spectrum.real.base, im = spectrum.imaginary.base
    var i = 0
    while i < Self.length {
      let a = re.four(i), b = im.four(i)
      let c = gain.real.base.four(i), d = gain.imaginary.base.four(i)
      re.setFour(i, a * c - b * d)
      im.setFour(i, a * d + b * c)
      i += 4
    }
    // With real and imaginary part swapped, the transform is its inverse.
    fourier.transform((im, re), weights: inverse.base, into: (work.imaginary.base, work.real.base))
    let left = pending.real.base, right = pending.imaginary.base
    i = 0
    while i < Self.length {
      let level = window.base.four(i)
      left.setFour(i, left.four(i) + work.real.base.four(i) * level)
      right.setFour(i, right.four(i) + work.imaginary.base.four(i) * level)
      i += 4
    }
    if next >= 0 {
      filtered.makeRoom(Self.hop, keepingFrom: kept)
      (filtered.left + filtered.end).update(from: left, count: Self.hop)
      (filtered.right + filtered.end).update(from: right, count: Self.hop)
      filtered.wrote(Self.hop)
    }
    shift(pending.real)
    shift(pending.imaginary)
  }

  private func shift(_ buffer: borrowing SampleBuffer) {
    let rest = Self.length - Self.hop
    buffer.base.update(from: buffer.base + Self.hop, count: rest)
    (buffer.base + rest).update(repeating: 0, count: Self.hop)
  }
}

/// The real and the imaginary parts of a signal or a spectrum.
struct ComplexBuffer: ~Copyable {
  let real: SampleBuffer
  let imaginary: SampleBuffer

  init(count: Int) {
    real = SampleBuffer(count: count)
    imaginary = SampleBuffer(count: count)
  }

  var arrays: FourierTransform.Arrays { (real.base, imaginary.base) }
}
