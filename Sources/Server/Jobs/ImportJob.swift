// The job that converts an uploaded track to its practice rendition.

import Database
import Media
import Model

/// Imports a new track. If the import fails, the track is deleted with its bytes.
struct ImportJob: JobDefinition {
  static let kind = "import"

  let library: Library

  var retries: Bool { true }

  func run(_ job: Job<TrackParameters>, _ context: JobContext) throws -> [Library.Edit] {
    try library.quota.requireRoom(for: 0)
    return try prepare(job, context)
  }

  /// Makes the practice rendition and returns the edit that makes the track ready.
  func prepare(_ job: Job<TrackParameters>, _ context: JobContext) throws -> [Library.Edit] {
    guard let track = try library.records.track(job.parameters.track),
      let sha256 = track.sha256
    else { throw LibraryError(.gone, "The track is gone.") }
    let folder = library.folder
    let importer = TrackImporter(tools: library.tools, folder: folder)
    let imported = try library.makingDerived(track.id) {
      try library.blobs.withLocal(sha256) { blob in
        try importer.importTrack(
          blob: blob, into: folder.derived(track.id),
          progress: { context.report($0) }, isCancelled: { context.shouldStop },
          publishing: { publish in try library.media.publish(track, publish) })
      }
    }
    return [
      Library.Edit(
        .track, track.id,
        [
          "state": MediaState.ready.value,
          Medium.lengthField(of: .track): .integer(imported.lengthFrames),
          "loudness": imported.loudness.map { .number(($0 * 100).rounded() / 100) } ?? .null,
          "problem": nil,
        ])
    ]
  }

  func onFailure(_ job: Job<TrackParameters>, problem: String?) -> [Library.Edit] {
    [
      Library.Edit(
        .track, job.parameters.track,
        [
          "state": MediaState.failed.value,
          "problem": problem.map { .text(String($0.prefix(1000))) } ?? .null,
          "deletedAt": .integer(Library.now()),
        ])
    ]
  }

  func cleanUp(_ job: Job<TrackParameters>, after end: JobRow.State) throws {
    if end != .done { try library.media.discard(.track, job.parameters.track) }
  }

  func followUp(_ job: Job<TrackParameters>) throws -> JobRow? {
    try AnalysisJob.row(job.parameters)
  }

  func diagnose(_ job: Job<TrackParameters>, _ context: JobContext) throws {
    try library.media.requireSoundness(
      for: .track, job.parameters.track, isCancelled: { context.shouldStop })
  }
}
