// The discrete Fourier transform: of complex numbers, and of real ones by way of it.

#if canImport(Glibc)
  import Glibc
#endif

/// Transforms complex numbers, real and imaginary parts apart.
///
/// Stockham's self-sorting algorithm in radix 4 (G. D. Bergland 1968; C. Van Loan 1992, 1.7): each
/// pass reads and writes stretches of memory, four numbers at a time.
/// Threads: one at a time; a copy is a transform of its own.
public struct ComplexFFT: Sendable {
  /// How many numbers one transform takes: a power of two, at least 16.
  public let size: Int

  /// w, w² and w³ of every butterfly, pass after pass: three real parts, then three imaginary.
  private let twiddles: [Float]
  private var spareReal: [Float]
  private var spareImaginary: [Float]

  /// Plans transforms of `size` numbers.
  public init(size: Int) {
    precondition(size >= 16 && size & (size - 1) == 0)
    self.size = size
    twiddles = Self.twiddles(size: size)
    spareReal = [Float](repeating: 0, count: size)
    spareImaginary = [Float](repeating: 0, count: size)
  }

  /// Replaces the numbers by their transform, sum of x[n]·exp(−2πi·kn/size). The inverse is the
  /// same with `real` and `imaginary` exchanged, times 1/size. Complexity: O(size · log size).
  public mutating func transform(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(real.count == size && imaginary.count == size)
    let size = size
    twiddles.withUnsafeBufferPointer { twiddles in
      spareReal.withUnsafeMutableBufferPointer { spareReal in
        spareImaginary.withUnsafeMutableBufferPointer { spareImaginary in
          // All five hold `size` numbers (or the table's), so their addresses exist.
          guard let real = real.baseAddress, let imaginary = imaginary.baseAddress,
            let otherReal = spareReal.baseAddress, let otherImaginary = spareImaginary.baseAddress,
            let table = twiddles.baseAddress
          else { return }
          let passes = Passes(size: size, twiddles: table)
          passes.run((real, imaginary), (otherReal, otherImaginary))
        }
      }
    }
  }

  private static func twiddles(size: Int) -> [Float] {
    var table: [Float] = []
    var length = size
    while length >= 4 {
      let quarter = length / 4
      for power in 1...3 {
        for index in 0..<quarter {
          table.append(Float(cos(2 * Double.pi * Double(index * power) / Double(length))))
        }
      }
      for power in 1...3 {
        for index in 0..<quarter {
          table.append(Float(-sin(2 * Double.pi * Double(index * power) / Double(length))))
        }
      }
      length /= 4
    }
    return table
  }
}

/// The passes of one transform. Every index below stays inside `size` numbers of each buffer: a pass
/// of length n and stride s, n·s = size, reads up to s·n − 1 and writes as far. Strides and quarters
/// are multiples of four from the second pass on, since the size is at least 16.
private struct Passes {
  typealias Numbers = (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>)

  let size: Int
  let twiddles: UnsafePointer<Float>

  /// Leaves the transform in `numbers`.
  func run(_ numbers: Numbers, _ spare: Numbers) {
    var (from, to) = (numbers, spare)
    var length = size
    var table = twiddles
    while length >= 4 {
      if length == size {
        first(from, to, table)
      } else {
        pass(from, to, length: length, stride: size / length, table)
      }
      table += 6 * (length / 4)
      length /= 4
      swap(&from, &to)
    }
    if length == 2 {
      last(from, to)
      swap(&from, &to)
    }
    if from.real != numbers.real {
      numbers.real.update(from: from.real, count: size)
      numbers.imaginary.update(from: from.imaginary, count: size)
    }
  }

  /// The pass of stride 1: its butterflies lie side by side, and their results are interleaved.
  private func first(_ from: Numbers, _ to: Numbers, _ table: UnsafePointer<Float>) {
    let quarter = size / 4
    for index in Swift.stride(from: 0, to: quarter, by: 4) {
      let turn = table + index
      let sums = Butterfly(
        from, at: index, apart: quarter,
        w1: (load(turn), load(turn + 3 * quarter)),
        w2: (load(turn + quarter), load(turn + 4 * quarter)),
        w3: (load(turn + 2 * quarter), load(turn + 5 * quarter)))
      for lane in 0..<4 {
        let target = 4 * (index + lane)
        store(
          SIMD4(sums.real0[lane], sums.real1[lane], sums.real2[lane], sums.real3[lane]),
          to.real + target)
        store(
          SIMD4(
            sums.imaginary0[lane], sums.imaginary1[lane], sums.imaginary2[lane],
            sums.imaginary3[lane]), to.imaginary + target)
      }
    }
  }

  private func pass(
    _ from: Numbers, _ to: Numbers, length: Int, stride: Int, _ table: UnsafePointer<Float>
  ) {
    let quarter = length / 4
    for p in 0..<quarter {
      func turn(_ row: Int) -> SIMD4<Float> { SIMD4(repeating: table[p + row * quarter]) }
      let (w1, w2, w3) = ((turn(0), turn(3)), (turn(1), turn(4)), (turn(2), turn(5)))
      for q in Swift.stride(from: 0, to: stride, by: 4) {
        let sums = Butterfly(
          from, at: q + stride * p, apart: stride * quarter, w1: w1, w2: w2, w3: w3)
        let target = q + stride * 4 * p
        store(sums.real0, to.real + target)
        store(sums.real1, to.real + target + stride)
        store(sums.real2, to.real + target + 2 * stride)
        store(sums.real3, to.real + target + 3 * stride)
        store(sums.imaginary0, to.imaginary + target)
        store(sums.imaginary1, to.imaginary + target + stride)
        store(sums.imaginary2, to.imaginary + target + 2 * stride)
        store(sums.imaginary3, to.imaginary + target + 3 * stride)
      }
    }
  }

  /// The radix-2 pass that is left when the size is no power of four.
  private func last(_ from: Numbers, _ to: Numbers) {
    let half = size / 2
    for index in Swift.stride(from: 0, to: half, by: 4) {
      for (source, target) in [(from.real, to.real), (from.imaginary, to.imaginary)] {
        let (a, b) = (load(source + index), load(source + index + half))
        store(a + b, target + index)
        store(a - b, target + index + half)
      }
    }
  }
}

/// Four radix-4 butterflies side by side.
private struct Butterfly {
  typealias Lanes = SIMD4<Float>

  let real0, real1, real2, real3: Lanes
  let imaginary0, imaginary1, imaginary2, imaginary3: Lanes

  /// Takes numbers at `index` and one, two and three times `apart` further.
  @inline(__always)
  init(
    _ from: Passes.Numbers, at index: Int, apart: Int, w1: (Lanes, Lanes), w2: (Lanes, Lanes),
    w3: (Lanes, Lanes)
  ) {
    let (realA, imaginaryA) = (load(from.real + index), load(from.imaginary + index))
    let (realB, imaginaryB) = (
      load(from.real + index + apart), load(from.imaginary + index + apart)
    )
    let (realC, imaginaryC) = (
      load(from.real + index + 2 * apart), load(from.imaginary + index + 2 * apart)
    )
    let (realD, imaginaryD) = (
      load(from.real + index + 3 * apart), load(from.imaginary + index + 3 * apart)
    )
    let (sumReal, sumImaginary) = (realA + realC, imaginaryA + imaginaryC)
    let (differenceReal, differenceImaginary) = (realA - realC, imaginaryA - imaginaryC)
    let (otherReal, otherImaginary) = (realB + realD, imaginaryB + imaginaryD)
    // i·(b − d)
    let (turnedReal, turnedImaginary) = (imaginaryD - imaginaryB, realB - realD)
    real0 = sumReal + otherReal
    imaginary0 = sumImaginary + otherImaginary
    (real1, imaginary1) = product(
      (differenceReal - turnedReal, differenceImaginary - turnedImaginary), w1)
    (real2, imaginary2) = product((sumReal - otherReal, sumImaginary - otherImaginary), w2)
    (real3, imaginary3) = product(
      (differenceReal + turnedReal, differenceImaginary + turnedImaginary), w3)
  }
}

@inline(__always)
private func product(
  _ a: (SIMD4<Float>, SIMD4<Float>), _ b: (SIMD4<Float>, SIMD4<Float>)
) -> (SIMD4<Float>, SIMD4<Float>) {
  (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// Reads four numbers; the caller vouches for the bounds.
@inline(__always)
private func load(_ pointer: UnsafePointer<Float>) -> SIMD4<Float> {
  UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<Float>.self)
}

/// Writes four numbers; the caller vouches for the bounds.
@inline(__always)
private func store(_ lanes: SIMD4<Float>, _ pointer: UnsafeMutablePointer<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: lanes, as: SIMD4<Float>.self)
}
