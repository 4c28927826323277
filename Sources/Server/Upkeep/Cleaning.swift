// The sweep: files, records and jobs that are no longer needed are removed.

import Database
import FoundationEssentials
import Media
import Model
import Storage

/// Removes what a library no longer needs.
struct Cleaning: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Removes what is no longer needed: bytes and renditions without a record, tombstones after
  /// 90 days, earlier versions after 30, jobs a week after their end, uploads that nobody went on
  /// with for two days, exports after a day.
  ///
  /// A deleted track or video keeps its bytes for a day, so that deleting it can be undone. While
  /// the clock may be wrong nothing is removed at all.
  func sweep(now: Int = Library.now()) throws {
    guard try isClockTrusted(at: now) else {
      library.log.warning("sweep.putOff")
      return
    }
    try library.jobs.purge(endedBefore: now - 7 * Library.day)
    try library.records.purgeTombstones(deletedBefore: now - 90 * Library.day, now: now)
    try library.records.purgeEarlierVersions(keptBefore: now - 30 * Library.day)
    try library.uploads.expire(olderThan: UploadStore.lifeSeconds)
    try library.exports.expire()
    try library.mediaLock.withLock { _ in
      let kept = try library.records.media().filter { $0.keepsMedia(at: now) }
      let hashes = Set(kept.compactMap(\.sha256))
      for blob in try library.blobs.all() where !hashes.contains(blob.sha256) {
        try library.blobs.remove(blob.sha256)
      }
      let ids = Set(kept.map(\.id))
      for id in try library.folder.derivedIds() where !ids.contains(id) {
        try library.folder.removeDerived(id)
      }
    }
    // Counted anew, so that what somebody did in the folder by hand does not stay unknown for ever.
    library.quota.derivedSizes.forget()
    library.quota.updateHealth()
  }

  /// Throws away what nobody went on uploading, unless the clock may be wrong.
  func expireUploads(now: Int = Library.now()) throws {
    guard try isClockTrusted(at: now) else { return }
    try library.uploads.expire(olderThan: UploadStore.lifeSeconds)
  }

  private func isClockTrusted(at now: Int) throws(DatabaseError) -> Bool {
    do {
      return try library.database.isClockTrusted(at: now)
    } catch let error where error.code == .full {
      // Where the time can't be noted, the room is needed.
      return true
    }
  }
}
