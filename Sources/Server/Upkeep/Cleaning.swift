// The sweep: removal of unneeded files, records and jobs.

import Database
import FoundationEssentials
import Media
import Model
import Storage

/// Removes data that a library no longer needs.
struct Cleaning: Sendable {
  /// How long what was overwritten is kept, in milliseconds.
  static let earlierVersionsKept = 30 * Library.day

  private let library: Library

  init(library: Library) { self.library = library }

  /// Removes bytes and renditions without a record, tombstones after 90 days, earlier versions
  /// after 30, links 30 days after their end, jobs a week after theirs, uploads that were idle for two
  /// days, and exports after a day.
  ///
  /// A deleted track, video or recording keeps its bytes for a day, so that the deletion can be
  /// undone, and so does what the library before a restore had, if a bucket holds it. Recordings that no move uses are deleted here. While the clock may be wrong, nothing is
  /// removed.
  func sweep(now: Int = Library.now()) throws {
    guard try isClockTrusted(at: now) else {
      library.log.warning("sweep.putOff")
      return
    }
    try library.jobs.purge(endedBefore: now - 7 * Library.day)
    try library.records.purgeTombstones(deletedBefore: now - 90 * Library.day, now: now)
    try library.records.purgeEarlierVersions(keptBefore: now - Cleaning.earlierVersionsKept)
    try library.links.purge { try library.records.exists($0) }
    try library.exports.expire()
    try library.recordings.update(now: now)
    try removeUploads()
    try library.blobs.refresh()
    try library.derived?.refresh()
    let aside = try library.blobsAside()
    try library.mediaLock.withLock {
      let kept = try library.records.media().filter { $0.keepsMedia(at: now) }
      let hashes = Set(kept.compactMap(\.sha256)).union(aside)
      for blob in try library.blobs.all() where !hashes.contains(blob.sha256) {
        try library.removeBlob(blob.sha256)
      }
      let ids = Set(kept.map(\.id))
      for id in try library.folder.derivedIds() where !ids.contains(id) {
        try library.removeDerived(id)
      }
      // A job may send files of a copy whose record is not there yet.
      for id in library.derived?.ids ?? []
      where !ids.contains(id) && library.derived?.isMaking(id) == false {
        try library.removeDerived(id)
      }
    }
    try library.deleteRemovedBlobs()
    try library.uploads.finishRemovals()
    try library.derived?.finishRemovals()
    // Another server may be sending some.
    if library.sharing == nil { try library.derived?.deleteAbandonedParts() }
    // Sizes are counted again, to include manual changes in the folder.
    library.quota.derivedSizes.forget()
    library.quota.updateHealth()
  }

  /// Removes idle uploads, unless the clock may be wrong.
  func expireUploads(now: Int = Library.now()) throws {
    guard try isClockTrusted(at: now) else { return }
    try removeUploads()
    try library.uploads.finishRemovals()
  }

  /// Removes idle uploads, and those of which a server made a record just before it ended: the job has the
  /// upload's id.
  private func removeUploads() throws {
    try library.uploads.refresh { try library.jobs.job($0) != nil }
    try library.uploads.expire(olderThan: Upload.lifeSeconds)
  }

  private func isClockTrusted(at now: Int) throws(DatabaseError) -> Bool {
    do {
      return try library.database.isClockTrusted(at: now)
    } catch let error where error.code == .full {
      // The time cannot be stored because the disk is full, so the space is needed.
      return true
    }
  }
}
