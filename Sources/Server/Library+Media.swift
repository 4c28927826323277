// What tracks and videos share: from bytes that came in to a record with a job, and away again.

import Database
import FoundationEssentials
import Model
import Storage

extension Library {
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

  /// Makes a record of a complete upload, with a job of the kind `kind`. Asked again for the same
  /// upload, because the first answer was lost, it gives the same record: the upload's id is the id
  /// of its job.
  ///
  /// - Throws: `StorageError` when the upload is unknown, incomplete or empty.
  func addMedia(
    _ type: RecordType, job kind: String, fromUpload id: String, title: String?
  ) throws -> AddedMedia {
    if let job = try jobs.job(id), [kind, Library.renewal(of: type)].contains(job.kind) {
      return AddedMedia(id: job.subject, job: job.id, wasKnown: false, isNew: job.kind == kind)
    }
    let fileName = try uploads.upload(id).fileName
    try uploads.prepareToTake(id)
    return try addMedia(type, job: kind, id: id, fileName: fileName, title: title) {
      try uploads.take(id)
    }
  }

  /// Makes a record of bytes.
  ///
  /// They are on the disk before the record speaks of them. Bytes that the library knows as this
  /// type give the record that has them, and prepare it again where what was made of them is damaged.
  /// - Parameters:
  ///   - kind: what the job that is queued does with them.
  ///   - id: the id that the job gets; nil: a new one.
  ///   - fileName: what the performer called it; shown, never used as a path.
  ///   - title: nil: the file's name without its ending.
  ///   - staged: gives the bytes, hashed and synced. It is called under the media lock, and takes no
  ///     longer for a large file than for a small one.
  func addMedia(
    _ type: RecordType, job kind: String, id jobId: String? = nil, fileName: String,
    title: String?, staged: () throws -> StagedBlob
  ) throws -> AddedMedia {
    let found = try mediaLock.withLock { _ in
      let blob = try blobs.place(staged())
      return try addRecord(
        type, of: blob, job: kind, id: jobId, fileName: fileName, title: title)
    }
    switch found {
    case .added(let added): return added
    case .ready(let record):
      // All of a long track is read for this, so the lock is free meanwhile.
      let job = isWhole(record, deep: true) ? nil : try renewUnlessDeleted(record, job: jobId)
      return AddedMedia(id: record.id, job: job, wasKnown: true, isNew: false)
    }
  }

  /// What the library does with bytes that it has by now.
  private enum Found {
    case added(AddedMedia)
    /// They are those of a record that is ready.
    case ready(Record)
  }

  /// Makes the record of stored bytes, or finds the one that has them. The caller holds the lock.
  private func addRecord(
    _ type: RecordType, of blob: BlobReference, job kind: String, id jobId: String?,
    fileName: String, title: String?
  ) throws -> Found {
    let now = Library.now()
    let known = try records.media(sha256: blob.sha256).filter { $0.type == type }
    if let record = known.first(where: { $0.deletedAt == nil && $0["state"] != "failed" }) {
      if record["state"] == "ready" { return .ready(record) }
      let job = try jobs.latest(for: record.id)?.id
      return .added(AddedMedia(id: record.id, job: job, wasKnown: true, isNew: false))
    }
    let id =
      known.first { $0.deletedAt == nil }?.id ?? known.first?.id
      ?? Identifier.make(milliseconds: now)
    // What was ready once, and could still come back, keeps its record and its bytes, whatever
    // becomes of the job.
    let isRenewal = known.contains { $0.id == id && $0.wasReady && $0.keepsMedia(at: now) }
    let job = JobRow(
      id: jobId ?? Identifier.make(milliseconds: now),
      kind: isRenewal ? Library.renewal(of: type) : kind, subject: id)
    let edit = Edit(
      type, id,
      [
        "title": .text(Library.shown(title ?? Library.title(of: fileName), limit: 200)),
        "fileName": .text(Library.shown(fileName, limit: 255)), "sha256": .text(blob.sha256),
        "size": .integer(blob.size), "state": "importing", "problem": nil, "deletedAt": nil,
      ])
    try commit([edit]) { writer throws(DatabaseError) in try writer.add(job, now: now) }
    return .added(AddedMedia(id: id, job: job.id, wasKnown: false, isNew: !isRenewal))
  }

  /// Prepares a ready track or video again, unless it was deleted or somebody else began to since
  /// `record` was read; returns the job at it.
  private func renewUnlessDeleted(_ record: Record, job: String?) throws -> String? {
    try mediaLock.withLock { _ in
      guard let current = try records.record(record.type, record.id), current.deletedAt == nil
      else { return nil }
      return current["state"] == "ready"
        ? try renew(current, job: job) : try jobs.latest(for: record.id)?.id
    }
  }

  /// The kinds of jobs that make a track or video ready.
  static let preparingKinds: Set = [importKind, renewKind, conversionKind, reconvertKind]

  /// The kind of job that prepares again what was ready once.
  static func renewal(of type: RecordType) -> String {
    type == .track ? renewKind : reconvertKind
  }

  /// Deletes a track or video at once, with its bytes. It owns none from now on, unlike what a change
  /// deletes: that can come back for a day.
  ///
  /// - Returns: the job that prepares it, which is to be cancelled.
  func removeMedia(_ type: RecordType, _ id: String) throws -> String? {
    try mediaLock.withLock { _ in
      var fields: [String: Value] = ["state": "failed"]
      fields[type == .track ? "lengthFrames" : "length"] = .null
      if try records.record(type, id)?.deletedAt == nil {
        fields["deletedAt"] = .integer(Library.now())
      }
      try commit([Edit(type, id, fields)])
      try unlinkMedia(type, id)
    }
    return try jobs.latest(for: id).flatMap { $0.state.isFinal ? nil : $0.id }
  }

  /// Runs `publish` unless the bytes of `record` were removed for good meanwhile: what is made of
  /// them must not outlive them.
  func publish(_ record: Record, _ publish: () throws -> Void) throws {
    try mediaLock.withLock { _ in
      guard let sha256 = record["sha256"].text, blobs.contains(sha256) else {
        throw JobProblem("The \(record.type.rawValue) is gone.")
      }
      try publish()
    }
  }

  /// Whether a track or video was deleted at once, so that no job may call it ready any more. The
  /// caller holds the lock.
  func isRemoved(_ type: RecordType, _ id: String) throws -> Bool {
    try records.record(type, id).map { !$0.ownsMedia && $0.deletedAt != nil } ?? true
  }

  /// Unlinks what a record that was deleted or failed left on the disk, unless another record has
  /// the same bytes, or had them and can still come back.
  func discardMedia(_ type: RecordType, _ id: String) throws {
    try mediaLock.withLock { _ in try unlinkMedia(type, id) }
  }

  /// Does what `discardMedia` does, for who holds the lock.
  private func unlinkMedia(_ type: RecordType, _ id: String) throws {
    guard let record = try records.record(type, id), !record.needsMedia else { return }
    try folder.removeDerived(id)
    try derivedSizes.lookAgain(id)
    defer { noteRoom() }
    guard let sha256 = record["sha256"].text else { return }
    let now = Library.now()
    let isOthers = try records.media(sha256: sha256).contains {
      ($0.type, $0.id) != (type, id) && $0.keepsMedia(at: now)
    }
    if !isOthers { try blobs.remove(sha256) }
  }

  /// The name of a file without its ending.
  static func title(of fileName: String) -> String {
    let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// `text` as one line of at most `limit` characters that is not empty.
  static func shown(_ text: String, limit: Int) -> String {
    let line = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 32 || (127...159).contains($0.value) ? " " : $0 }))
    var result = ""
    for character in line.prefix(limit) {
      if result.utf8.count + character.utf8.count > limit * 16 { break }
      result.append(character)
    }
    return result.allSatisfy(\.isWhitespace) ? "Untitled" : result
  }
}

extension Record {
  /// How long what a change deleted keeps its bytes, so that it can be undone, in milliseconds.
  private static let graceMilliseconds = 86_400_000

  /// Whether the bytes of this track or video belong on the disk.
  var needsMedia: Bool { deletedAt == nil && ownsMedia }

  /// Whether its bytes stay on the disk at `now`, in milliseconds since 1970: it needs them, or was
  /// deleted less than a day ago.
  func keepsMedia(at now: Int) -> Bool {
    ownsMedia && (deletionTime(now: now) ?? now) > now - Record.graceMilliseconds
  }

  /// Whether its bytes belong on the disk as long as it can come back: what could not be taken in
  /// leaves nothing. What was ready once and could not be prepared again keeps its only original.
  var ownsMedia: Bool { self["state"] != "failed" || wasReady }

  /// Whether it is ready, or was before it was to be prepared again.
  var wasReady: Bool {
    self["state"] == "ready" || self["lengthFrames"].integer != nil
      || self["length"].integer != nil
  }
}
