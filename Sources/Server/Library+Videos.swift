// Reference videos: from bytes that came in to what every browser plays, and away again.

import Database
import FoundationEssentials
import Media
import Model
import Storage

extension Library {
  static let conversionKind = "convert"

  /// Makes a video of a complete upload, as `addMedia` does.
  func addVideo(fromUpload id: String, title: String? = nil) throws -> AddedMedia {
    try addMedia(.video, job: Library.conversionKind, fromUpload: id, title: title)
  }

  /// The job that makes of a video's bytes what every browser plays.
  ///
  /// A video that can't be converted stays, with the reason: parts may point at it already.
  var conversionJob: JobKind {
    JobKind(
      perform: { [self] job, context in
        guard let video = try records.record(.video, job.subject), let sha256 = video["sha256"].text
        else { throw JobProblem("The video is gone.") }
        let converted = try VideoConverter(tools: tools, folder: folder).convert(
          blob: folder.blob(sha256), into: folder.derived(video.id),
          progress: { context.report($0) }, isCancelled: { context.isCancelled },
          publishing: { publish in
            try self.publish(video, publish)
          })
        return [Edit(.video, video.id, Library.fields(of: converted))]
      },
      abandon: { job, problem in
        var fields: [String: Value] = ["state": "failed"]
        fields["problem"] = .text(String((problem ?? "The conversion was cancelled.").prefix(1000)))
        if problem == nil { fields["deletedAt"] = .integer(Library.now()) }
        return [Edit(.video, job.subject, fields)]
      },
      afterwards: { [self] job, state in
        if state != .done { try discardMedia(.video, job.subject) }
      },
      // One conversion keeps all processors busy.
      atOnce: 1, subject: .video)
  }

  private static func fields(of video: ConvertedVideo) -> [String: Value] {
    [
      "state": "ready", "problem": nil, "length": .integer(video.lengthFrames),
      "width": .integer(video.width), "height": .integer(video.height),
      "framesPerSecond": .number((video.framesPerSecond * 1000).rounded() / 1000),
      "hasSound": .integer(video.hasSound ? 1 : 0),
      "plays": video.playsOriginal ? "original" : "conversion",
    ]
  }

  /// Returns the file of a ready video that is played: the original where every browser plays it,
  /// what was made of it otherwise. Its time 0 is the time 0 of the video.
  func playedFile(ofVideo video: Record) -> String? {
    guard let sha256 = video["sha256"].text, video["state"] == "ready" else { return nil }
    return video["plays"] == "conversion" ? folder.video(video.id) : folder.blob(sha256)
  }

  /// Deletes a video that no part uses, with its bytes, at once, and returns the job that still works
  /// on it.
  ///
  /// - Throws: `MediaProblem.inUse`, `MediaProblem.unknown`.
  func removeVideo(_ id: String) throws -> String? {
    guard try records.record(.video, id) != nil else { throw MediaProblem.unknown }
    try requireUnused(by: try records.records(.part, whose: "video", is: id))
    return try removeMedia(.video, id)
  }
}
