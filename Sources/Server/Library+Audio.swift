// What is read of a track: its waveform at any resolution, and clips.

import Analysis
import FoundationEssentials
import Media
import Model
import Storage

extension Library {
  /// Returns the waveform, and the version it has, of the stretch `frames` of a ready track; its borders are multiples of
  /// `framesPerPixel`, and its end may be the track's, rounded up to one.
  ///
  /// Multiples of the stored resolution (64 frames) come from the stored waveform, all others from
  /// the samples, which takes seconds for an hour of music.
  func waveform(
    ofTrack id: String, lengthFrames: Int, framesPerPixel: Int, frames: Range<Int>
  ) throws -> (waveform: Waveform, version: Int) {
    if framesPerPixel.isMultiple(of: TrackImporter.peaksFramesPerPixel) {
      guard let stored = folder.peaks(track: id) else {
        throw StorageError(
          .corrupt, "The waveform of this track is missing. It is made again at the next start.")
      }
      let waveform = try StoredPeaks(stored.path).waveform(
        framesPerPixel: framesPerPixel,
        pixels: frames.lowerBound / framesPerPixel..<frames.upperBound / framesPerPixel)
      return (waveform, stored.version)
    }
    var builder = PeakBuilder(framesPerPixel: framesPerPixel)
    let range = frames.clamped(to: 0..<lengthFrames)
    try audio(ofTrack: id, lengthFrames: lengthFrames).forEach(range) { builder.append($0) }
    return (
      Waveform(framesPerPixel: framesPerPixel, pairs: builder.finish()), folder.versions.peaks
    )
  }

  /// Writes a clip to a file under `tmp`, whose path is returned; who asked removes it.
  func renderClip(ofTrack id: String, lengthFrames: Int, _ clip: ClipRequest) throws -> String {
    try requireDisk(for: clip.range.count * clip.format.bytesPerFrame)
    let path = folder.temporaryPath("export")
    try ClipRenderer(tools: tools, folder: folder).render(
      ClipSource(
        derivedDirectory: folder.derived(id), lengthFrames: lengthFrames, range: clip.range),
      ClipStyle(clip.format, fadeInFrames: clip.fadeInFrames, fadeOutFrames: clip.fadeOutFrames),
      to: path)
    return path
  }

  private func audio(ofTrack id: String, lengthFrames: Int) -> PracticeAudio {
    PracticeAudio(
      derivedDirectory: folder.derived(id), lengthFrames: lengthFrames, tools: tools,
      folder: folder)
  }
}
