// Where a video lies on the music of a part, found out by listening to both.

import Analysis
import Database
import FoundationEssentials
import Media
import Model
import Storage

extension Library {
  static let alignmentKind = "align"

  /// How the alignment of a video with a stretch of a track stands.
  enum AlignmentState {
    /// It is known.
    case ready(SoundAlignment)
    /// The job with this id is at it, or will be.
    case underway(job: String)
    /// It failed, for this reason.
    case failed(String)
    /// Nobody asked yet.
    case unknown
  }

  /// Returns how the alignment of `video` with `stretch` stands.
  func alignment(ofVideo video: String, with stretch: AlignedStretch) throws -> AlignmentState {
    if let known = try folder.storedAlignment(video: video, with: stretch) { return .ready(known) }
    let subject = Library.subject(video, stretch)
    guard let job = try jobs.latest(for: subject) else { return .unknown }
    switch job.state {
    case .queued, .running: return .underway(job: job.id)
    case .failed: return .failed(job.message ?? "This went wrong. Try again.")
    case .cancelled: return .unknown
    case .done:
      // It may have ended between the two looks.
      return try folder.storedAlignment(video: video, with: stretch).map { .ready($0) } ?? .unknown
    }
  }

  /// Returns how the alignment stands, adding the job where there is none at it.
  func align(video: String, with stretch: AlignedStretch) throws -> AlignmentState {
    // Under the lock, so that two who ask at once get the same job.
    try mediaLock.withLock { _ in
      let state = try alignment(ofVideo: video, with: stretch)
      switch state {
      case .ready, .underway: return state
      case .failed, .unknown: break
      }
      let job = JobRow(
        id: Identifier.make(milliseconds: Library.now()), kind: Library.alignmentKind,
        subject: Library.subject(video, stretch))
      try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: Library.now()) }
      return .underway(job: job.id)
    }
  }

  /// The job that listens to a video and a stretch of a track.
  var alignmentJob: JobKind {
    JobKind(
      perform: { [self] job, context in
        let (video, stretch) = try Library.question(of: job)
        do {
          let lengthFrames = try lengthFrames(ofTrack: stretch.track)
          guard stretch.end <= lengthFrames else { throw JobProblem("The track is gone.") }
          let answer = try VideoAligner(tools: tools).align(
            recording: playedFile(ofVideo: video), withTrack: stretch.track,
            lengthFrames: lengthFrames, stretch: stretch.start..<stretch.end, in: folder,
            progress: { context.report($0) }, isCancelled: { context.isCancelled })
          try mediaLock.withLock { _ in
            _ = try self.playedFile(ofVideo: video)
            try folder.store(answer, video: video, with: stretch)
          }
        } catch {
          // Deleted meanwhile, they lost their files: then that is the reason.
          _ = try playedFile(ofVideo: video)
          _ = try lengthFrames(ofTrack: stretch.track)
          throw error
        }
        return []
      },
      abandon: { _, _ in [] },
      afterwards: { _, _ in },
      subject: .video)
  }

  private func playedFile(ofVideo id: String) throws -> String {
    guard let video = try records.record(.video, id), video.deletedAt == nil,
      let file = playedFile(ofVideo: video)
    else { throw JobProblem("The video is gone.") }
    return file
  }

  /// What a job's row says of its work: the video, the track, and the stretch's borders.
  private static func subject(_ video: String, _ stretch: AlignedStretch) -> String {
    "\(video) \(stretch.track) \(stretch.start) \(stretch.end)"
  }

  private static func question(of job: JobRow) throws -> (video: String, AlignedStretch) {
    let words = job.subject.split(separator: " ").map(String.init)
    guard words.count == 4, let start = Int(words[2]), let end = Int(words[3]), start >= 0,
      start < end
    else { throw JobProblem("This version of Segmance does not know this work.") }
    return (words[0], AlignedStretch(track: words[1], start: start, end: end))
  }
}
