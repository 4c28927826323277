// What is read of a track: its waveform at any resolution, and clips.

import Analysis
import FoundationEssentials
import Media
import Model

extension Library {
  /// Returns the waveform of a ready track.
  ///
  /// Multiples of the stored resolution (64 frames) come from the stored waveform, all others from
  /// the samples, which takes seconds for an hour of music.
  func waveform(
    ofTrack id: String, lengthFrames: Int, framesPerPixel: Int
  ) throws -> Waveform {
    if framesPerPixel.isMultiple(of: TrackImporter.peaksFramesPerPixel) {
      let bytes = try Data(contentsOf: URL(filePath: folder.peaks(track: id)))
      return try Waveform(dat: Array(bytes)).downsampled(to: framesPerPixel)
    }
    var builder = PeakBuilder(framesPerPixel: framesPerPixel)
    try audio(ofTrack: id, lengthFrames: lengthFrames).forEach(0..<lengthFrames) { samples in
      builder.append(samples)
    }
    return Waveform(framesPerPixel: framesPerPixel, pairs: builder.finish())
  }

  /// Writes a clip to a file under `tmp`, whose path is returned; who asked removes it.
  func renderClip(ofTrack id: String, lengthFrames: Int, _ clip: ClipRequest) throws -> String {
    let path = folder.temporaryPath("export")
    try ClipRenderer(tools: tools, folder: folder).render(
      track: folder.derived(id), lengthFrames: lengthFrames, start: clip.range.lowerBound,
      end: clip.range.upperBound, format: clip.format, fadeInFrames: clip.fadeInFrames,
      fadeOutFrames: clip.fadeOutFrames, to: path)
    return path
  }

  private func audio(ofTrack id: String, lengthFrames: Int) -> PracticeAudio {
    PracticeAudio(
      derivedDirectory: folder.derived(id), lengthFrames: lengthFrames, tools: tools,
      folder: folder)
  }
}
