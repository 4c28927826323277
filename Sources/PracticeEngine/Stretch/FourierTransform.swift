// The discrete Fourier transform of complex signals, four lanes at a time.

/// Transforms signals of one length, a power of two from 64 on.
///
/// Stockham's form (Cochran et al. 1967): radix 4, no bit reversal, each pass reads one pair of
/// arrays and writes the other. Real time: only `init` allocates.
struct FourierTransform: ~Copyable {
  /// The real and the imaginary part of a signal.
  typealias Arrays = (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)

  let length: Int
  /// cos and −sin of p, 2p and 3p turns of `length`, for p below a quarter of it.
  private let twiddles: SampleBuffer
  private let scratch: SampleBuffer

  init(length: Int) {
    precondition(length >= 64 && length & (length - 1) == 0)
    self.length = length
    let quarter = length / 4
    twiddles = SampleBuffer(count: 6 * quarter)
    scratch = SampleBuffer(count: 2 * length)
    for p in 0..<quarter {
      for multiple in 1...3 {
        let turns = Double(multiple * p) / Double(length)
        twiddles[(2 * multiple - 2) * quarter + p] = Float(Mathematics.cosine(turns: turns))
        twiddles[(2 * multiple - 1) * quarter + p] = Float(-Mathematics.sine(turns: turns))
      }
    }
  }

  /// Transforms a signal times `weights`; not scaled. For the inverse, swap real and imaginary part
  /// of both the signal and the result. The result must not overlap the signal.
  func transform(
    _ signal: Arrays, weights: UnsafeMutablePointer<Float>, into result: Arrays
  ) {
    // Passes alternate with the scratch buffer, so that the last one writes the result.
    var size = length / 4
    var passes = 1
    while size >= 16 {
      size /= 4
      passes += 1
    }
    var from = (scratch.base, scratch.base + length)
    var to = result
    if !passes.isMultiple(of: 2) { swap(&from, &to) }
    firstPass(signal, weights, to)
    swap(&from, &to)
    size = length / 4
    var stride = 4
    while size >= 16 {
      pass(from, to, size: size, stride: stride)
      swap(&from, &to)
      size /= 4
      stride *= 4
    }
    if size == 8 { lastPassOfEight(from, to) } else { lastPassOfFour(from, to) }
  }

  /// The pass whose results are adjacent: four butterflies at once, then a transposition.
  @inline(never)
  private func firstPass(
    _ from: Arrays, _ weights: UnsafeMutablePointer<Float>, _ to: Arrays
  ) {
    let quarter = length / 4
    let table = twiddles.base
    var p = 0
    while p < quarter {
      let wa = weights.four(p), wb = weights.four(p + quarter)
      let wc = weights.four(p + 2 * quarter), wd = weights.four(p + 3 * quarter)
      let ar = from.0.four(p) * wa, ai = from.1.four(p) * wa
      let br = from.0.four(p + quarter) * wb, bi = from.1.four(p + quarter) * wb
      let cr = from.0.four(p + 2 * quarter) * wc, ci = from.1.four(p + 2 * quarter) * wc
      let dr = from.0.four(p + 3 * quarter) * wd, di = from.1.four(p + 3 * quarter) * wd
      let acr = ar + cr, aci = ai + ci, amr = ar - cr, ami = ai - ci
      let bdr = br + dr, bdi = bi + di, bmr = br - dr, bmi = bi - di
      let t1r = amr + bmi, t1i = ami - bmr
      let t2r = acr - bdr, t2i = aci - bdi
      let t3r = amr - bmi, t3i = ami + bmr
      let w1r = table.four(p), w1i = table.four(quarter + p)
      let w2r = table.four(2 * quarter + p), w2i = table.four(3 * quarter + p)
      let w3r = table.four(4 * quarter + p), w3i = table.four(5 * quarter + p)
      to.0.setColumns(
        4 * p, acr + bdr, t1r * w1r - t1i * w1i, t2r * w2r - t2i * w2i, t3r * w3r - t3i * w3i)
      to.1.setColumns(
        4 * p, aci + bdi, t1r * w1i + t1i * w1r, t2r * w2i + t2i * w2r, t3r * w3i + t3i * w3r)
      p += 4
    }
  }

  @inline(never)
  private func pass(_ from: Arrays, _ to: Arrays, size: Int, stride: Int) {
    let quarter = length / 4
    let step = size / 4 * stride
    let table = twiddles.base
    for p in 0..<(size / 4) {
      let w = p * stride
      let w1r = Four(repeating: table[w]), w1i = Four(repeating: table[quarter + w])
      let w2r = Four(repeating: table[2 * quarter + w])
      let w2i = Four(repeating: table[3 * quarter + w])
      let w3r = Four(repeating: table[4 * quarter + w])
      let w3i = Four(repeating: table[5 * quarter + w])
      var q = 0
      while q < stride {
        let i = q + stride * p
        let o = q + stride * 4 * p
        let (real, imaginary) = Self.four(from, i, step)
        to.0.setFour(o, real.0)
        to.1.setFour(o, imaginary.0)
        to.0.setFour(o + stride, real.1 * w1r - imaginary.1 * w1i)
        to.1.setFour(o + stride, real.1 * w1i + imaginary.1 * w1r)
        to.0.setFour(o + 2 * stride, real.2 * w2r - imaginary.2 * w2i)
        to.1.setFour(o + 2 * stride, real.2 * w2i + imaginary.2 * w2r)
        to.0.setFour(o + 3 * stride, real.3 * w3r - imaginary.3 * w3i)
        to.1.setFour(o + 3 * stride, real.3 * w3i + imaginary.3 * w3r)
        q += 4
      }
    }
  }

  /// The last radix-4 pass, which needs no twiddle factors.
  @inline(never)
  private func lastPassOfFour(_ from: Arrays, _ to: Arrays) {
    let step = length / 4
    var q = 0
    while q < step {
      let (real, imaginary) = Self.four(from, q, step)
      to.0.setFour(q, real.0)
      to.1.setFour(q, imaginary.0)
      to.0.setFour(q + step, real.1)
      to.1.setFour(q + step, imaginary.1)
      to.0.setFour(q + 2 * step, real.2)
      to.1.setFour(q + 2 * step, imaginary.2)
      to.0.setFour(q + 3 * step, real.3)
      to.1.setFour(q + 3 * step, imaginary.3)
      q += 4
    }
  }

  /// The last pass for lengths that are not a power of four: two radix-4 butterflies and four of
  /// radix 2.
  @inline(never)
  private func lastPassOfEight(_ from: Arrays, _ to: Arrays) {
    let step = length / 8
    let half = Four(repeating: 0.70710678)
    var q = 0
    while q < step {
      let (ar, ai) = Self.four(from, q, 2 * step)
      let (br, bi) = Self.four(from, q + step, 2 * step)
      to.0.setFour(q, ar.0 + br.0)
      to.1.setFour(q, ai.0 + bi.0)
      to.0.setFour(q + 4 * step, ar.0 - br.0)
      to.1.setFour(q + 4 * step, ai.0 - bi.0)
      let r1 = half * (br.1 + bi.1), i1 = half * (bi.1 - br.1)
      to.0.setFour(q + step, ar.1 + r1)
      to.1.setFour(q + step, ai.1 + i1)
      to.0.setFour(q + 5 * step, ar.1 - r1)
      to.1.setFour(q + 5 * step, ai.1 - i1)
      to.0.setFour(q + 2 * step, ar.2 + bi.2)
      to.1.setFour(q + 2 * step, ai.2 - br.2)
      to.0.setFour(q + 6 * step, ar.2 - bi.2)
      to.1.setFour(q + 6 * step, ai.2 + br.2)
      let r3 = half * (bi.3 - br.3), i3 = half * (br.3 + bi.3)
      to.0.setFour(q + 3 * step, ar.3 + r3)
      to.1.setFour(q + 3 * step, ai.3 - i3)
      to.0.setFour(q + 7 * step, ar.3 - r3)
      to.1.setFour(q + 7 * step, ai.3 + i3)
      q += 4
    }
  }

  private typealias Parts = (Four, Four, Four, Four)

  /// Four transforms of four numbers each, `step` apart.
  @inline(__always)
  private static func four(_ from: Arrays, _ i: Int, _ step: Int) -> (Parts, Parts) {
    let ar = from.0.four(i), ai = from.1.four(i)
    let br = from.0.four(i + step), bi = from.1.four(i + step)
    let cr = from.0.four(i + 2 * step), ci = from.1.four(i + 2 * step)
    let dr = from.0.four(i + 3 * step), di = from.1.four(i + 3 * step)
    let acr = ar + cr, aci = ai + ci, amr = ar - cr, ami = ai - ci
    let bdr = br + dr, bdi = bi + di, bmr = br - dr, bmi = bi - di
    return (
      (acr + bdr, amr + bmi, acr - bdr, amr - bmi), (aci + bdi, ami - bmr, aci - bdi, ami + bmr)
    )
  }
}
