// What speaks for one lag: the windows of a recording, each correlated by phase, must agree on it.

#if canImport(Glibc)
  import Glibc
#endif

/// One lag looked at closely, by windows spread over what the two sounds have in common.
///
/// The clocks of a phone and of what plays the music differ by up to 100 millionths, so the windows'
/// lags lie on a slope: all slopes are tried, and the answer is the lag in the middle.
struct LagVerifier: Sendable {
  /// The sample of the music that is heard at the recording's sample 0, along the timeline's rate,
  /// as it is in the middle of what the two have in common.
  private(set) var lag: Double
  /// The mean height of the windows' correlations on the slope, times the root of their number.
  private(set) var height: Float = 0
  /// The same in standard deviations of what chance gives, no window counting more than `limit`.
  private(set) var evidence: Float = 0

  private static let mostWindows = 32
  private static let limit: Float = 8
  private static let steepest = 120e-6
  /// Correlations are compared in cells of 1 ms.
  private static let cellSamples = DownsampledAudio.samplesPerSecond / 1_000
  /// Drift is followed over 10 minutes around the middle.
  private static let longestSamples = 600 * DownsampledAudio.samplesPerSecond

  /// A window's correlations.
  private struct Window {
    /// Samples from the middle of what the two sounds have in common.
    var place: Double
    /// The highest correlation of each cell, from the median of all.
    var cells: [Float]
    /// What chance gives a cell.
    var deviation: Float
    /// Where the highest correlation is, in samples from the lag that is examined.
    var peak: Int
  }

  /// Examines the lag `candidate`, in samples, of sounds of `recordingCount` and `musicCount`.
  init(
    of candidate: Int, in correlation: inout PhaseCorrelation, recordingCount: Int,
    musicCount: Int, check: () throws -> Void
  ) rethrows {
    lag = Double(candidate)
    let common =
      max(0, -candidate)..<max(0, -candidate, min(recordingCount, musicCount - candidate))
    let middle = Double(common.lowerBound + common.upperBound) / 2
    var windows: [Window] = []
    for start in Self.starts(in: common) {
      try check()
      guard let values = correlation.correlate(recordingFrom: start, lag: candidate) else {
        continue
      }
      let place = Double(start + PhaseCorrelation.windowSamples / 2) - middle
      windows.append(Self.window(values, place: place))
    }
    guard !windows.isEmpty else { return }
    let line = Self.bestLine(through: windows)
    sum(windows, along: line)
  }

  /// Evenly spread windows, half overlapping where there is little.
  private static func starts(in common: Range<Int>) -> [Int] {
    let size = PhaseCorrelation.windowSamples
    let surplus = common.count - longestSamples
    let heard =
      surplus > 0
      ? common.lowerBound + surplus / 2..<common.upperBound - surplus / 2 : common
    guard heard.count > size else { return heard.isEmpty ? [] : [heard.lowerBound] }
    let count = min(mostWindows, 2 * (heard.count - size) / size + 2)
    return (0..<count).map { heard.lowerBound + $0 * (heard.count - size) / (count - 1) }
  }

  private static func window(_ values: [Float], place: Double) -> Window {
    var cells = stride(from: 0, to: values.count - cellSamples + 1, by: cellSamples).map { start in
      values[start..<start + cellSamples].max() ?? 0
    }
    let median = cells.sorted()[cells.count / 2]
    for index in cells.indices { cells[index] -= median }
    let deviation = cells.map(abs).sorted()[cells.count / 2] * 1.4826
    let peak = values.indices.max { values[$0] < values[$1] } ?? 0
    return Window(
      place: place, cells: cells, deviation: max(deviation, 1e-6),
      peak: peak - PhaseCorrelation.reachSamples)
  }

  /// A lag in the middle, in samples from the one examined, and how it moves with time.
  private struct Line {
    var lag = 0.0
    var slope = 0.0

    func lag(at place: Double) -> Double { lag + slope * place }
  }

  /// The line on which the cells have the highest sum.
  private static func bestLine(through windows: [Window]) -> Line {
    let farthest = windows.map { abs($0.place) }.max() ?? 0
    let steps = Int((2 * steepest * farthest / Double(cellSamples)).rounded(.up))
    let cellCount = windows[0].cells.count
    var best: Float = -.infinity
    var line = Line()
    for step in -steps...steps {
      let slope = steps == 0 ? 0 : steepest * Double(step) / Double(steps)
      var sums = [Float](repeating: 0, count: cellCount)
      for window in windows {
        let shift = Int((slope * window.place / Double(cellSamples)).rounded())
        for cell in max(0, -shift)..<min(cellCount, cellCount - shift) {
          sums[cell] += window.cells[cell + shift]
        }
      }
      guard let top = sums.indices.max(by: { sums[$0] < sums[$1] }), sums[top] > best else {
        continue
      }
      best = sums[top]
      let middle = Double(top * cellSamples + cellSamples / 2)
      line = Line(lag: middle - Double(PhaseCorrelation.reachSamples), slope: slope)
    }
    return line
  }

  /// Fills in what the windows say of `line`, and puts the lag where those that agree have it.
  private mutating func sum(_ windows: [Window], along line: Line) {
    var offsets: [Double] = []
    for window in windows {
      let place = line.lag(at: window.place)
      let cell = Int((place + Double(PhaseCorrelation.reachSamples)) / Double(Self.cellSamples))
      guard window.cells.indices.contains(cell) else { continue }
      height += window.cells[cell]
      evidence += min(Self.limit, window.cells[cell] / window.deviation)
      let offset = Double(window.peak) - place
      if abs(offset) <= Double(5 * Self.cellSamples) { offsets.append(offset) }
    }
    let root = Float(windows.count).squareRoot()
    (height, evidence) = (height / root, evidence / root)
    offsets.sort()
    lag += line.lag + (offsets.isEmpty ? 0 : offsets[offsets.count / 2])
  }
}
