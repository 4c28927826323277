// Coarse search for the lag of a recording in a piece of music: all lags at once.

/// A lag and its score.
struct LagCandidate: Sendable {
  /// The music's value that is heard at the recording's value 0, in `OnsetBands` values.
  var lag: Int
  /// The score, in standard deviations of random correlations.
  var score: Float
}

/// Correlates the onset bands over all lags with Fourier transforms.
enum LagSearch {
  /// The shortest overlap that counts: 4 s, or half of the shorter sound.
  private static let leastOverlap = 4 * OnsetBands.valuesPerSecond
  /// Candidates are at least so far apart: 0.1 s.
  private static let separation = OnsetBands.valuesPerSecond / 10

  /// Returns at most `limit` lags, the best first.
  static func candidates(
    recording: OnsetBands, music: OnsetBands, limit: Int, check: () throws -> Void
  ) rethrows -> [LagCandidate] {
    guard recording.count > 0, music.count > 0 else { return [] }
    var size = 32
    while size < recording.count + music.count { size *= 2 }
    let sums = try correlation(recording, music, size: size, check: check)
    let least = max(1, min(leastOverlap, min(recording.count, music.count) / 2))
    let scores = (1 - recording.count..<music.count).map { lag -> Float in
      let overlap = min(recording.count, music.count - lag) - max(0, -lag)
      guard overlap >= least else { return 0 }
      let sum = sums[lag >= 0 ? lag : size + lag]
      return sum / Float(overlap * OnsetBands.bandCount).squareRoot()
    }
    return peaks(of: scores, limit: limit).map {
      LagCandidate(lag: $0 + 1 - recording.count, score: scores[$0])
    }
  }

  /// The sums over time and bands of recording[n] · music[n + lag], at index lag modulo `size`.
  private static func correlation(
    _ recording: OnsetBands, _ music: OnsetBands, size: Int, check: () throws -> Void
  ) rethrows -> [Float] {
    var transform = RealFFT(size: size)
    let zeros = [Float](repeating: 0, count: size / 2 + 1)
    var (realSum, imaginarySum) = (zeros, zeros)
    var (real, imaginary, otherReal, otherImaginary) = (zeros, zeros, zeros, zeros)
    var padded = [Float](repeating: 0, count: size)
    func pad(_ values: [Float]) {
      for index in values.indices { padded[index] = values[index] }
      for index in values.count..<size { padded[index] = 0 }
    }
    for band in 0..<OnsetBands.bandCount {
      try check()
      pad(recording.bands[band])
      transform.forward(padded, real: &real, imaginary: &imaginary)
      pad(music.bands[band])
      transform.forward(padded, real: &otherReal, imaginary: &otherImaginary)
      for index in 0...size / 2 {
        realSum[index] += real[index] * otherReal[index] + imaginary[index] * otherImaginary[index]
        imaginarySum[index] +=
          real[index] * otherImaginary[index] - imaginary[index] * otherReal[index]
      }
    }
    transform.inverse(real: realSum, imaginary: imaginarySum, &padded)
    return padded
  }

  /// The indices of the highest values that are `separation` apart.
  private static func peaks(of scores: [Float], limit: Int) -> [Int] {
    let tops = scores.indices.filter { index in
      scores[index] > 0
        && (index == 0 || scores[index - 1] <= scores[index])
        && (index == scores.count - 1 || scores[index + 1] < scores[index])
    }
    var chosen: [Int] = []
    for index in tops.sorted(by: { scores[$0] > scores[$1] }) {
      if chosen.allSatisfy({ abs($0 - index) >= separation }) { chosen.append(index) }
      if chosen.count == limit { break }
    }
    return chosen
  }
}
