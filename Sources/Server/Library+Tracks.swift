// Tracks: from bytes that came in to a practice rendition, and away again.

import Database
import FoundationEssentials
import Media
import Model

extension Library {
  /// What became of bytes that were offered as a track.
  public struct AddedTrack: Sendable {
    /// The track's id.
    public var id: String
    /// The job that imports it; nil when it is ready already.
    public var job: String?
    /// Whether these very bytes were in the library before.
    public var wasKnown: Bool
  }

  /// Makes a track of a complete upload. Asked again for the same upload, because the first answer
  /// was lost, it gives the same track: the upload's id is the id of its job.
  ///
  /// - Throws: `MediaError` when the upload is unknown, incomplete or empty.
  func addTrack(fromUpload id: String, title: String? = nil) throws -> AddedTrack {
    if let job = try jobs.job(id) {
      return AddedTrack(id: job.subject, job: job.id, wasKnown: false)
    }
    let fileName = try uploads.upload(id).fileName
    return try addTrack(fileName: fileName, title: title, job: id) {
      let taken = try uploads.take(id)
      do {
        return try blobs.add(fileAt: taken.path, sha256: taken.sha256)
      } catch {
        try FileManager.default.removeItem(atPath: taken.path)
        throw error
      }
    }
  }

  /// Makes a track of the bytes that `store` puts into the blob store.
  ///
  /// The bytes are on the disk before the record speaks of them. Bytes that the library knows give
  /// the track that has them.
  /// - Parameters:
  ///   - fileName: what the performer called it; shown, never used as a path.
  ///   - title: nil: the file's name without its ending.
  ///   - job: the id that the import gets; nil: a new one.
  func addTrack(
    fileName: String, title: String? = nil, job: String? = nil, store: () throws -> BlobReference
  ) throws -> AddedTrack {
    try mediaLock.withLock { _ in
      let blob = try store()
      let now = Library.now()
      let known = try records.media(sha256: blob.sha256).filter { $0.type == .track }
      if let track = known.first(where: { $0.deletedAt == nil && $0["state"] != "failed" }) {
        let isReady = track["state"] == "ready"
        return AddedTrack(
          id: track.id, job: isReady ? nil : try jobs.latest(for: track.id)?.id, wasKnown: true)
      }
      let id = known.first?.id ?? Identifier.make(milliseconds: now)
      let job = JobRow(
        id: job ?? Identifier.make(milliseconds: now), kind: Library.importKind, subject: id)
      let shownName = Library.shown(fileName, limit: 255)
      let edit = Edit(
        .track, id,
        [
          "title": .text(Library.shown(title ?? Library.title(of: fileName), limit: 200)),
          "fileName": .text(shownName), "sha256": .text(blob.sha256), "size": .integer(blob.size),
          "state": "importing", "problem": nil, "deletedAt": nil,
        ])
      try commit([edit]) { writer throws(DatabaseError) in try writer.add(job, now: now) }
      return AddedTrack(id: id, job: job.id, wasKnown: false)
    }
  }

  static let importKind = "import"

  /// The job that turns a track's bytes into its practice rendition.
  var importJob: JobKind {
    JobKind(
      perform: { [self] job, context in
        guard let track = try records.record(.track, job.subject), let sha256 = track["sha256"].text
        else { throw JobProblem("The track is gone.") }
        let importer = TrackImporter(tools: tools, folder: folder)
        let imported = try importer.importTrack(
          blob: folder.blob(sha256), into: folder.derived(track.id),
          progress: { context.report($0) }, isCancelled: { context.isCancelled })
        return [
          Edit(
            .track, track.id,
            [
              "state": "ready", "lengthFrames": .integer(imported.lengthFrames),
              "loudness": imported.loudness.map { .number(($0 * 100).rounded() / 100) } ?? .null,
              "problem": nil,
            ])
        ]
      },
      abandon: { job, problem in
        [
          Edit(
            .track, job.subject,
            [
              "state": "failed", "problem": problem.map { .text(String($0.prefix(1000))) } ?? .null,
              "deletedAt": .integer(Library.now()),
            ])
        ]
      },
      afterwards: { [self] job, state in
        if state != .done { try discardMedia(ofTrack: job.subject) }
      },
      next: { Library.newAnalysis(ofTrack: $0.subject) })
  }

  /// Deletes a track that nothing stands on, with its bytes, at once.
  ///
  /// - Throws: `TrackProblem.inUse`, `TrackProblem.unknown`.
  func removeTrack(_ id: String) throws {
    guard let track = try records.record(.track, id) else { throw TrackProblem.unknown }
    guard try records.users(ofTrack: id).isEmpty else { throw TrackProblem.inUse }
    if track.deletedAt == nil {
      try commit([Edit(.track, id, ["deletedAt": .integer(Library.now())])])
    }
    try discardMedia(ofTrack: id)
  }

  /// Unlinks what a deleted track left on the disk, unless another record has the same bytes.
  private func discardMedia(ofTrack id: String) throws {
    try mediaLock.withLock { _ in
      guard let track = try records.record(.track, id), track.deletedAt != nil else { return }
      try folder.removeDerived(id)
      guard let sha256 = track["sha256"].text else { return }
      let others = try records.media(sha256: sha256).filter { $0.deletedAt == nil }
      if others.isEmpty { try blobs.remove(sha256) }
    }
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

/// Why a track can't be deleted.
enum TrackProblem: Error {
  case unknown, inUse
}
