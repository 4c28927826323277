// Tracks: creation from uploads, reading, and deletion.

import Analysis
import FoundationEssentials
import Media
import Model
import Storage

/// The tracks of a library.
struct Tracks: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Makes a track from a complete upload; see `MediaRecords.add`.
  func add(
    fromUpload id: String, title: String? = nil, space: String = Person.owner
  ) throws -> AddedMedia {
    try library.media.add(.track, fromUpload: id, title: title, space: space)
  }

  /// Makes a track from staged bytes; see `MediaRecords.add`.
  func add(
    fileName: String, title: String? = nil, staged: StagedBlob, space: String = Person.owner
  ) throws -> AddedMedia {
    do {
      let sent = try library.askingBucket {
        try library.blobs.send(staged.path, staged.reference)
      }
      return try library.media.add(
        .track, fileName: fileName, title: title, space: space, sent: sent, staged: { staged })
    } catch {
      try staged.discard()
      throw error
    }
  }

  /// Permanently deletes an unused track with its bytes.
  ///
  /// - Throws: `LibraryError` `notFound`; `conflict` while it is used.
  func remove(_ id: String) throws {
    guard try library.records.record(.track, id) != nil else {
      throw LibraryError(.notFound, "There is no such track.")
    }
    try library.media.requireUnused(
      by: try library.records.users(ofTrack: id),
      orThrow: "Parts or clips still use this track. Delete those first.")
    try library.media.remove(.track, id)
  }

  /// Returns the length of a ready track; throws `gone` if it does not exist.
  func lengthFrames(of id: String) throws -> Int {
    guard let track = try library.records.track(id), track.deletedAt == nil,
      track.state == .ready, let lengthFrames = track.lengthFrames
    else { throw LibraryError(.gone, "The track is gone.") }
    return lengthFrames
  }

  /// Returns the waveform of the range `frames` of a ready track, and its version. The borders are
  /// multiples of `framesPerPixel`; the end may be the track's end, rounded up.
  ///
  /// Multiples of the stored resolution (64 frames) are computed from the stored waveform. All
  /// others are computed from the samples, which takes seconds for an hour of music.
  func waveform(
    of id: String, lengthFrames: Int, framesPerPixel: Int, frames: Range<Int>
  ) throws -> (waveform: Waveform, version: Int) {
    if framesPerPixel.isMultiple(of: TrackImporter.peaksFramesPerPixel) {
      return try library.withPeaks(of: id) { stored in
        guard let stored else {
          throw StorageError(
            .corrupt, "The waveform of this track is missing. It is made again at the next start.")
        }
        let waveform = try StoredPeaks(stored.path).waveform(
          framesPerPixel: framesPerPixel,
          pixels: frames.lowerBound / framesPerPixel..<frames.upperBound / framesPerPixel)
        return (waveform, stored.version)
      }
    }
    var builder = PeakBuilder(framesPerPixel: framesPerPixel)
    let range = frames.clamped(to: 0..<lengthFrames)
    try library.withRendition(of: id, range) {
      try audio(of: id, lengthFrames: lengthFrames).forEach(range) { builder.append($0) }
    }
    return (
      Waveform(framesPerPixel: framesPerPixel, pairs: builder.finish()),
      library.folder.versions.peaks
    )
  }

  /// Writes a clip to a file under `tmp` and returns its path. The caller removes the file.
  func renderClip(of id: String, lengthFrames: Int, _ clip: ClipRequest) throws -> String {
    try library.quota.requireDisk(for: clip.range.count * clip.format.bytesPerFrame)
    let path = library.folder.temporaryPath("export")
    try library.withRendition(of: id, clip.range) {
      try ClipRenderer(tools: library.tools, folder: library.folder).render(
        ClipSource(
          derivedDirectory: library.folder.derived(id), lengthFrames: lengthFrames,
          range: clip.range),
        ClipStyle(clip.format, fadeInFrames: clip.fadeInFrames, fadeOutFrames: clip.fadeOutFrames),
        to: path)
    }
    return path
  }

  private func audio(of id: String, lengthFrames: Int) -> PracticeAudio {
    PracticeAudio(
      derivedDirectory: library.folder.derived(id), lengthFrames: lengthFrames,
      tools: library.tools, folder: library.folder)
  }
}
