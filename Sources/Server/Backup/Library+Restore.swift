// Restoring while the server runs: the restored library is made beside the one in use; when it is
// whole, no more changes are taken and the server starts anew with it.

import Database
import FoundationEssentials
import HTTP
import Media
import Model

extension Library {
  /// Where the uploaded backup of a restore lies, under `tmp`.
  static func uploadName(ofRestore job: String) -> String { "restore-\(job).tar" }

  /// Begins to take a backup that is to be restored.
  func beginRestore(length: Int?) throws -> RestoreSink {
    if let length { try requireDisk(for: length) }
    let job = Identifier.make(milliseconds: Library.now())
    return try RestoreSink(
      library: self, job: job, name: Library.uploadName(ofRestore: job))
  }

  /// Queues the restore of a backup that has come completely.
  func addRestore(_ job: String) throws {
    let row = try RestoreJob.row(id: job, NoParameters())
    // Under the lock, so that of two at once one is refused.
    try mediaLock.withLock { _ in
      guard try !jobs.unfinished().contains(where: { $0.kind == RestoreJob.kind }) else {
        throw HTTPError.conflict("A backup is being restored already. Wait until it is done.")
      }
      try add(row)
    }
  }

  /// Queues jobs for what can be made from the blobs and is missing, as after a restore, or is of an
  /// earlier version than this program makes. A track whose rendition is missing, and a video whose
  /// conversion or poster is, are prepared again; a track with an earlier waveform or analysis stays
  /// playable meanwhile.
  func renewMissing() throws {
    let unfinished = try jobs.unfinished()
    let underway = Set(unfinished.filter(\.isPreparing).map { $0.record?.id })
    let analysed = Set(
      unfinished.filter { $0.kind == AnalysisJob.kind }.map { $0.record?.id })
    for medium in try records.records(.track) + records.records(.video) {
      guard medium.deletedAt == nil, let sha256 = medium["sha256"].text, blobs.contains(sha256),
        !underway.contains(medium.id)
      else { continue }
      if medium["state"] != "ready" || !isWhole(medium) {
        _ = try renew(medium)
      } else if medium.type == .track, !analysed.contains(medium.id),
        folder.isOutdated(track: medium.id)
      {
        let job = try AnalysisJob.row(TrackParameters(track: medium.id))
        try add(job)
      }
    }
  }

  /// Queues the job that prepares a track or video again, and returns its id: `job`; nil: a new one.
  func renew(_ medium: Record, job: String? = nil) throws -> String {
    let job = try Library.preparation(of: medium.type, medium.id, job: job, isRenewal: true)
    try commit(
      [Edit(medium.type, medium.id, ["state": "importing", "problem": nil])], adding: job)
    return job.id
  }

  /// Whether all that is made of a track's or video's bytes is on the disk. A deep look also reads a
  /// track's: a second or two for an hour of music.
  func isWhole(_ medium: Record, deep: Bool = false) -> Bool {
    if medium.type == .track {
      let lengthFrames = medium["lengthFrames"].integer ?? 0
      return folder.hasRendition(track: medium.id, lengthFrames: lengthFrames)
        && (!deep || folder.damage(track: medium.id, lengthFrames: lengthFrames).isEmpty)
    }
    let isPlayable =
      medium["plays"] != "conversion"
      || FileManager.default.fileExists(atPath: folder.video(medium.id))
    return isPlayable && FileManager.default.fileExists(atPath: folder.poster(video: medium.id))
  }

  /// The edit of a track or video that could not be prepared again: it stays, and says why.
  static func unprepared(_ type: RecordType, _ id: String, _ problem: String?) -> Edit {
    let sentence = problem ?? "Preparing this was cancelled. It goes on at the next start."
    return Edit(type, id, ["state": "failed", "problem": .text(String(sentence.prefix(1000)))])
  }

  /// Tells health whether there still is something that could not be prepared again.
  func noteRenewals() {
    do {
      let media = try records.present(.track) + records.present(.video)
      health.set(
        .renewal,
        media.contains { $0["state"] == "failed" && $0.needsMedia }
          ? "Songs or videos could not be prepared again: what they lack is told in the media "
            + "library. It is tried again at the next start."
          : nil)
    } catch {
      log.error("renewals.unread", error)
    }
  }
}
