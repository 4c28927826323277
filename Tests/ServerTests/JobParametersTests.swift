// The parameters of jobs in their rows, and rows that earlier versions wrote.

import FoundationEssentials
import Media
import Storage
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct JobParametersTests {
  private let alignment = AlignmentParameters(
    video: "v", AlignedStretch(track: "t", start: 480, end: 96_000))

  @Test func `a row has its parameters as JSON`() throws {
    #expect(try ImportJob.row(TrackParameters(track: "t")).parameters == #"{"track":"t"}"#)
    #expect(try BackupJob.row(NoParameters()).parameters == "{}")
    #expect(
      try AlignmentJob.row(alignment).parameters
        == #"{"end":96000,"start":480,"track":"t","video":"v"}"#)
    #expect(AlignmentParameters(text: try alignment.text()) == alignment)
    #expect(NoParameters(text: "{}") == NoParameters())
  }

  @Test func `the parameters of earlier versions are read`() {
    #expect(AlignmentParameters(text: "v t 480 96000") == alignment)
    #expect(TrackParameters(text: "t") == TrackParameters(track: "t"))
    #expect(VideoParameters(text: "v") == VideoParameters(video: "v"))
    #expect(NoParameters(text: "") == NoParameters())
  }

  @Test(arguments: ["", "v t 480", "v t a b", "{", "{}", #"{"video":"v"}"#, "[]"])
  func `other parameters are an unknown job`(text: String) {
    #expect(AlignmentParameters(text: text) == nil)
    #expect(JobRow(id: "1", kind: AlignmentJob.kind, parameters: text).record == nil)
  }

  /// Adds an unfinished job in the form of the previous version.
  private func addLegacy(_ id: String, _ kind: String, _ words: String, to library: Library) throws
  {
    try library.database.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO job (id, kind, state, subject, createdAt) VALUES (?, ?, 'running', ?, ?)
        """, [.text(id), .text(kind), .text(words), .integer(Library.now())])
    }
  }

  @Test func `an unfinished import of an earlier version continues with its analysis`() throws {
    let studio = try TestStudio()
    let library = studio.library
    let song = WAV.impulses([1], frames: 48_000)
    let added = try library.tracks.add(fromUpload: studio.upload(song))
    let job = try #require(added.job)
    try library.database.write { connection throws(DatabaseError) in
      try connection.run("UPDATE job SET subject = ?", [.text(added.id)])
    }
    // The same upload, and the same bytes, still find their job.
    #expect(try library.tracks.add(fromUpload: job).id == added.id)
    #expect(try library.jobs.latest(on: .track, added.id)?.id == job)
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    #expect(try library.records.record(.track, added.id)?["state"] == "ready")
    let status = try #require(try studio.runner.status(job))
    #expect(status.state == .done && status.track == added.id && status.video == nil)
    #expect(library.folder.analysis(track: added.id) != nil)
  }

  @Test func `unfinished jobs of an earlier version fail with a message without their files`()
    throws
  {
    let studio = try TestStudio()
    try addLegacy("1", "analyse", "gone", to: studio.library)
    try addLegacy("2", "align", "video track 0 100", to: studio.library)
    try addLegacy("3", "align", "video", to: studio.library)
    try addLegacy("4", "restore", "", to: studio.library)
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    let messages = try ["1", "2", "3", "4"].map { try studio.library.jobs.job($0)?.message }
    #expect(
      messages == [
        "The track is gone.", "The video is gone.",
        "This version of Segmance does not know this work.",
        "The server stopped before the restore was done. Nothing was changed.",
      ])
    #expect(try studio.library.jobs.unfinished().isEmpty)
  }
}
