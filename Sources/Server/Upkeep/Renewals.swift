// Repeated preparation of tracks, videos and recordings whose derived files are missing or outdated.

import Database
import FoundationEssentials
import Media
import Model

/// Prepares tracks, videos and recordings again that were ready before.
struct Renewals: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Queues jobs for derived files that are missing, for example after a restore, or that an
  /// earlier version made. A track without its rendition, a video without its conversion or
  /// poster, and a recording without its voice file are prepared again. A track with an outdated waveform or analysis stays playable
  /// meanwhile.
  func addMissing() throws {
    let unfinished = try library.jobs.unfinished()
    let underway = Set(unfinished.filter(\.isPreparing).map { $0.record?.id })
    let analysed = Set(
      unfinished.filter { $0.kind == AnalysisJob.kind }.map { $0.record?.id })
    for medium in try library.records.media() {
      guard medium.deletedAt == nil, let sha256 = medium.sha256,
        library.blobs.contains(sha256),
        !underway.contains(medium.id)
      else { continue }
      if medium.state != .ready || !isWhole(medium) {
        _ = try add(medium)
      } else if medium.type == .track, !analysed.contains(medium.id),
        library.folder.isOutdated(track: medium.id)
      {
        try library.add(AnalysisJob.row(TrackParameters(track: medium.id)))
      }
    }
  }

  /// Queues the job that prepares a track, video or recording again, and returns its id: `job`, or a new one
  /// if nil.
  func add(_ medium: Medium, job: String? = nil) throws -> String {
    let job = try MediaRecords.preparation(of: medium.type, medium.id, job: job, isRenewal: true)
    try library.commit(
      [
        Library.Edit(medium.type, medium.id, ["state": MediaState.importing.value, "problem": nil])
      ],
      adding: job)
    return job.id
  }

  /// Whether all derived files of a track, video or recording are on the disk. A deep check also reads those
  /// of a track, which takes a second or two for an hour of music.
  func isWhole(_ medium: Medium, deep: Bool = false) -> Bool {
    switch medium.type {
    case .recording:
      return FileManager.default.fileExists(atPath: library.folder.voice(recording: medium.id))
    case .video:
      let isPlayable =
        Video(medium.record).plays != .conversion
        || FileManager.default.fileExists(atPath: library.folder.video(medium.id))
      return isPlayable
        && FileManager.default.fileExists(atPath: library.folder.poster(video: medium.id))
    default:
      let lengthFrames = medium.lengthFrames ?? 0
      return library.folder.hasRendition(track: medium.id, lengthFrames: lengthFrames)
        && (!deep || library.folder.damage(track: medium.id, lengthFrames: lengthFrames).isEmpty)
    }
  }

  /// The edit for a track, video or recording that could not be prepared again: it stays, with the reason.
  static func failure(_ type: RecordType, _ id: String, _ problem: String?) -> Library.Edit {
    let sentence = problem ?? "Preparing this was cancelled. It goes on at the next start."
    return Library.Edit(
      type, id, ["state": MediaState.failed.value, "problem": .text(String(sentence.prefix(1000)))])
  }

  /// Reports in health whether something could not be prepared again.
  func updateHealth() {
    do {
      let media = try library.records.presentMedia()
      library.health.set(
        .renewal,
        media.contains { $0.state == .failed && $0.needsMedia }
          ? "Songs, videos or recordings could not be prepared again: what they lack is told in the media "
            + "library. It is tried again at the next start."
          : nil)
    } catch {
      library.log.error("renewals.unread", error)
    }
  }
}
