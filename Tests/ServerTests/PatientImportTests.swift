// Server faults: an import waits until the fault ends, and keeps the only original.

import FoundationEssentials
import Storage
import TestSupport
import Testing

@testable import Media
@testable import Server

@Suite struct PatientImportTests {
  private static let song = WAV.impulses([1], frames: 48_000)

  /// Adds the song, calls `spoil` on it, and expects its import to wait.
  private func expectPatience(
    _ studio: TestStudio, _ message: String, spoil: (_ blob: String) throws -> Void
  ) throws -> AddedMedia {
    let added = try studio.library.tracks.add(fromUpload: studio.upload(Self.song))
    let job = try #require(added.job)
    let blob = try #require(try studio.library.blobs.all().first)
    try spoil(studio.library.folder.blob(blob.sha256))
    try studio.runner.enqueue(id: job)
    studio.runner.waitUntilIdle()
    let status = try #require(try studio.runner.status(job))
    #expect(status.state == .queued)
    #expect(status.message?.contains(message) == true, "\(status.message ?? "")")
    #expect(status.message?.hasSuffix("It is tried again.") == true)
    let record = try #require(try studio.library.records.record(.track, added.id))
    #expect(record["state"] == "importing" && record.deletedAt == nil)
    #expect(studio.library.blobs.contains(blob.sha256))
    return added
  }

  private func expectGoesOn(_ studio: TestStudio, _ added: AddedMedia) throws {
    try studio.runner.enqueue(id: try #require(added.job))
    studio.runner.waitUntilIdle()
    #expect(try studio.library.records.record(.track, added.id)?["state"] == "ready")
  }

  @Test(
    arguments: [
      ("setpriv", nil, "setpriv is missing"), ("bwrap", nil, "did not run"),
      ("bwrap", "#!/bin/sh\nexit 1", "sandbox"), ("ffmpeg", nil, "did not run"),
      ("ffmpeg", "#!/bin/sh\nexit 1", "ffmpeg does not work"),
    ] as [(String, String?, String)])
  func `an import whose programs do not run waits for them`(
    program: String, instead: String?, message: String
  ) throws {
    let programs = try TemporaryFolder()
    let path = programs.path + "/" + program
    func link() throws {
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "/usr/bin/" + program)
    }
    try link()
    // The sandbox contains only the system's programs.
    let studio = try TestStudio(
      tools: MediaTools.locate(
        sandbox: program == "ffmpeg" ? .none : .required, in: [programs.path, "/usr/bin"]))
    let added = try expectPatience(studio, message) { _ in
      try FileManager.default.removeItem(atPath: path)
      guard let instead else { return }
      try Data(instead.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    if instead != nil { try FileManager.default.removeItem(atPath: path) }
    try link()
    try expectGoesOn(studio, added)
  }

  @Test func `an import whose original can't be read waits for it`() throws {
    let studio = try TestStudio()
    var kept = ""
    let added = try expectPatience(studio, "The disk refused") { blob in
      kept = blob
      try FileManager.default.moveItem(atPath: blob, toPath: blob + "-away")
      // The blob is replaced by a file that opens but fails to read with an I/O error.
      try FileManager.default.createSymbolicLink(
        atPath: blob, withDestinationPath: "/proc/self/mem")
    }
    try FileManager.default.removeItem(atPath: kept)
    try FileManager.default.moveItem(atPath: kept + "-away", toPath: kept)
    try expectGoesOn(studio, added)
  }

  @Test func `an import of a damaged original waits until the same file is added again`() throws {
    let studio = try TestStudio()
    let added = try expectPatience(studio, "damaged on the server's disk") { blob in
      try Data("Dear Sir, ".utf8).write(to: URL(filePath: blob))
    }
    let again = try studio.importTrack(Self.song)
    #expect(again.id == added.id)
    #expect(try studio.library.records.record(.track, added.id)?["state"] == "ready")
  }
}
