// Restoring while the server runs: the restored library is made beside the one in use; when it is
// whole, no more changes are taken and the server starts anew with it.

import Database
import FoundationEssentials
import HTTP
import Media
import Model
import Storage

extension Library {
  static let restoreKind = "restore"

  /// Where the uploaded backup of a restore lies, under `tmp`.
  private static func uploadName(ofRestore job: String) -> String { "restore-\(job).tar" }

  /// Begins to take a backup that is to be restored.
  func beginRestore(length: Int?) throws -> RestoreSink {
    if let length { try requireDisk(for: length) }
    let job = Identifier.make(milliseconds: Library.now())
    return try RestoreSink(
      library: self, job: job, name: Library.uploadName(ofRestore: job))
  }

  /// Queues the restore of a backup that has come completely.
  func addRestore(_ job: String) throws {
    // Under the lock, so that of two at once one is refused.
    try mediaLock.withLock { _ in
      guard try !jobs.unfinished().contains(where: { $0.kind == Library.restoreKind }) else {
        throw HTTPError.conflict("A backup is being restored already. Wait until it is done.")
      }
      try jobs.write { writer throws(DatabaseError) in
        try writer.add(
          JobRow(id: job, kind: Library.restoreKind, subject: ""), now: Library.now())
      }
    }
  }

  /// The job that restores; `replaced` is called when the library is to be opened anew.
  func restoreJob(replaced: @escaping @Sendable () -> Void) -> JobKind {
    JobKind(
      perform: { [self] job, context in
        let backup = folder.tmp + "/" + Library.uploadName(ofRestore: job.id)
        guard FileManager.default.fileExists(atPath: backup) else {
          throw JobProblem("The server stopped before the restore was done. Nothing was changed.")
        }
        let restore = LibraryRestore(folder: folder)
        let summary = try restore.prepare(
          backup: backup, job: job.id, progress: { context.report($0) },
          isCancelled: { context.isCancelled })
        log.info(
          "restore.prepared",
          [
            "routines": .integer(summary.routines), "tracks": .integer(summary.tracks),
            "missing": summary.lost.isEmpty ? nil : .integer(summary.lost.count),
          ])
        database.seal()
        do {
          try restore.commit(summary, shutOut: devices.unremoved)
        } catch {
          database.seal(false)
          throw error
        }
        replaced()
        throw JobHandover()
      },
      abandon: { _, _ in [] },
      afterwards: { [self] job, _ in
        try folder.removeTemporary(Library.uploadName(ofRestore: job.id))
      })
  }

  /// Queues jobs for what can be made from the blobs and is missing, as after a restore, or is of an
  /// earlier version than this program makes. A track whose rendition is missing, and a video whose
  /// conversion or poster is, are prepared again; a track with an earlier waveform or analysis stays
  /// playable meanwhile.
  func renewMissing() throws {
    let unfinished = try jobs.unfinished()
    let underway = Set(
      unfinished.filter { Library.preparingKinds.contains($0.kind) }.map(\.record))
    let analysed = Set(unfinished.filter { $0.kind == Library.analysisKind }.map(\.record))
    for medium in try records.records(.track) + records.records(.video) {
      guard medium.deletedAt == nil, let sha256 = medium["sha256"].text, blobs.contains(sha256),
        !underway.contains(medium.id)
      else { continue }
      if medium["state"] != "ready" || !isWhole(medium) {
        _ = try renew(medium)
      } else if medium.type == .track, !analysed.contains(medium.id),
        folder.isOutdated(track: medium.id)
      {
        let job = Library.newAnalysis(ofTrack: medium.id)
        try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: Library.now()) }
      }
    }
  }

  /// Queues the job that prepares a track or video again, and returns its id: `job`; nil: a new one.
  func renew(_ medium: Record, job: String? = nil) throws -> String {
    let now = Library.now()
    let job = JobRow(
      id: job ?? Identifier.make(milliseconds: now), kind: Library.renewal(of: medium.type),
      subject: medium.id)
    try commit([Edit(medium.type, medium.id, ["state": "importing", "problem": nil])]) {
      writer throws(DatabaseError) in try writer.add(job, now: now)
    }
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

  static let renewKind = "renew"
  static let reconvertKind = "reconvert"

  /// The job that makes a track's rendition again.
  var renewJob: JobKind { renewing(importJob) }

  /// The job that converts a video again.
  var reconvertJob: JobKind { renewing(conversionJob) }

  /// The same work done again. The track or video stays, whatever becomes of it: its bytes were good
  /// once, and the next start tries again; until then health says so.
  private func renewing(_ kind: JobKind) -> JobKind {
    var renewal = kind
    renewal.abandon = { job, problem in
      let sentence = problem ?? "Preparing this was cancelled. It goes on at the next start."
      return [
        Edit(
          kind.subject, job.subject,
          ["state": "failed", "problem": .text(String(sentence.prefix(1000)))])
      ]
    }
    renewal.afterwards = { _, _ in }
    renewal.tell = { [self] _ in noteRenewals() }
    return renewal
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

/// Takes the bytes of a backup to the disk.
final class RestoreSink: BodySink {
  private let library: Library
  private let job: String
  private let name: String
  private let file: IncomingFile
  private var enqueue: ((String) throws -> Response)?
  /// Whether the file is the job's now.
  private var isHandedOver = false

  init(library: Library, job: String, name: String) throws {
    self.library = library
    self.job = job
    self.name = name
    file = try library.folder.makeTemporary(name)
  }

  // Whoever lets go of a sink without a word leaves no job behind.
  deinit { abort() }

  /// Says what is done with the job once all bytes are here.
  func then(_ enqueue: @escaping (String) throws -> Response) -> RestoreSink {
    self.enqueue = enqueue
    return self
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  func finish() throws -> Response {
    do {
      try file.finish()
      // A file that is no backup is refused at once.
      _ = try BackupReader(path: file.path).manifest()
      try library.addRestore(job)
      guard let enqueue else { throw HTTPError.internalError() }
      let response = try enqueue(job)
      isHandedOver = true
      return response
    } catch {
      abort()
      throw error
    }
  }

  func abort() {
    if isHandedOver { return }
    do {
      try library.folder.removeTemporary(name)
    } catch {
      // It stays under tmp, which the next start empties.
    }
  }
}
