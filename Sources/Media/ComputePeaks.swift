// The waveform of any audio file, without an import.

import Analysis

/// Decodes a file once and returns its waveform on the 48 kHz timeline. The samples keep the sample
/// rate of the file; each is counted in the pixel of its time, which avoids resampling. Throws the
/// same `MediaError`s as an import.
public func computePeaks(
  of path: String, framesPerPixel: Int, tools: MediaTools, isCancelled: () -> Bool = { false }
) throws -> Waveform {
  var start: [UInt8] = []
  var builder: PeakBuilder?
  var byteCount = 0
  try tools.decode(path, .wavAtSourceRate, usesThreads: true, isCancelled: isCancelled) { samples in
    byteCount += samples.count * 2
    if builder == nil {
      // The stream begins with a header, which holds the sample rate.
      start.append(contentsOf: UnsafeRawBufferPointer(samples))
      guard let header = WAVFile.Header(start) else {
        guard start.count < 4_096 else {
          throw MediaError(.toolFailed, "The file could not be read.", cause: "no WAV header")
        }
        return
      }
      byteCount -= header.byteCount
      var first = PeakBuilder(framesPerPixel: framesPerPixel, sourceRate: header.sampleRate)
      // The header's length is a multiple of four bytes, so the samples stay aligned.
      start.withUnsafeBytes {
        first.append(
          UnsafeRawBufferPointer(rebasing: $0[header.byteCount...]).assumingMemoryBound(
            to: Int16.self))
      }
      start = []
      builder = first
    } else {
      builder?.append(samples)
    }
  }
  guard byteCount > 0, let pairs = builder?.finish() else { throw ImportRefusal.empty }
  return Waveform(framesPerPixel: framesPerPixel, pairs: pairs)
}
