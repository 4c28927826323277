// Clip exports: ordered, made by a job, kept for a day.

import Counts
import Database
import FoundationEssentials
import Media
import Model
import Storage

/// Stores the zips of clip exports.
struct Exports: Sendable {
  private let library: Library
  private let store: ExportStore
  /// nil if the zips are in the folder alone.
  private let bucket: ExportBucket?

  init(library: Library) {
    self.library = library
    store = ExportStore(folder: library.folder)
    bucket = (library.blobs as? BucketBlobStore).map(ExportBucket.init)
  }

  /// The time for which a finished zip is kept, in milliseconds.
  private static let keptMilliseconds = Library.day

  /// Queues the export of an order and returns the job's id.
  ///
  /// - Throws: `LibraryError` if a clip is invalid; `StorageError` if the disk is too full.
  func add(_ order: ExportOrder) throws -> String {
    let style = try order.style()
    try library.quota.requireDisk(for: ClipArchive.bytes(for: try clips(of: order), style.format))
    try expireHere()
    let id = Identifier.make(milliseconds: Library.now())
    try library.add(ExportJob.row(id: id, order))
    return id
  }

  /// Returns a job's finished zip and its file name; nil if it does not exist or has expired. One that another
  /// server has made is fetched.
  func finished(ofJob job: JobRow) throws -> (path: String, name: String)? {
    guard let order = ExportOrder(text: job.parameters), try !isExpired(job.id) else { return nil }
    if store.archive(job: job.id) == nil, let bucket,
      let path = try library.askingBucket({ try bucket.fetch(job: job.id) })
    {
      try store.finish(job: job.id, movingFrom: path)
    }
    guard let path = store.archive(job: job.id) else { return nil }
    let tracks = Set(order.clips.map(\.track))
    guard tracks.count == 1, let track = tracks.first,
      let title = try library.records.track(track)?.title
    else { return (path, "Clips.zip") }
    return (path, "\(FileName.safe(title, fallback: "Track")) clips.zip")
  }

  /// Removes zips that are a day old, and those of failed or deleted jobs.
  func expire() throws {
    try expireHere()
    guard let bucket else { return }
    for id in try bucket.jobs() where try !isKept(id) { try bucket.remove(job: id) }
  }

  private func expireHere() throws {
    for id in try store.jobs() where try !isKept(id) { try store.remove(job: id) }
  }

  /// Whether the zip of a job is kept, or is being made.
  private func isKept(_ id: String) throws -> Bool {
    guard let job = try library.jobs.job(id) else { return false }
    if !job.state.isFinal { return true }
    return try job.state == .done && !isExpired(id)
  }

  private func isExpired(_ id: String) throws -> Bool {
    guard let endedAt = try library.jobs.endedAt(id) else { return false }
    return endedAt < Library.now() - Exports.keptMilliseconds
  }

  /// The clips of an order, with their stored files. Throws a `LibraryError` that names the invalid
  /// clip, also if its track was deleted after the order was added.
  func clips(of order: ExportOrder) throws -> [NamedClip] {
    var tracks: [String: (title: String, lengthFrames: Int)] = [:]
    return try order.clips.enumerated().map { index, clip in
      let track = try tracks[clip.track] ?? exportableTrack(clip.track, number: index + 1)
      tracks[clip.track] = track
      guard clip.start >= 0, clip.start < clip.end, clip.end <= track.lengthFrames else {
        throw LibraryError(
          .unusable,
          "Clip \(index + 1): start and end must be frames with 0 ≤ start < end ≤ "
            + "\(track.lengthFrames).")
      }
      let title = MediaRecords.shown(clip.title ?? "Clip \(index + 1)", limit: 200)
      return NamedClip(
        ClipSource(
          derivedDirectory: library.folder.derived(clip.track), lengthFrames: track.lengthFrames,
          range: clip.start..<clip.end,
          tags: ClipTags(
            title: title, album: track.title, number: index + 1, count: order.clips.count)),
        title: title)
    }
  }

  /// Stores the zip of a job, moved from `path`.
  func finish(job: String, movingFrom path: String) throws {
    try bucket?.send(job: job, fileAt: path)
    try store.finish(job: job, movingFrom: path)
  }

  /// Removes a job's files. What the bucket has goes with the next sweep.
  func remove(job: String) throws { try store.remove(job: job) }

  private func exportableTrack(
    _ id: String, number: Int
  ) throws -> (title: String, lengthFrames: Int) {
    guard Identifier.isValid(id), let track = try library.records.track(id),
      track.deletedAt == nil
    else { throw LibraryError(.unusable, "Clip \(number): its track is not in the library.") }
    guard track.state == .ready, let lengthFrames = track.lengthFrames else {
      throw LibraryError(.conflict, "Clip \(number): its track is still being imported.")
    }
    return (track.title ?? "Track", lengthFrames)
  }

  /// The positions of the clips, if all are on one track: as labels, and as a `.cue` file for the
  /// original; and the track's counts as labels, if it has some.
  func notes(of order: ExportOrder, _ clips: [NamedClip]) throws -> [ZipArchive.Entry] {
    guard let id = order.clips.first?.track, order.clips.allSatisfy({ $0.track == id }) else {
      return []
    }
    let labels = clips.map { clip in
      Label(
        startFrame: clip.source.range.lowerBound, endFrame: clip.source.range.upperBound,
        text: clip.title)
    }
    var notes = [ZipArchive.Entry(name: "labels.txt", .bytes(Array(LabelFile.text(labels).utf8)))]
    guard let track = try library.records.track(id) else { return notes }
    let corrections = try library.records.gridCorrections(ofTrack: id)
    let derived = DerivedReader(folder: library.folder, bucket: library.derived)
    if let grid = Grid(track, corrections, in: derived) {
      notes.append(
        ZipArchive.Entry(name: "counts.txt", .bytes(Array(LabelFile.text(grid.labels).utf8))))
    }
    if let fileName = track.fileName,
      let cue = CueFile(
        fileName: fileName, title: track.title ?? fileName,
        tracks: labels.map { CueFile.Track(title: $0.text, startFrame: $0.startFrame) })
    {
      notes.append(ZipArchive.Entry(name: "clips.cue", .bytes(Array(cue.text.utf8))))
    }
    return notes
  }
}
