// Repeated preparation of tracks, videos and recordings whose derived files are missing or outdated.

import Database
import FoundationEssentials
import Media
import Model
import Storage

/// Prepares tracks, videos and recordings again that were ready before.
struct Renewals: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Queues jobs for derived files that are missing, for example after a restore, or that an
  /// earlier version made. A track without its rendition, a video without its conversion or
  /// poster, and a recording without its voice file are prepared again. A track with an outdated waveform or analysis stays playable
  /// meanwhile.
  func addMissing() throws {
    guard library.derived == nil else { return try addMissingInBucket() }
    let unfinished = try library.jobs.unfinished()
    let underway = Set(unfinished.filter(\.isPreparing).map { $0.record?.id })
    let analysed = Set(
      unfinished.filter { $0.kind == AnalysisJob.kind }.map { $0.record?.id })
    for medium in try library.records.media() {
      guard medium.deletedAt == nil, let sha256 = medium.sha256,
        library.blobs.contains(sha256),
        !underway.contains(medium.id)
      else { continue }
      if try medium.state != .ready || !isWhole(medium) {
        _ = try add(medium)
      } else if medium.type == .track, !analysed.contains(medium.id),
        library.folder.isOutdated(track: medium.id)
      {
        try library.add(AnalysisJob.row(TrackParameters(track: medium.id)))
      }
    }
  }

  /// Does the same while the library is served, as the bucket is asked.
  private func addMissingInBucket() throws {
    for medium in try library.records.media() {
      guard isToPrepare(medium) else { continue }
      if try medium.state == .ready && isWhole(medium) {
        if medium.type == .track, try library.derived?.isOutdated(track: medium.id) == true {
          try addAnalysis(medium)
        }
      } else {
        try addUnlessUnderway(medium)
      }
    }
  }

  private func isToPrepare(_ medium: Medium) -> Bool {
    medium.deletedAt == nil && medium.sha256.map(library.blobs.contains) == true
  }

  /// Prepares a record again, unless it was deleted or another job does so.
  private func addUnlessUnderway(_ medium: Medium) throws {
    try library.mediaLock.withLock {
      let isUnderway = try library.jobs.unfinished().contains {
        $0.isPreparing && $0.record?.id == medium.id
      }
      guard !isUnderway, let current = try library.records.medium(medium.type, medium.id),
        isToPrepare(current),
        // A job may have ended since it was looked at.
        current.state != .ready || medium.state == .ready
      else { return }
      _ = try add(current)
    }
  }

  private func addAnalysis(_ medium: Medium) throws {
    try library.mediaLock.withLock {
      let isUnderway = try library.jobs.unfinished().contains {
        $0.kind == AnalysisJob.kind && $0.record?.id == medium.id
      }
      if !isUnderway { try library.add(AnalysisJob.row(TrackParameters(track: medium.id))) }
    }
  }

  /// Prepares a ready record again of which the bucket lost or damaged a file. Returns false if there is no
  /// such record.
  func addLost(_ id: String, isDamaged: Bool) throws -> Bool {
    for type in [RecordType.track, .video, .recording] {
      guard let medium = try library.records.medium(type, id) else { continue }
      guard isToPrepare(medium), try isDamaged || medium.state != .ready || !isWhole(medium) else {
        return false
      }
      try addUnlessUnderway(medium)
      return true
    }
    return false
  }

  /// Sends what the folder holds and the bucket lacks, as where derived files were in the folder alone until
  /// now. Lets all else in the folder be displaced.
  ///
  /// - Returns: of how many records it was sent, and whether that is all: a job that makes a file of a record sends
  ///   that one, and the others are left for later.
  func takeOverFolder(isCancelled: () -> Bool) throws -> (sent: Int, isAll: Bool) {
    guard let derived = library.derived else { return (0, true) }
    var (sent, isAll) = (0, true)
    for id in try library.folder.derivedIds() where !isCancelled() {
      guard !derived.isMaking(id) else {
        isAll = false
        continue
      }
      guard let medium = try medium(id), medium.needsMedia, medium.state == .ready else { continue }
      if isWhole(medium, among: { derived.hasInBucket(id, $0) }) {
        try derived.reconcile(id)
      } else if isWhole(medium, among: { derived.isHere(id, $0) }) {
        try derived.sendFolder(id)
        sent += 1
      }
    }
    return (sent, isAll)
  }

  private func medium(_ id: String) throws -> Medium? {
    for type in [RecordType.track, .video, .recording] {
      if let medium = try library.records.medium(type, id) { return medium }
    }
    return nil
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

  /// Whether all derived files of a track, video or recording are on the disk, or in the bucket. A deep check also reads those
  /// of a track, which takes a second or two for an hour of music.
  func isWhole(_ medium: Medium, deep: Bool = false) throws -> Bool {
    if let derived = library.derived {
      guard try derived.check(medium.id, { isWhole(medium, among: $0) }) else { return false }
      return try !deep || derived.damage(medium.id).isEmpty
    }
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

  /// Whether a record has all derived files, of which `hasFile` tells whether they are there.
  private func isWhole(_ medium: Medium, among hasFile: (_ name: String) -> Bool) -> Bool {
    switch medium.type {
    case .recording: return hasFile(DataDirectory.voiceName)
    case .video:
      let isPlayable =
        Video(medium.record).plays != .conversion || hasFile(DataDirectory.videoName)
      return isPlayable && hasFile(DataDirectory.posterName)
    default:
      return library.folder.hasRendition(
        lengthFrames: medium.lengthFrames ?? 0, among: hasFile)
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
