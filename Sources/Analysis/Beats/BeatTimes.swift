// From steps of a hundredth of a second to the frames of beats.

/// Places beats between the steps of the decoder.
struct BeatTimes {
  let activations: BeatActivations
  let lengthFrames: Int

  /// A beat follows the line through so many beats on each side.
  private static let neighbours = 4
  /// Where the line is off by more frames than this, the beats are not even: 15 ms.
  private static let evenFrames = 720.0

  /// Returns the frames of beats at `steps`, rising.
  func frames(steps: [Int]) -> [Int] {
    let exact = steps.map(centre)
    var result: [Int] = []
    for index in exact.indices {
      let frame = Int(smoothed(exact, index).rounded())
      result.append(min(max(frame, (result.last ?? -1) + 1), max(0, lengthFrames - 1)))
    }
    return result
  }

  /// The centre of the activations around a step, as a frame.
  private func centre(_ step: Int) -> Double {
    let middle = Double(step) / 2
    var (sum, moment) = (0.0, 0.0)
    // As many frames before it as after it.
    let around = (step + 1) / 2 - 2..<step / 2 + 3
    for frame in around.clamped(to: 0..<activations.count) {
      let value = Double(activations.beat(frame))
      sum += value
      moment += value * (Double(frame) - middle)
    }
    let offset = sum > 0.2 ? min(max(moment / sum, -1), 1) : 0
    return (middle + offset) * Double(MelBands.hopFrames)
  }

  /// The place of beat `index` on the line through its neighbours, if they are even.
  private func smoothed(_ frames: [Double], _ index: Int) -> Double {
    let range = (index - Self.neighbours..<index + Self.neighbours + 1).clamped(
      to: 0..<frames.count)
    guard range.count > 4 else { return frames[index] }
    let count = Double(range.count)
    let middle = Double(range.lowerBound + range.upperBound - 1) / 2
    let mean = range.reduce(0) { $0 + frames[$1] } / count
    var (covariance, variance) = (0.0, 0.0)
    for beat in range {
      let place = Double(beat) - middle
      covariance += place * (frames[beat] - mean)
      variance += place * place
    }
    let slope = covariance / variance
    func line(_ beat: Int) -> Double { mean + slope * (Double(beat) - middle) }
    let isEven = range.allSatisfy { abs(frames[$0] - line($0)) <= Self.evenFrames }
    return isEven ? line(index) : frames[index]
  }
}
