// Shared operations of tracks, videos and recordings: creation from uploads, preparation, and deletion.

import Database
import FoundationEssentials
import Media
import Model
import Storage
import Text

/// The result of adding bytes as a track, video or recording.
public struct AddedMedia: Sendable {
  /// The record's id.
  public var id: String
  /// The job that imports or converts it; nil if it is ready already.
  public var job: String?
  /// Whether the library had the same bytes before.
  public var wasKnown: Bool
  /// Whether the record can be removed at once without loss, because it had no bytes before.
  public var isNew: Bool
}

/// Manages the records of tracks, videos and recordings, and the bytes that they own.
struct MediaRecords: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Begins an upload of `length` bytes, which count towards the limits from now on.
  ///
  /// - Throws: `StorageError` `tooLarge` or `noSpace`, with a sentence for the performer.
  func createUpload(length: Int, fileName: String) throws -> Upload {
    defer { library.quota.updateHealth() }
    return try library.askingBucket {
      guard library.quota.limits.libraryBytes != nil else {
        return try library.uploads.create(length: length, fileName: fileName)
      }
      // The lock makes a finished upload count exactly once, as an upload or as an original.
      let upload = try library.mediaLock.withLock {
        try library.uploads.create(length: length, fileName: fileName) { promised in
          try library.quota.requireRoom(for: length, promised: promised)
        }
      }
      try library.uploads.keep(upload)
      return upload
    }
  }

  /// Makes a record in a space from a complete upload, with the job that prepares it. A repeated call for the
  /// same upload, after a lost response, returns the same record: the upload's id is the job's id.
  ///
  /// - Throws: `StorageError` if the upload is unknown, incomplete or empty.
  func add(
    _ type: RecordType, fromUpload id: String, title: String?, space: String
  ) throws -> AddedMedia {
    if let job = try library.jobs.job(id), job.isPreparing, let record = job.record,
      record.type == type, try library.records.space(of: type, record.id) == space
    {
      library.jobQueue.add(job)
      let isNew = [ImportJob.kind, ConversionJob.kind, RecordingJob.kind].contains(job.kind)
      return AddedMedia(id: record.id, job: job.id, wasKnown: false, isNew: isNew)
    }
    let (fileName, sent) = try library.askingBucket {
      let fileName = try library.uploads.upload(id).fileName
      return (fileName, try library.uploads.prepareToTake(id, send: library.blobs.send))
    }
    var isRecorded = false
    defer {
      library.uploads.end(id, isRecorded: isRecorded)
      library.finishRemovals()
    }
    let added = try add(
      type, id: id, fileName: fileName, title: title, space: space, sent: sent
    ) { try library.uploads.take(id) }
    isRecorded = true
    return added
  }

  /// Makes a record of bytes.
  ///
  /// The bytes are where they are to stay before the record refers to them. If a record of this type in the space has
  /// the same bytes, it is returned, and prepared again if its derived files are damaged.
  /// - Parameters:
  ///   - id: the job's id; nil generates one.
  ///   - fileName: the performer's file name; displayed, never used as a path.
  ///   - title: nil uses the file name without its extension.
  ///   - sent: the same bytes, as the store has them.
  ///   - staged: returns the bytes, hashed and synced. It is called under the media lock, so its
  ///     duration must not depend on the file size.
  func add(
    _ type: RecordType, id jobId: String? = nil, fileName: String, title: String?,
    space: String = Person.owner, sent: SentBlob, staged: () throws -> StagedBlob
  ) throws -> AddedMedia {
    let found = try withExtendedLifetime(sent) {
      try library.mediaLock.withLock {
        let blob = try library.blobs.place(staged(), sent)
        return try addRecord(
          type, of: blob, id: jobId, fileName: fileName, title: title, space: space, hold: sent.hold
        )
      }
    }
    switch found {
    case .added(let added): return added
    case .ready(let medium):
      // This reads all of a long track, so the lock is not held.
      let job =
        try library.renewals.isWhole(medium, deep: true)
        ? nil : try renewUnlessDeleted(medium, job: jobId)
      return AddedMedia(id: medium.id, job: job, wasKnown: true, isNew: false)
    }
  }

  /// The action for bytes that the library has.
  private enum Found {
    case added(AddedMedia)
    /// They belong to a ready record.
    case ready(Medium)
  }

  /// Makes the record of stored bytes, or finds the existing one. The caller holds the lock.
  private func addRecord(
    _ type: RecordType, of blob: BlobReference, id jobId: String?, fileName: String, title: String?,
    space: String, hold: (any BlobHold)?
  ) throws -> Found {
    let now = Library.now()
    let known = try library.records.media(sha256: blob.sha256).filter {
      $0.type == type && $0.record.space == space
    }
    if let medium = known.first(where: { $0.deletedAt == nil && $0.state != .failed }) {
      if medium.state == .ready { return .ready(medium) }
      let job = try resumePreparation(of: medium)
      return .added(AddedMedia(id: medium.id, job: job, wasKnown: true, isNew: false))
    }
    let id =
      known.first { $0.deletedAt == nil }?.id ?? known.first?.id
      ?? Identifier.make(milliseconds: now)
    // A record that was ready and can be restored keeps its bytes, whatever the job's result.
    let isRenewal = known.contains { $0.id == id && $0.wasReady && $0.keepsMedia(at: now) }
    let job = try MediaRecords.preparation(of: type, id, job: jobId, isRenewal: isRenewal)
    let edit = Library.Edit(
      type, id,
      [
        "title": .text(MediaRecords.shown(title ?? MediaRecords.title(of: fileName), limit: 200)),
        "fileName": .text(MediaRecords.shown(fileName, limit: 255)), "sha256": .text(blob.sha256),
        "size": .integer(blob.size), "state": MediaState.importing.value, "problem": nil,
        "deletedAt": nil,
      ], space: space)
    try library.commit([edit], adding: job, whileHolding: hold)
    return .added(AddedMedia(id: id, job: job.id, wasKnown: false, isNew: !isRenewal))
  }

  /// Prepares a ready track or video again, unless it was deleted or another caller began to after
  /// `medium` was read. Returns the preparing job.
  func renewUnlessDeleted(_ medium: Medium, job: String?) throws -> String? {
    try library.mediaLock.withLock {
      guard let current = try library.records.medium(medium.type, medium.id),
        current.deletedAt == nil
      else { return nil }
      return current.state == .ready
        ? try library.renewals.add(current, job: job) : try resumePreparation(of: current)
    }
  }

  /// Resumes the job that prepares a track, video or recording, and returns its id.
  private func resumePreparation(of medium: Medium) throws -> String? {
    let job = try library.jobs.latest(on: medium.type, medium.id)
    if let job { library.jobQueue.add(job) }
    return job?.id
  }

  /// Makes the job that prepares a new track or video, or one that was ready before. `job` is its
  /// id; nil generates one.
  static func preparation(
    of type: RecordType, _ id: String, job: String? = nil, isRenewal: Bool
  ) throws -> JobRow {
    switch type {
    case .recording:
      let parameters = RecordingParameters(recording: id)
      return isRenewal
        ? try RerecordJob.row(id: job, parameters) : try RecordingJob.row(id: job, parameters)
    case .video:
      let parameters = VideoParameters(video: id)
      return isRenewal
        ? try ReconvertJob.row(id: job, parameters) : try ConversionJob.row(id: job, parameters)
    default:
      let parameters = TrackParameters(track: id)
      return isRenewal
        ? try RenewJob.row(id: job, parameters) : try ImportJob.row(id: job, parameters)
    }
  }

  /// Permanently deletes a track, video or recording with its bytes, and cancels its job. Unlike after a
  /// deletion by a change, which can be undone for a day, the record owns no bytes from now on.
  func remove(_ type: RecordType, _ id: String) throws {
    try library.mediaLock.withLock {
      var fields: [String: Value] = [
        "state": MediaState.failed.value, Medium.lengthField(of: type): .null,
      ]
      if try library.records.record(type, id)?.deletedAt == nil {
        fields["deletedAt"] = .integer(Library.now())
      }
      try library.commit([Library.Edit(type, id, fields)])
      try unlink(type, id)
    }
    library.finishRemovals()
    if let job = try library.jobs.latest(on: type, id), !job.state.isFinal {
      try library.jobQueue.cancel(job.id)
    }
  }

  /// Throws a `conflict` with `message` if one of `users` is visible or can become visible: neither
  /// it nor its parent record is deleted.
  func requireUnused(by users: [Record], orThrow message: String) throws {
    if try users.contains(where: { try !library.records.isDeleted($0) }) {
      throw LibraryError(.conflict, message)
    }
  }

  /// Runs `publish` unless the bytes of `medium` were permanently removed meanwhile. Derived files
  /// must not outlive their source.
  func publish(_ medium: some MediaView, _ publish: () throws -> Void) throws {
    try library.mediaLock.withLock {
      guard let sha256 = medium.sha256, library.blobs.contains(sha256) else {
        throw LibraryError(.gone, "The \(medium.type.rawValue) is gone.")
      }
      try publish()
    }
  }

  /// Throws the fault that prevents this server from judging a record's file: failing programs, or
  /// an unreadable or changed original.
  func requireSoundness(
    for type: RecordType, _ id: String, isCancelled: () -> Bool
  ) throws {
    try library.tools.requireWorking(isCancelled: isCancelled)
    // If it was deleted meanwhile, it no longer needs an original.
    guard let medium = try library.records.medium(type, id), medium.keepsMedia(at: Library.now()),
      let sha256 = medium.sha256
    else { return }
    guard
      try library.blobs.contains(sha256) && library.blobs.verify(sha256, isCancelled: isCancelled)
    else {
      throw StorageError(
        .corrupt,
        "This file is missing or damaged on the server's disk. Add the same file again to mend it.",
        cause: "blob \(sha256)")
    }
  }

  /// Whether a track, video or recording was permanently deleted, so that no job may make it ready. The caller
  /// holds the lock.
  func isRemoved(_ type: RecordType, _ id: String) throws -> Bool {
    try library.records.medium(type, id).map { !$0.ownsMedia && $0.deletedAt != nil } ?? true
  }

  /// Unlinks the files of a deleted or failed record, unless another record has the same bytes, or
  /// had them and can be restored.
  func discard(_ type: RecordType, _ id: String) throws {
    try library.mediaLock.withLock { try unlink(type, id) }
    library.finishRemovals()
  }

  /// Does the work of `discard` for a caller that holds the lock.
  private func unlink(_ type: RecordType, _ id: String) throws {
    guard let medium = try library.records.medium(type, id), !medium.needsMedia else { return }
    try library.removeDerived(id)
    try library.quota.derivedSizes.refresh(id)
    defer { library.quota.updateHealth() }
    guard let sha256 = medium.sha256 else { return }
    let now = Library.now()
    let isOthers = try library.records.media(sha256: sha256).contains {
      ($0.type, $0.id) != (type, id) && $0.keepsMedia(at: now)
    }
    if !isOthers { try library.removeBlob(sha256) }
  }

  /// The file name without its extension.
  static func title(of fileName: String) -> String {
    let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// `text` as one non-empty line of at most `limit` characters.
  static func shown(_ text: String, limit: Int) -> String {
    var result = ""
    for character in text.withoutControls.prefix(limit) {
      if result.utf8.count + character.utf8.count > limit * 16 { break }
      result.append(character)
    }
    return result.allSatisfy(\.isWhitespace) ? "Untitled" : result
  }
}
