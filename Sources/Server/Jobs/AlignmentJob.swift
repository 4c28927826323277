// The job that compares the sound of a video with a stretch of a track.

import Database
import Media
import Model
import Storage

/// Finds the position of a video within a stretch of a track.
struct AlignmentJob: JobDefinition {
  static let kind = "align"

  let library: Library

  func run(_ job: Job<AlignmentParameters>, _ context: JobContext) throws -> [Library.Edit] {
    let (video, stretch) = (job.parameters.video, job.parameters.stretch)
    guard stretch.start >= 0, stretch.start < stretch.end else { throw LibraryError.unknownWork }
    let folder = library.folder
    do {
      let lengthFrames = try library.tracks.lengthFrames(of: stretch.track)
      guard stretch.end <= lengthFrames else { throw LibraryError(.gone, "The track is gone.") }
      let answer = try library.videos.withLocal(playedFile(video)) { recording in
        try library.withRendition(of: stretch.track, stretch.start..<stretch.end) {
          try VideoAligner(tools: library.tools).align(
            recording: recording, withTrack: stretch.track,
            lengthFrames: lengthFrames, stretch: stretch.start..<stretch.end, in: folder,
            progress: { context.report($0) }, isCancelled: { context.shouldStop })
        }
      }
      let name = DataDirectory.alignmentsName
      try library.makingDerived(video, [name]) {
        try library.withDerived(video, ifThere: name) {
          try library.mediaLock.withLock {
            _ = try playedFile(video)
            try folder.store(answer, video: video, with: stretch)
          }
        }
      }
    } catch {
      // If the track or video was deleted meanwhile, report that as the cause.
      _ = try playedFile(video)
      _ = try library.tracks.lengthFrames(of: stretch.track)
      throw error
    }
    return []
  }

  private func playedFile(_ id: String) throws -> Videos.Source {
    guard let video = try library.records.video(id), video.deletedAt == nil,
      let file = library.videos.playedFile(of: video)
    else { throw LibraryError(.gone, "The video is gone.") }
    return file
  }
}
