// The stored waveform of a track: writing, and reading of ranges.

import Analysis
import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// A track's waveform. Only the requested range is read.
public struct StoredPeaks: Sendable {
  private let path: String

  /// Makes a reader of the file, such as `DataDirectory.peaks(track:)` returns.
  public init(_ path: String) { self.path = path }

  /// Returns `pixels` of the waveform at `framesPerPixel`, a multiple of
  /// `TrackImporter.peaksFramesPerPixel`. Omits pixels after the last.
  public func waveform(framesPerPixel: Int, pixels: Range<Int>) throws -> Waveform {
    let file = try OpenFile(path, O_RDONLY)
    let stored = max(0, try file.size() - Waveform.headerByteCount) / 2
    let factor = framesPerPixel / TrackImporter.peaksFramesPerPixel
    let range = (pixels.lowerBound * factor..<pixels.upperBound * factor).clamped(to: 0..<stored)
    let offset = Waveform.headerByteCount + range.lowerBound * 2
    let bytes = try file.read(at: offset, count: range.count * 2)
    let header = Waveform.header(
      framesPerPixel: TrackImporter.peaksFramesPerPixel, pixelCount: range.count)
    let written = try file.read(at: 0, count: Waveform.headerByteCount)
    // All fields but the number of pixels, which differs for a range.
    guard written[..<16] == header[..<16] else {
      throw StorageError(
        .corrupt, "The waveform of this track is damaged. Add the file again.", cause: path)
    }
    return try Waveform(dat: header + bytes).downsampled(to: framesPerPixel)
  }
}

/// Writes the waveform while the samples are read, so that memory use does not grow with the
/// length.
struct PeaksFile: ~Copyable {
  private let file: OpenFile
  private var builder: PeakBuilder
  private var pixelCount = 0

  init(_ path: String, framesPerPixel: Int) throws {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
    try Waveform.header(framesPerPixel: framesPerPixel, pixelCount: 0)
      .withUnsafeBytes { try file.write($0) }
    self.file = file
    builder = PeakBuilder(framesPerPixel: framesPerPixel)
  }

  mutating func append(_ samples: UnsafeBufferPointer<Int16>) throws {
    builder.append(samples)
    try write(builder.takePairs())
  }

  mutating func finish() throws {
    try write(builder.finish())
    let header = Waveform.header(framesPerPixel: builder.framesPerPixel, pixelCount: pixelCount)
    try file.write(header, at: 0)
    try file.sync()
  }

  private mutating func write(_ pairs: [Int8]) throws {
    pixelCount += pairs.count / 2
    try pairs.withUnsafeBytes { try file.write($0) }
  }
}
