// `segmance check`: finds problems in a library without changing it.

import Database
import FoundationEssentials
import Media
import Model
import Storage

extension MediaView {
  /// The displayed name of a track, video or recording.
  fileprivate var name: String { title ?? id }
}

/// The findings of a check.
public struct LibraryFindings: Sendable, Encodable {
  /// The problems, one sentence each; empty if the library is sound.
  public var problems: [String] = []
  /// The sorted titles of tracks, videos and recordings of which nothing is prepared yet, for example after a
  /// restore. The next start of the server prepares them.
  public var unprepared: [String] = []
}

/// Checks a library without changing it, also while a server has it open.
public struct LibraryCheck: Sendable {
  private let folder: DataDirectory
  private var bucket: DerivedBucket?

  /// Prepares the check of the library in `root`.
  public init(root: String) {
    folder = DataDirectory(root: root)
  }

  /// Returns only the problems.
  public func problems(deep: Bool = false) throws -> [String] { try findings(deep: deep).problems }

  /// Returns the problems, and the titles that are still to be prepared.
  ///
  /// A deep check also reads every chunk, with the checksums of its frames, and the waveform's
  /// length. Only a deep check reads what a bucket holds; another one looks at the sizes.
  public func findings(deep: Bool = false) throws -> LibraryFindings {
    guard folder.hasLibrary else {
      return LibraryFindings(problems: ["There is no library in \(folder.root)."])
    }
    try RestoreTransaction(folder).requireNonePending()
    let database = try LibraryDatabase(reading: folder)
    let records = RecordStore(database: database)
    let blobs = try Library.storedBlobs(of: folder)
    var check = self
    check.bucket = try Library.storedDerived(of: folder)
    try check.bucket?.refresh()
    return try check.findings(database, records, blobs, deep: deep)
  }

  private func findings(
    _ database: LibraryDatabase, _ records: RecordStore, _ blobs: any BlobStore, deep: Bool
  ) throws -> LibraryFindings {
    var findings = LibraryFindings(
      problems: try database.integrityProblems() + records.problems()
        + LinkStore(database: database).problems() + records.people.problems()
        + CredentialStore(database: database).problems())
    findings.problems += try mediaProblems(records, blobs, deep: deep)
    findings.unprepared = try records.media().filter { isUnprepared($0, blobs) }.map(\.name)
      .sorted()
    return findings
  }

  /// Changes by a running server must not look like damage. So the stored files are listed before
  /// the records are read, and each problem is checked again.
  private func mediaProblems(
    _ records: RecordStore, _ blobs: any BlobStore, deep: Bool
  ) throws -> [String] {
    let sizes = try blobs.all()
    let stored = sizes.map(\.sha256)
    let derived = try Set(folder.derivedIds()).union(bucket?.ids ?? []).sorted()
    let media = try records.media()
    var problems: [String] = []
    for medium in media where try !self.problems(of: medium, blobs, deep: deep).isEmpty {
      guard let current = try records.medium(medium.type, medium.id) else { continue }
      problems += try self.problems(of: current, blobs, deep: deep)
    }
    func shown(_ sha256: String) -> String {
      let title = media.first { $0.sha256 == sha256 }?.title
      return title.map { "\(sha256) of “\($0)”" } ?? sha256
    }
    for (sha256, size) in sizes.map({ ($0.sha256, $0.size) }) {
      do {
        let isIntact =
          deep || blobs.isLocal
          ? try blobs.verify(sha256)
          : media.allSatisfy { $0.sha256 != sha256 || $0.size == nil || $0.size == size }
        guard !isIntact else { continue }
        problems.append("The blob \(shown(sha256)) is damaged: its bytes have another hash.")
      } catch let error as StorageError where error.code == .notFound {
        // A server removed it meanwhile.
      } catch let error as StorageError where error.code == .fileSystem {
        problems.append("The blob \(shown(sha256)) can't be read: \(error.reason)")
      }
    }
    let owners = try records.media().filter(\.ownsMedia)
    let known = Set(owners.compactMap(\.sha256))
    for sha256 in stored where !known.contains(sha256) && blobs.contains(sha256) {
      problems.append("The blob \(sha256) belongs to nothing (the server sweeps it at its start).")
    }
    let ids = Set(owners.map(\.id))
    for id in derived where !ids.contains(id) && hasFiles(id) {
      problems.append("The renditions in \(id) belong to nothing (the server sweeps them, too).")
    }
    return problems
  }

  /// Whether all derived files of a track, video or recording are missing while its bytes are there.
  private func isUnprepared(_ medium: Medium, _ blobs: any BlobStore) -> Bool {
    medium.needsMedia && medium.state == .ready
      && !hasFiles(medium.id)
      && medium.sha256.map(blobs.contains) == true
      // Of some videos nothing must be derived.
      && (medium.type != .video || !videoProblems(Video(medium.record), name: "").isEmpty)
  }

  /// Whether anything is made of a record.
  private func hasFiles(_ id: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.derived(id)) || bucket?.ids.contains(id) == true
  }

  private func has(_ id: String, _ name: String) -> Bool {
    bucket?.has(id, name)
      ?? FileManager.default.fileExists(atPath: folder.derived(id) + "/" + name)
  }

  /// The missing files of a track, video or recording, and the damage in its derived files.
  private func problems(
    of medium: Medium, _ blobs: any BlobStore, deep: Bool
  ) throws -> [String] {
    guard medium.needsMedia, let sha256 = medium.sha256 else { return [] }
    let name = medium.name
    var problems: [String] = []
    if !blobs.contains(sha256) {
      problems.append("The file of “\(name)” is missing: blob \(sha256).")
    }
    guard medium.state == .ready, !isUnprepared(medium, blobs) else { return problems }
    switch medium.type {
    case .recording: problems += recordingProblems(medium, name: name)
    case .video: problems += videoProblems(Video(medium.record), name: name)
    default: problems += try renditionProblems(Track(medium.record), name: name, deep: deep)
    }
    if deep, let bucket {
      problems += try bucket.damage(medium.id).map {
        "The file \($0) of “\(name)” is damaged in the bucket."
      }
    }
    return problems
  }

  private func recordingProblems(_ recording: Medium, name: String) -> [String] {
    has(recording.id, DataDirectory.voiceName)
      ? [] : ["The sound of the recording “\(name)” is missing."]
  }

  private func videoProblems(_ video: Video, name: String) -> [String] {
    var problems: [String] = []
    if video.plays == .conversion, !has(video.id, DataDirectory.videoName) {
      problems.append("What is played of the video “\(name)” is missing.")
    }
    if !has(video.id, DataDirectory.posterName) {
      problems.append("The poster of “\(name)” is missing.")
    }
    return problems
  }

  private func renditionProblems(_ track: Track, name: String, deep: Bool) throws -> [String] {
    let count = Timeline.chunkCount(lengthFrames: track.lengthFrames ?? 0)
    let missing = (0..<count).filter { !has(track.id, DataDirectory.chunkName($0)) }
    var problems: [String] = []
    if !missing.isEmpty {
      problems.append(
        "The practice rendition of “\(name)” lacks \(missing.count) of \(count) chunks.")
    }
    if !folder.hasPeaks(among: { has(track.id, $0) }) {
      problems.append("The waveform of “\(name)” is missing.")
    }
    if deep, problems.isEmpty, bucket == nil {
      let lengthFrames = track.lengthFrames ?? 0
      problems += folder.damage(track: track.id, lengthFrames: lengthFrames)
        .map { "The practice rendition of “\(name)” is damaged: \($0)" }
    }
    return problems
  }
}
