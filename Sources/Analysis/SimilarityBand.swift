// Self-similarity of the latest moments of a track, and a kernel that finds borders in it.

#if canImport(Glibc)
  import Glibc
#endif

/// The distances among the latest vectors of `FeatureExtractor`: a band along the diagonal of the
/// self-similarity of a whole track, as wide as the widest kernel needs.
struct SimilarityBand: Sendable {
  /// A checkerboard kernel: its weights by the distance from the border, which fade out to both
  /// sides.
  struct Kernel: Sendable {
    let reach: Int
    /// The fewest vectors on either side that say anything.
    let least: Int
    fileprivate let weights: [Float]

    init(reach: Int, least: Int) {
      self.reach = reach
      self.least = least
      weights = (0..<reach).map { expf(-2 * powf((Float($0) + 0.5) / Float(reach), 2)) }
    }
  }

  /// How many vectors were appended.
  private(set) var count = 0

  private let capacity: Int
  private var vectors: [Float]
  private var distances: [Float]

  /// Makes a band for kernels of at most `reach`.
  init(reach: Int) {
    capacity = 2 * reach + 2
    vectors = [Float](repeating: 0, count: capacity * FeatureExtractor.vectorSize)
    distances = [Float](repeating: 0, count: capacity * capacity)
  }

  /// Takes the next vector. Complexity: O(reach).
  mutating func append(_ vector: [Float]) {
    let size = FeatureExtractor.vectorSize
    let row = count % capacity
    for index in 0..<size { vectors[row * size + index] = vector[index] }
    for other in max(0, count - capacity + 1)...count {
      let column = other % capacity
      var sum: Float = 0
      for index in 0..<size {
        let difference = vector[index] - vectors[column * size + index]
        sum += difference * difference
      }
      let distance = sum.squareRoot()
      distances[row * capacity + column] = distance
      distances[column * capacity + row] = distance
    }
    count += 1
  }

  /// Returns how different what comes from `border` on is from what comes before it, 0–1, among the
  /// vectors before `end`; 0 when there is too little on one side. Complexity: O(reach²).
  ///
  /// The checkerboard sum (across, minus within either side) is the energy distance of G. Székely
  /// and M. Rizzo (2013); divided by its part across, it no longer depends on how varied the music
  /// is. The small constant keeps what is nearly the same from being told apart.
  func novelty(_ kernel: Kernel, at border: Int, end: Int) -> Float {
    let before = max(0, border - kernel.reach)..<border
    let after = border..<max(border, min(end, border + kernel.reach))
    guard before.count >= kernel.least, after.count >= kernel.least else { return 0 }
    let across = meanDistance(kernel, border, before, after)
    let within =
      meanDistance(kernel, border, before, before) + meanDistance(kernel, border, after, after)
    return max(0, 2 * across - within) / (2 * across + 0.2)
  }

  private func meanDistance(
    _ kernel: Kernel, _ border: Int, _ rows: Range<Int>, _ columns: Range<Int>
  ) -> Float {
    func weight(_ index: Int) -> Float {
      kernel.weights[index < border ? border - 1 - index : index - border]
    }
    let total =
      rows.reduce(Float(0)) { $0 + weight($1) } * columns.reduce(Float(0)) { $0 + weight($1) }
    var sum: Float = 0
    for row in rows {
      let start = row % capacity * capacity
      var rowSum: Float = 0
      for column in columns { rowSum += weight(column) * distances[start + column % capacity] }
      sum += weight(row) * rowSum
    }
    return sum / total
  }
}
