// Import of files with `segmance import`.

import FoundationEssentials
import Model
import Storage
import Testing

@testable import Server

@Suite struct LibraryImporterTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private func parts() throws -> [Record] {
    try studio.library.records.records(.part).sorted {
      Position.bytewise($0["position"].text ?? "", $1["position"].text ?? "")
    }
  }

  private var importer: LibraryImporter {
    LibraryImporter(library: studio.library)
  }

  @Test func `several files become a routine with one part per file in order`() throws {
    let files = try ["b", "a", "c"].enumerated().map { index, name in
      try studio.folder.write("\(name).wav", WAV.impulses([index], frames: 48_000 + index))
    }
    let outcome = try importer.importFiles(
      files, routine: "Swan", subtitle: "Lake", cuts: nil)
    #expect(outcome.parts == 3)
    #expect(try parts().map { $0["title"] } == ["b", "a", "c"])
    #expect(try parts().map { $0["endFrame"] } == [48_000, 48_001, 48_002])
    let routine = try #require(try studio.library.records.record(.routine, outcome.routine))
    #expect(routine["title"] == "Swan")
    #expect(routine["subtitle"] == "Lake")
    #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  @Test func `cuts divide one file into consecutive parts`() throws {
    let file = try studio.folder.write("song.wav", WAV.impulses([1], frames: 144_000))
    _ = try importer.importFiles(
      [file], routine: "Swan", subtitle: "", cuts: [48_000, 96_000])
    let borders = try parts().map { [$0["startFrame"].integer, $0["endFrame"].integer] }
    #expect(borders == [[0, 48_000], [48_000, 96_000], [96_000, 144_000]])
  }

  @Test func `a file with the bytes of an earlier one is skipped and named`() throws {
    let bytes = WAV.impulses([1], frames: 48_000)
    let first = try studio.folder.write("first.wav", bytes)
    let other = try studio.folder.write("other.wav", WAV.impulses([2], frames: 48_000))
    let copy = try studio.folder.write("copy.wav", bytes)
    let outcome = try importer.importFiles(
      [first, other, copy], routine: "Swan", subtitle: "", cuts: nil)
    #expect(outcome.skipped == [.init(file: copy, sameAs: first)])
    #expect(outcome.parts == 2 && outcome.tracks.count == 2)
    #expect(try parts().map { $0["title"] } == ["first", "other"])
    // A song of the library that an earlier import added is not skipped.
    let again = try importer.importFiles([copy], routine: "Lake", subtitle: "", cuts: nil)
    #expect(again.skipped.isEmpty && again.parts == 1)
  }

  @Test func `if one file can't be used nothing of the others stays`() throws {
    let good = try studio.folder.write("good.wav", WAV.impulses([1], frames: 48_000))
    let bad = try studio.folder.write("bad.wav", Array("no song".utf8))
    #expect(throws: LibraryError.self) {
      try importer.importFiles([good, bad], routine: "Swan", subtitle: "", cuts: nil)
    }
    #expect(throws: LibraryError.self) {
      try importer.importFiles([good], routine: "Swan", subtitle: "", cuts: [480_000])
    }
    #expect(throws: LibraryError.self) {
      try importer.importFiles([good], routine: "", subtitle: "", cuts: nil)
    }
    #expect(throws: StorageError.self) {
      try importer.importFiles([good, "/nowhere.wav"], routine: "Swan", subtitle: "", cuts: nil)
    }
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try studio.library.records.records(.routine).isEmpty)
  }

  @Test func `earlier records stay when an import gives up`() throws {
    let library = studio.library
    let file = try studio.folder.write("song.wav", WAV.impulses([1], frames: 48_000))
    let bad = try studio.folder.write("bad.wav", Array("no song".utf8))
    let first = try importer.importFiles([file], routine: "Swan", subtitle: "", cuts: nil)
    let track = first.tracks[0]
    // The states: ready; deleted, with a day to undo it; and failed to be prepared again.
    for edit: [String: Value] in [
      [:], ["deletedAt": .integer(Library.now())], ["state": "failed", "problem": "Try again."],
    ] {
      if !edit.isEmpty { try library.commit([.init(.track, track, edit)]) }
      try library.commit(
        parts().map { .init(.part, $0.id, ["deletedAt": .integer(Library.now())]) })
      #expect(throws: LibraryError.self) {
        try importer.importFiles([file, bad], routine: "Lake", subtitle: "", cuts: nil)
      }
      let record = try #require(try library.records.record(.track, track))
      #expect(record["state"] == "ready" && record.deletedAt == nil)
      #expect(try library.blobs.all().map(\.sha256) == [record["sha256"].text])
      #expect(library.folder.hasRendition(track: track, lengthFrames: 48_000))
    }
  }

  @Test func `an import that gives up removes what it can and reports the first reason`() throws {
    let library = studio.library
    let file = try studio.folder.write("song.wav", WAV.impulses([1], frames: 48_000))
    let other = try studio.folder.write("other.wav", WAV.impulses([2], frames: 48_000))
    let bad = try studio.folder.write("bad.wav", Array("no song".utf8))
    let first = try importer.importFiles([file], routine: "Swan", subtitle: "", cuts: nil)
    // Deleted long ago, but a part still uses it, so it cannot be removed at once.
    let longAgo = Library.now() - 2 * 86_400_000
    try library.commit([
      .init(
        .track, first.tracks[0],
        ["state": "failed", "lengthFrames": nil, "deletedAt": .integer(longAgo)])
    ])
    let error = #expect(throws: LibraryError.self) {
      try importer.importFiles([file, other, bad], routine: "Lake", subtitle: "", cuts: nil)
    }
    #expect(error?.description.contains("bad.wav") == true)
    let left = try library.records.present(.track)
    #expect(left.map(\.id) == first.tracks)
    #expect(try library.blobs.all().map(\.sha256) == left.map { $0["sha256"].text })
    #expect(studio.log.faults.count == 1)
  }

  @Test func `two processes can't open one library`() throws {
    #expect(throws: LibraryError.self) {
      try Library(root: studio.folder.path, tools: studio.library.tools)
    }
  }
}
