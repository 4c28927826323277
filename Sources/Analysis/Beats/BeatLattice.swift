// The scores of a beat decoder: of each step, and of each interval that may end there.

/// Scores of beats, eight intervals at a time.
///
/// The score of a beat depends on those of the beat before it, which lies an interval back, at intervals a
/// little shorter or longer. Scores are stored by the sum of step and index of the interval. So for a
/// given difference of intervals, what neighbouring intervals need lies side by side.
struct BeatLattice {
  /// The steps beside a beat belong to it.
  static let beside = 3

  /// The intervals that may come before one, by index, and what each costs.
  struct Window {
    var range: Range<Int>
    var costs: [Float]
  }

  private typealias Lanes = SIMD8<Float>
  private typealias Marks = SIMD8<Int32>

  /// Which interval of eight an index is, and the costs of each difference.
  private struct Block {
    /// The first difference, from the index of an interval to that of the one before.
    let firstDifference: Int
    /// By difference; -∞ where an interval may not come before.
    let costs: [Lanes]
  }

  /// The best score of a step, and the index of the interval that ends there.
  struct Best {
    var score: Float
    var index: Int
  }

  /// No window reaches further than 15 % of the longest interval.
  private static let margin = 24

  private let shortest: Int
  private let width: Int
  private let count: Int
  private let jump: Float
  private let windows: [Window]
  private let blocks: [Block]
  /// Of each interval; those of the last block that are none have -∞.
  private let priors: [Lanes]
  /// The scores of the last steps, in rows by the sum of step and index, with -∞ at both sides.
  private var scores: [Float]
  private let rowCount: Int
  private let stride: Int
  private var origins: [UInt8]
  private(set) var best: [Best]
  /// The best scores and their intervals, the latest step first: what lies before it ascends.
  private var lastScores: [Float]
  private var lastIndices: [Int32]
  /// The sums of what speaks against beats, up to each step, from the end backwards.
  private let quietBackwards: [Float]

  /// Makes the scores of `count` steps. A change to any other interval costs `jump`; `quiet` are the
  /// sums of what speaks against beats, up to each step.
  init(
    intervals: ClosedRange<Int>, count: Int, jump: Float, windows: [Window], priors: [Float],
    quiet: [Float]
  ) {
    shortest = intervals.lowerBound
    width = intervals.count
    self.count = count
    self.jump = jump
    self.windows = windows
    let blockCount = (width + 7) / 8
    func padded(_ index: Int) -> Float { index < priors.count ? priors[index] : -.infinity }
    self.priors = (0..<blockCount).map { block in
      var lanes = Lanes()
      for lane in 0..<8 { lanes[lane] = padded(8 * block + lane) }
      return lanes
    }
    blocks = (0..<blockCount).map { block in
      let indices = Array((8 * block..<8 * block + 8).prefix { $0 < windows.count })
      let first = indices.map { windows[$0].range.lowerBound - $0 }.min()!  // A block has an index.
      let last = indices.map { windows[$0].range.upperBound - 1 - $0 }.max()!  // As above.
      return Block(
        firstDifference: first,
        costs: (first...last).map { difference in
          var lanes = Lanes(repeating: -.infinity)
          for (lane, index) in indices.enumerated() {
            let window = windows[index]
            if window.range.contains(index + difference) {
              lanes[lane] = window.costs[index + difference - window.range.lowerBound]
            }
          }
          return lanes
        })
    }
    stride = Self.margin + 8 * blockCount + Self.margin
    rowCount = intervals.upperBound + Self.margin
    scores = [Float](repeating: -.infinity, count: rowCount * stride)
    origins = [UInt8](repeating: 0, count: count * 8 * blockCount)
    best = [Best](repeating: Best(score: -.infinity, index: 0), count: count)
    // What lies before the first step is read for intervals of the last block that are none.
    lastScores = [Float](repeating: -.infinity, count: count + 8)
    lastIndices = [Int32](repeating: 0, count: count + 8)
    quietBackwards = quiet.reversed() + [Float](repeating: 0, count: 8)
  }

  private func place(step: Int, index: Int) -> Int {
    (step + index) % rowCount * stride + Self.margin + index
  }

  /// The index of the interval before the one of this index that ends at a step.
  func origin(step: Int, index: Int) -> UInt8 { origins[step * 8 * blocks.count + index] }

  /// The best score of an interval that follows the beat at `before`, and where it comes from.
  func best(before: Int, index: Int) -> (score: Float, origin: UInt8) {
    var (score, origin) = (best[before].score - jump, UInt8(best[before].index))
    let window = windows[index]
    for other in window.range {
      let candidate =
        scores[place(step: before, index: other)] + window.costs[other - window.range.lowerBound]
      if candidate > score { (score, origin) = (candidate, UInt8(other)) }
    }
    return (score, origin)
  }

  /// Sets one score.
  mutating func set(step: Int, index: Int, _ score: Float, _ origin: UInt8) {
    scores[place(step: step, index: index)] = score
    origins[step * 8 * blocks.count + index] = origin
    if score > best[step].score { setBest(step, score, index) }
  }

  private mutating func setBest(_ step: Int, _ score: Float, _ index: Int) {
    best[step] = Best(score: score, index: index)
    lastScores[count - 1 - step] = score
    lastIndices[count - 1 - step] = Int32(index)
  }

  /// Sets all scores of a step that is at least the longest interval; `gain` is what speaks for a beat
  /// there.
  mutating func advance(to step: Int, gain: Float) {
    let each = Marks(0, 1, 2, 3, 4, 5, 6, 7)
    var (highest, highestIndex) = (Lanes(repeating: -.infinity), Marks())
    let quietHere = quietBackwards[count - (step - Self.beside)]
    let blocks = blocks
    scores.withUnsafeMutableBytes { scores in
      for (number, block) in blocks.enumerated() {
        let index = 8 * number
        // The beat before the first interval of the block. That of each next one is a step earlier, so
        // all of them are read backwards.
        let before = step - shortest - index
        var score: Lanes = Self.eight(lastScores, from: count - 1 - before)
        score -= jump
        var origin: Marks = Self.eight(lastIndices, from: count - 1 - before)
        var from = each &+ Int32(index + block.firstDifference)
        var row = (step - shortest + block.firstDifference) % rowCount
        var column = Self.margin + index + block.firstDifference
        for cost in block.costs {
          let candidate =
            scores.loadUnaligned(fromByteOffset: 4 * (row * stride + column), as: Lanes.self) + cost
          let isBetter = candidate .> score
          score = score.replacing(with: candidate, where: isBetter)
          origin = origin.replacing(with: from, where: isBetter)
          from &+= 1
          row = row + 1 == rowCount ? 0 : row + 1
          column += 1
        }
        let quiet: Lanes = Self.eight(quietBackwards, from: count - (before + Self.beside + 1))
        score += quietHere - quiet
        score += gain + priors[number]
        row = (step + index) % rowCount
        for lane in 0..<min(8, width - index) {
          scores.storeBytes(
            of: score[lane], toByteOffset: 4 * (row * stride + Self.margin + index + lane),
            as: Float.self)
          row = row + 1 == rowCount ? 0 : row + 1
        }
        origins.withUnsafeMutableBytes {
          $0.storeBytes(
            of: SIMD8<UInt8>(truncatingIfNeeded: origin),
            toByteOffset: step * 8 * blocks.count + index, as: SIMD8<UInt8>.self)
        }
        let isHigher = score .> highest
        highest = highest.replacing(with: score, where: isHigher)
        highestIndex = highestIndex.replacing(with: each &+ Int32(index), where: isHigher)
      }
    }
    let score = highest.max()
    guard score > -.infinity else { return }
    // Of equal ones the shortest interval.
    setBest(
      step, score, Int(highestIndex.replacing(with: .max, where: highest .!= score).min()))
  }

  /// Eight numbers of an array.
  @inline(__always)
  private static func eight<Number, Eight>(_ numbers: [Number], from start: Int) -> Eight {
    numbers.withUnsafeBytes {
      $0.loadUnaligned(
        fromByteOffset: MemoryLayout<Number>.stride * start, as: Eight.self)
    }
  }
}
