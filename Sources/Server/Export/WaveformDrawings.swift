// The waveform of a part as a self-contained drawing without a script.

import Analysis
import FoundationEssentials
import Model
import Storage

/// Draws ranges of tracks as SVG, scaled to the track's loudest sample. Caches the waveform of the
/// last track.
struct WaveformDrawings {
  private static let columns = 240
  private static let height = 48
  private let derived: DerivedReader
  private var track: String?
  private var waveform: Waveform?
  private var loudest = 127

  init(derived: DerivedReader) { self.derived = derived }

  /// Returns the drawing of `range`; empty if the track has no waveform (yet).
  mutating func svg(track id: String, _ range: Range<Int>) -> String {
    if track != id {
      track = id
      // A missing waveform must not prevent the export of the text.
      waveform = (try? derived.peaks(ofTrack: id)).flatMap { try? Waveform(dat: $0) }
      loudest = max(1, waveform?.pairs.reduce(0) { max($0, abs(Int($1))) } ?? 127)
    }
    guard let waveform else { return "" }
    let path = WaveformDrawings.path(
      WaveformDrawings.columns(of: waveform, range), loudest: loudest)
    return """
      <svg viewBox="0 0 \(WaveformDrawings.columns) \(WaveformDrawings.height)" \
      preserveAspectRatio="none" aria-hidden="true"><path d="\(path)"/></svg>
      """
  }

  /// The minimum and maximum sample of each column.
  static func columns(
    of waveform: Waveform, _ range: Range<Int>
  ) -> [(low: Int8, high: Int8)] {
    (0..<columns).map { column in
      let start = range.lowerBound + range.count * column / columns
      let end = range.lowerBound + range.count * (column + 1) / columns
      let first = start / waveform.framesPerPixel
      let last = min(
        waveform.pixelCount,
        max(first + 1, (end + waveform.framesPerPixel - 1) / waveform.framesPerPixel))
      guard first < last else { return (0, 0) }
      var (low, high) = (Int8.max, Int8.min)
      for pixel in first..<last {
        low = min(low, waveform.pairs[pixel * 2])
        high = max(high, waveform.pairs[pixel * 2 + 1])
      }
      return (low, high)
    }
  }

  /// One closed path: along the maxima, and back along the minima.
  static func path(_ columns: [(low: Int8, high: Int8)], loudest: Int) -> String {
    func y(_ sample: Int8) -> Int {
      min(height - 1, max(0, height * (loudest - Int(sample)) / (2 * loudest)))
    }
    var path = ""
    for (x, column) in columns.enumerated() {
      path += "\(path.isEmpty ? "M" : "L")\(x) \(y(column.high))"
    }
    for (x, column) in columns.enumerated().reversed() {
      path += "L\(x) \(max(y(column.low), y(column.high) + 1))"
    }
    return path + "Z"
  }
}
