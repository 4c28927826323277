// What tracks and videos share: from bytes that came in to a record with a job, and away again.

import Database
import FoundationEssentials
import Media
import Model
import Storage
import Text

/// What became of bytes that were offered as a track or a video.
public struct AddedMedia: Sendable {
  /// The record's id.
  public var id: String
  /// The job that imports or converts it; nil when it is ready already.
  public var job: String?
  /// Whether these very bytes were in the library before.
  public var wasKnown: Bool
  /// Whether nothing is lost when the record is removed at once: it had no bytes before these.
  public var isNew: Bool
}

/// The records of tracks and videos, with the bytes that they own.
struct MediaRecords: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Begins an upload of `length` bytes, which count from now on.
  ///
  /// - Throws: `StorageError` `tooLarge` or `noSpace`, with a sentence for the performer.
  func createUpload(length: Int, fileName: String) throws -> Upload {
    defer { library.quota.updateHealth() }
    guard library.quota.limits.libraryBytes != nil else {
      return try library.uploads.create(length: length, fileName: fileName)
    }
    // Under the lock, so that an upload that becomes an original is one of the two at any time.
    return try library.mediaLock.withLock { _ in
      try library.uploads.create(length: length, fileName: fileName) { promised in
        try library.quota.requireRoom(for: length, promised: promised)
      }
    }
  }

  /// Makes a record of a complete upload, with the job that prepares it. Asked again for the same
  /// upload, because the first answer was lost, it gives the same record: the upload's id is the id
  /// of its job.
  ///
  /// - Throws: `StorageError` when the upload is unknown, incomplete or empty.
  func add(
    _ type: RecordType, fromUpload id: String, title: String?
  ) throws -> AddedMedia {
    if let job = try library.jobs.job(id), job.isPreparing, let record = job.record,
      record.type == type
    {
      library.jobQueue.add(job)
      let isNew = [ImportJob.kind, ConversionJob.kind].contains(job.kind)
      return AddedMedia(id: record.id, job: job.id, wasKnown: false, isNew: isNew)
    }
    let fileName = try library.uploads.upload(id).fileName
    try library.uploads.prepareToTake(id)
    return try add(type, id: id, fileName: fileName, title: title) {
      try library.uploads.take(id)
    }
  }

  /// Makes a record of bytes.
  ///
  /// They are on the disk before the record speaks of them. Bytes that the library knows as this
  /// type give the record that has them, and prepare it again where what was made of them is damaged.
  /// - Parameters:
  ///   - id: the id that the job gets; nil: a new one.
  ///   - fileName: what the performer called it; shown, never used as a path.
  ///   - title: nil: the file's name without its ending.
  ///   - staged: gives the bytes, hashed and synced. It is called under the media lock, and takes no
  ///     longer for a large file than for a small one.
  func add(
    _ type: RecordType, id jobId: String? = nil, fileName: String, title: String?,
    staged: () throws -> StagedBlob
  ) throws -> AddedMedia {
    let found = try library.mediaLock.withLock { _ in
      let blob = try library.blobs.place(staged())
      return try addRecord(
        type, of: blob, id: jobId, fileName: fileName, title: title)
    }
    switch found {
    case .added(let added): return added
    case .ready(let medium):
      // All of a long track is read for this, so the lock is free meanwhile.
      let job =
        library.renewals.isWhole(medium, deep: true)
        ? nil : try renewUnlessDeleted(medium, job: jobId)
      return AddedMedia(id: medium.id, job: job, wasKnown: true, isNew: false)
    }
  }

  /// What the library does with bytes that it has by now.
  private enum Found {
    case added(AddedMedia)
    /// They are those of a record that is ready.
    case ready(Medium)
  }

  /// Makes the record of stored bytes, or finds the one that has them. The caller holds the lock.
  private func addRecord(
    _ type: RecordType, of blob: BlobReference, id jobId: String?, fileName: String, title: String?
  ) throws -> Found {
    let now = Library.now()
    let known = try library.records.media(sha256: blob.sha256).filter { $0.type == type }
    if let medium = known.first(where: { $0.deletedAt == nil && $0.state != .failed }) {
      if medium.state == .ready { return .ready(medium) }
      let job = try resumePreparation(of: medium)
      return .added(AddedMedia(id: medium.id, job: job, wasKnown: true, isNew: false))
    }
    let id =
      known.first { $0.deletedAt == nil }?.id ?? known.first?.id
      ?? Identifier.make(milliseconds: now)
    // What was ready once, and could still come back, keeps its record and its bytes, whatever
    // becomes of the job.
    let isRenewal = known.contains { $0.id == id && $0.wasReady && $0.keepsMedia(at: now) }
    let job = try MediaRecords.preparation(of: type, id, job: jobId, isRenewal: isRenewal)
    let edit = Library.Edit(
      type, id,
      [
        "title": .text(MediaRecords.shown(title ?? MediaRecords.title(of: fileName), limit: 200)),
        "fileName": .text(MediaRecords.shown(fileName, limit: 255)), "sha256": .text(blob.sha256),
        "size": .integer(blob.size), "state": MediaState.importing.value, "problem": nil,
        "deletedAt": nil,
      ])
    try library.commit([edit], adding: job)
    return .added(AddedMedia(id: id, job: job.id, wasKnown: false, isNew: !isRenewal))
  }

  /// Prepares a ready track or video again, unless it was deleted or somebody else began to since
  /// `medium` was read; returns the job at it.
  private func renewUnlessDeleted(_ medium: Medium, job: String?) throws -> String? {
    try library.mediaLock.withLock { _ in
      guard let current = try library.records.medium(medium.type, medium.id),
        current.deletedAt == nil
      else { return nil }
      return current.state == .ready
        ? try library.renewals.add(current, job: job) : try resumePreparation(of: current)
    }
  }

  /// Lets the job run that prepares a track or video, and returns its id.
  private func resumePreparation(of medium: Medium) throws -> String? {
    let job = try library.jobs.latest(on: medium.type, medium.id)
    if let job { library.jobQueue.add(job) }
    return job?.id
  }

  /// Makes the job that prepares a new track or video, or one again that was ready once. `job`: its id;
  /// nil: a new one.
  static func preparation(
    of type: RecordType, _ id: String, job: String? = nil, isRenewal: Bool
  ) throws -> JobRow {
    if type == .track {
      let parameters = TrackParameters(track: id)
      return isRenewal
        ? try RenewJob.row(id: job, parameters) : try ImportJob.row(id: job, parameters)
    }
    let parameters = VideoParameters(video: id)
    return isRenewal
      ? try ReconvertJob.row(id: job, parameters) : try ConversionJob.row(id: job, parameters)
  }

  /// Deletes a track or video at once, with its bytes. It owns none from now on, unlike what a change
  /// deletes: that can come back for a day. The job at it is cancelled.
  func remove(_ type: RecordType, _ id: String) throws {
    try library.mediaLock.withLock { _ in
      var fields: [String: Value] = [
        "state": MediaState.failed.value, Medium.lengthField(of: type): .null,
      ]
      if try library.records.record(type, id)?.deletedAt == nil {
        fields["deletedAt"] = .integer(Library.now())
      }
      try library.commit([Library.Edit(type, id, fields)])
      try unlink(type, id)
    }
    if let job = try library.jobs.latest(on: type, id), !job.state.isFinal {
      try library.jobQueue.cancel(job.id)
    }
  }

  /// Throws `MediaProblem.inUse` when one of `users` can still be seen or come into sight: neither
  /// it nor what holds it is deleted.
  func requireUnused(by users: [Record]) throws {
    if try users.contains(where: { try !library.records.isDeleted($0) }) {
      throw MediaProblem.inUse
    }
  }

  /// Runs `publish` unless the bytes of `medium` were removed for good meanwhile: what is made of
  /// them must not outlive them.
  func publish(_ medium: some MediaView, _ publish: () throws -> Void) throws {
    try library.mediaLock.withLock { _ in
      guard let sha256 = medium.sha256, library.blobs.contains(sha256) else {
        throw JobProblem("The \(medium.type.rawValue) is gone.")
      }
      try publish()
    }
  }

  /// Throws what keeps this server from telling whether the file of a record is a good one: programs
  /// that do not work, or an original that can't be read, or is not what it was.
  func requireSoundness(
    for type: RecordType, _ id: String, isCancelled: () -> Bool
  ) throws {
    try library.tools.requireWorking(isCancelled: isCancelled)
    // Deleted meanwhile, it needs no original any more.
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

  /// Whether a track or video was deleted at once, so that no job may call it ready any more. The
  /// caller holds the lock.
  func isRemoved(_ type: RecordType, _ id: String) throws -> Bool {
    try library.records.medium(type, id).map { !$0.ownsMedia && $0.deletedAt != nil } ?? true
  }

  /// Unlinks what a record that was deleted or failed left on the disk, unless another record has
  /// the same bytes, or had them and can still come back.
  func discard(_ type: RecordType, _ id: String) throws {
    try library.mediaLock.withLock { _ in try unlink(type, id) }
  }

  /// Does what `discard` does, for who holds the lock.
  private func unlink(_ type: RecordType, _ id: String) throws {
    guard let medium = try library.records.medium(type, id), !medium.needsMedia else { return }
    try library.folder.removeDerived(id)
    try library.quota.derivedSizes.refresh(id)
    defer { library.quota.updateHealth() }
    guard let sha256 = medium.sha256 else { return }
    let now = Library.now()
    let isOthers = try library.records.media(sha256: sha256).contains {
      ($0.type, $0.id) != (type, id) && $0.keepsMedia(at: now)
    }
    if !isOthers { try library.blobs.remove(sha256) }
  }

  /// The name of a file without its ending.
  static func title(of fileName: String) -> String {
    let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// `text` as one line of at most `limit` characters that is not empty.
  static func shown(_ text: String, limit: Int) -> String {
    var result = ""
    for character in text.withoutControls.prefix(limit) {
      if result.utf8.count + character.utf8.count > limit * 16 { break }
      result.append(character)
    }
    return result.allSatisfy(\.isWhitespace) ? "Untitled" : result
  }
}

/// Why a track or a video can't be deleted.
enum MediaProblem: Error {
  case unknown, inUse
}
