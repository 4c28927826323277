// The discrete Fourier transform of complex signals, four lanes at a time.

/// Transforms signals of one length, a power of two from 16 on.
///
/// Stockham's form (Cochran et al. 1967): radix 4, no bit reversal, each pass reads one pair of
/// arrays and writes the other. Real time: only `init` allocates.
struct FourierTransform: ~Copyable {
  let length: Int
  /// cos and −sin of p, 2p and 3p turns of `length`, for p below a quarter of it.
  private let twiddles: SampleBuffer
  private let scratch: SampleBuffer

  init(length: Int) {
    precondition(length >= 16 && length & (length - 1) == 0)
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

  /// Transforms in place; not scaled. The inverse is the same with the two arrays swapped.
  func transform(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
    var from = (real, imaginary)
    var to = (scratch.base, scratch.base + length)
    firstPass(from, to)
    swap(&from, &to)
    var size = length / 4
    var stride = 4
    while size >= 4 {
      pass(from, to, size: size, stride: stride)
      swap(&from, &to)
      size /= 4
      stride *= 4
    }
    if size == 2 {
      lastPass(from, to)
      swap(&from, &to)
    }
    if from.0 != real {
      real.update(from: from.0, count: length)
      imaginary.update(from: from.1, count: length)
    }
  }

  private typealias Arrays = (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)

  /// The pass whose results lie side by side: four butterflies at once, then a transposition.
  private func firstPass(_ from: Arrays, _ to: Arrays) {
    let quarter = length / 4
    let table = twiddles.base
    var p = 0
    while p < quarter {
      let ar = from.0.four(p), ai = from.1.four(p)
      let br = from.0.four(p + quarter), bi = from.1.four(p + quarter)
      let cr = from.0.four(p + 2 * quarter), ci = from.1.four(p + 2 * quarter)
      let dr = from.0.four(p + 3 * quarter), di = from.1.four(p + 3 * quarter)
      let acr = ar + cr, aci = ai + ci, amr = ar - cr, ami = ai - ci
      let bdr = br + dr, bdi = bi + di, bmr = br - dr, bmi = bi - di
      let y0r = acr + bdr, y0i = aci + bdi
      let t1r = amr + bmi, t1i = ami - bmr
      let t2r = acr - bdr, t2i = aci - bdi
      let t3r = amr - bmi, t3i = ami + bmr
      let w1r = table.four(p), w1i = table.four(quarter + p)
      let w2r = table.four(2 * quarter + p), w2i = table.four(3 * quarter + p)
      let w3r = table.four(4 * quarter + p), w3i = table.four(5 * quarter + p)
      let y1r = t1r * w1r - t1i * w1i, y1i = t1r * w1i + t1i * w1r
      let y2r = t2r * w2r - t2i * w2i, y2i = t2r * w2i + t2i * w2r
      let y3r = t3r * w3r - t3i * w3i, y3i = t3r * w3i + t3i * w3r
      to.0.setFour(4 * p, Four(y0r.x, y1r.x, y2r.x, y3r.x))
      to.0.setFour(4 * p + 4, Four(y0r.y, y1r.y, y2r.y, y3r.y))
      to.0.setFour(4 * p + 8, Four(y0r.z, y1r.z, y2r.z, y3r.z))
      to.0.setFour(4 * p + 12, Four(y0r.w, y1r.w, y2r.w, y3r.w))
      to.1.setFour(4 * p, Four(y0i.x, y1i.x, y2i.x, y3i.x))
      to.1.setFour(4 * p + 4, Four(y0i.y, y1i.y, y2i.y, y3i.y))
      to.1.setFour(4 * p + 8, Four(y0i.z, y1i.z, y2i.z, y3i.z))
      to.1.setFour(4 * p + 12, Four(y0i.w, y1i.w, y2i.w, y3i.w))
      p += 4
    }
  }

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
        let ar = from.0.four(i), ai = from.1.four(i)
        let br = from.0.four(i + step), bi = from.1.four(i + step)
        let cr = from.0.four(i + 2 * step), ci = from.1.four(i + 2 * step)
        let dr = from.0.four(i + 3 * step), di = from.1.four(i + 3 * step)
        let acr = ar + cr, aci = ai + ci, amr = ar - cr, ami = ai - ci
        let bdr = br + dr, bdi = bi + di, bmr = br - dr, bmi = bi - di
        to.0.setFour(o, acr + bdr)
        to.1.setFour(o, aci + bdi)
        let t1r = amr + bmi, t1i = ami - bmr
        let t2r = acr - bdr, t2i = aci - bdi
        let t3r = amr - bmi, t3i = ami + bmr
        to.0.setFour(o + stride, t1r * w1r - t1i * w1i)
        to.1.setFour(o + stride, t1r * w1i + t1i * w1r)
        to.0.setFour(o + 2 * stride, t2r * w2r - t2i * w2i)
        to.1.setFour(o + 2 * stride, t2r * w2i + t2i * w2r)
        to.0.setFour(o + 3 * stride, t3r * w3r - t3i * w3i)
        to.1.setFour(o + 3 * stride, t3r * w3i + t3i * w3r)
        q += 4
      }
    }
  }

  /// Radix 2, for lengths that are no power of four.
  private func lastPass(_ from: Arrays, _ to: Arrays) {
    let half = length / 2
    var q = 0
    while q < half {
      let ar = from.0.four(q), ai = from.1.four(q)
      let br = from.0.four(q + half), bi = from.1.four(q + half)
      to.0.setFour(q, ar + br)
      to.1.setFour(q, ai + bi)
      to.0.setFour(q + half, ar - br)
      to.1.setFour(q + half, ai - bi)
      q += 4
    }
  }
}
