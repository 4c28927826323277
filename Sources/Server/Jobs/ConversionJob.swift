// The job that converts a video to a format that every browser plays.

import Database
import Media
import Model

/// Converts a new video. If the conversion fails, the video stays with the reason, because parts
/// may already refer to it.
struct ConversionJob: JobDefinition {
  static let kind = "convert"

  let library: Library

  var retries: Bool { true }
  /// One conversion keeps all processors busy.
  var limit: Int { 1 }

  func run(_ job: Job<VideoParameters>, _ context: JobContext) throws -> [Library.Edit] {
    try library.quota.requireRoom(for: 0)
    return try prepare(job, context)
  }

  /// Converts the video and returns the edit that makes it ready.
  func prepare(_ job: Job<VideoParameters>, _ context: JobContext) throws -> [Library.Edit] {
    guard let video = try library.records.video(job.parameters.video),
      let sha256 = video.sha256
    else { throw LibraryError(.gone, "The video is gone.") }
    let folder = library.folder
    let converted = try library.makingDerived(video.id) {
      try library.blobs.withLocal(sha256) { blob in
        try VideoConverter(tools: library.tools, folder: folder).convert(
          blob: blob, into: folder.derived(video.id),
          progress: { context.report($0) }, isCancelled: { context.shouldStop },
          publishing: { publish in try library.media.publish(video, publish) })
      }
    }
    return [Library.Edit(.video, video.id, Self.fields(of: converted))]
  }

  private static func fields(of video: ConvertedVideo) -> [String: Value] {
    [
      "state": MediaState.ready.value, "problem": nil,
      Medium.lengthField(of: .video): .integer(video.lengthFrames),
      "width": .integer(video.width), "height": .integer(video.height),
      "framesPerSecond": .number((video.framesPerSecond * 1000).rounded() / 1000),
      "hasSound": .integer(video.hasSound ? 1 : 0),
      "plays": (video.playsOriginal ? PlayedFile.original : .conversion).value,
    ]
  }

  func onFailure(_ job: Job<VideoParameters>, problem: String?) -> [Library.Edit] {
    var fields: [String: Value] = ["state": MediaState.failed.value]
    fields["problem"] = .text(String((problem ?? "The conversion was cancelled.").prefix(1000)))
    if problem == nil { fields["deletedAt"] = .integer(Library.now()) }
    return [Library.Edit(.video, job.parameters.video, fields)]
  }

  func cleanUp(_ job: Job<VideoParameters>, after end: JobRow.State) throws {
    if end != .done { try library.media.discard(.video, job.parameters.video) }
  }

  func diagnose(_ job: Job<VideoParameters>, _ context: JobContext) throws {
    try library.media.requireSoundness(
      for: .video, job.parameters.video, isCancelled: { context.shouldStop })
  }
}
