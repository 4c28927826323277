// The job that makes a voice file of a recorded name.

import Database
import Media
import Model

/// Trims and levels a new recording. If that fails, the recording is deleted with its bytes.
struct RecordingJob: JobDefinition {
  static let kind = "record"

  let library: Library

  var retries: Bool { true }

  func run(_ job: Job<RecordingParameters>, _ context: JobContext) throws -> [Library.Edit] {
    try library.quota.requireRoom(for: 0)
    return try prepare(job, context)
  }

  /// Makes the voice file and returns the edit that makes the recording ready.
  func prepare(
    _ job: Job<RecordingParameters>, _ context: JobContext
  ) throws -> [Library.Edit] {
    guard let recording = try library.records.recording(job.parameters.recording),
      let sha256 = recording.sha256
    else { throw LibraryError(.gone, "The recording is gone.") }
    let folder = library.folder
    let lengthFrames = try library.makingDerived(recording.id) {
      try library.blobs.withLocal(sha256) { blob in
        try NameImporter(tools: library.tools, folder: folder).makeVoice(
          blob: blob, into: folder.derived(recording.id),
          isCancelled: { context.shouldStop },
          publishing: { publish in try library.media.publish(recording, publish) })
      }
    }
    return [
      Library.Edit(
        .recording, recording.id,
        [
          "state": MediaState.ready.value,
          Medium.lengthField(of: .recording): .integer(lengthFrames), "problem": nil,
        ])
    ]
  }

  func onFailure(_ job: Job<RecordingParameters>, problem: String?) -> [Library.Edit] {
    [
      Library.Edit(
        .recording, job.parameters.recording,
        [
          "state": MediaState.failed.value,
          "problem": problem.map { .text(String($0.prefix(1000))) } ?? .null,
          "deletedAt": .integer(Library.now()),
        ])
    ]
  }

  func cleanUp(_ job: Job<RecordingParameters>, after end: JobRow.State) throws {
    if end != .done { try library.media.discard(.recording, job.parameters.recording) }
  }

  func diagnose(_ job: Job<RecordingParameters>, _ context: JobContext) throws {
    try library.media.requireSoundness(
      for: .recording, job.parameters.recording, isCancelled: { context.shouldStop })
  }
}
