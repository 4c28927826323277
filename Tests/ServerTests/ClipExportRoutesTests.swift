// Clips as a zip: ordered, made, downloaded, and removed after a day.

import Analysis
import Counts
import FoundationEssentials
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct ClipExportRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private struct Added: Decodable { var job: String }

  private func track(_ impulse: Int, name: String = "Swan Lake.wav") throws -> String {
    try studio.importTrack(WAV.impulses([impulse], frames: 96_000), name: name).id
  }

  private func order(_ clips: String, _ more: String = "\"format\":\"wav\"") -> TestStudio.Answer {
    studio.post("/api/exports", "{\"clips\":[\(clips)],\(more)}")
  }

  private func clip(_ track: String, _ range: Range<Int>, _ title: String) -> String {
    """
    {"track":"\(track)","start":\(range.lowerBound),"end":\(range.upperBound),"title":"\(title)"}
    """
  }

  private func job(_ answer: TestStudio.Answer) throws -> String {
    #expect(answer.status == 202, "\(answer.text)")
    return try answer.json(Added.self).job
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  @Test func `the zip contains exactly the clips in order with labels and a cue file`() throws {
    let id = try track(1_000)
    let answer = order(
      [clip(id, 500..<2_500, "Été/سماء"), clip(id, 0..<1_001, "CON"), clip(id, 640..<700, "")]
        .joined(separator: ","))
    let job = try job(answer)
    studio.runner.waitUntilIdle()
    let file = studio.send(.get, "/api/exports/\(job)")
    #expect(file.status == 200, "\(file.text)")
    #expect(file.headers["Content-Type"] == "application/zip")
    #expect(
      file.headers["Content-Disposition"]?.contains("filename=\"Swan Lake clips.zip\"") == true)
    let zip = try #require(ZipReader(file.body))
    #expect(
      zip.members.map(\.name) == [
        "01 Été-سماء.wav", "02 _CON.wav", "03 Untitled.wav", "labels.txt", "clips.cue",
      ])
    let sounds = zip.members.prefix(3).map { WAV.samples($0.bytes) }
    #expect(sounds.map(\.count) == [4_000, 2_002, 120])
    #expect(sounds[0].firstIndex { $0 != 0 } == 1_000)
    #expect(sounds[1].firstIndex { $0 != 0 } == 2_000)
    #expect(
      String(decoding: zip.members[3].bytes, as: UTF8.self)
        == "0.010417\t0.052083\tÉté/سماء\n0.000000\t0.020854\tCON\n0.013333\t0.014583\tUntitled\n")
    let cue = String(decoding: zip.members[4].bytes, as: UTF8.self)
    #expect(cue.contains("FILE \"Swan Lake.wav\" WAVE"))
    #expect(cue.contains("INDEX 01 00:00:01"))
    #expect(try names(in: studio.library.folder.tmp).isEmpty)
  }

  @Test func `the zip has the counts of a track that has some`() throws {
    let id = try track(1_000)
    let beats = BeatAnalysis(
      tempo: 120, metre: 4, confidence: 0.9, frames: [0, 24_000, 48_000, 72_000],
      places: [1, 2, 3, 4], eights: [0])
    try studio.library.folder.store(
      TrackAnalysis(attacks: [], changes: [], beats: beats), track: id)
    let job = try job(order(clip(id, 0..<48_000, "A")))
    studio.runner.waitUntilIdle()
    let zip = try #require(ZipReader(studio.send(.get, "/api/exports/\(job)").body))
    let file = try #require(zip.members.first { $0.name == "counts.txt" })
    let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.prefix(2) == ["0.000000\t0.000000\t1 · eight 1", "0.500000\t0.500000\t2"])
    #expect(lines.count == 4)
  }

  @Test func `clips of several tracks are exported to one zip in every format with fades`() throws {
    let (first, second) = (try track(1_000), try track(2_000, name: "Duck.wav"))
    let clips = [clip(first, 0..<48_000, "A"), clip(second, 0..<48_000, "B")]
    var jobs: [String] = []
    for format in ["flac", "mp3", "m4a", "opus", "wav"] {
      jobs.append(
        try job(
          order(
            clips.joined(separator: ","),
            "\"format\":\"\(format)\",\"fadeIn\":4000,\"fadeOut\":99000")))
    }
    studio.runner.waitUntilIdle()
    for (job, format) in zip(jobs, ["flac", "mp3", "m4a", "opus", "wav"]) {
      let file = studio.send(.get, "/api/exports/\(job)")
      #expect(
        file.headers["Content-Disposition"]?.contains("filename=\"Clips.zip\"") == true)
      let zip = try #require(ZipReader(file.body))
      #expect(zip.members.map(\.name) == ["01 A.\(format)", "02 B.\(format)"])
      if format == "wav" {
        // A quarter into the fade-in, while the fade-out covers the whole clip.
        let sample = Int(WAV.samples(zip.members[0].bytes)[2_000])
        #expect((5_874...5_876).contains(sample))
      }
    }
  }

  @Test func `an invalid export is refused with a message`() throws {
    let id = try track(5)
    let good = clip(id, 0..<10, "A")
    for (clips, more, status) in [
      ("", "\"format\":\"wav\"", 422), (good, "\"format\":\"exe\"", 422), (good, "\"x\":1", 400),
      (good, "\"format\":\"wav\",\"fadeIn\":-1", 422),
      (good, "\"format\":\"wav\",\"fadeOut\":2880001", 422),
      (clip(id, 0..<96_001, "A"), "\"format\":\"wav\"", 422),
      (clip(id, 5..<5, "A"), "\"format\":\"wav\"", 422),
      (clip("..", 0..<5, "A"), "\"format\":\"wav\"", 422),
      (clip(Identifier.make(milliseconds: 1), 0..<5, "A"), "\"format\":\"wav\"", 422),
      ([String](repeating: good, count: 501).joined(separator: ","), "\"format\":\"wav\"", 422),
    ] {
      let answer = order(clips, more)
      #expect(answer.status == status, "\(clips.prefix(80)) \(more)")
      #expect(answer.text.contains("."))
    }
    #expect(try names(in: studio.library.folder.exports).isEmpty)
    for job in ["x", "..", Identifier.make(milliseconds: 1)] {
      #expect([400, 404].contains(studio.send(.get, "/api/exports/\(job)").status))
    }
    let imported = try #require(try studio.library.jobs.latest(on: .track, id)?.id)
    #expect(studio.send(.get, "/api/exports/\(imported)").status == 404, "an import is no export")
  }

  @Test func `the state of a waiting, failed or cancelled export is reported`() throws {
    let id = try track(5)
    let waiting = try studio.library.exports.add(
      ExportOrder(clips: [.init(track: id, start: 0, end: 9, title: nil)], format: "wav"))
    let early = studio.send(.get, "/api/exports/\(waiting)")
    #expect(early.status == 409)
    #expect(early.text.contains("queued"))
    let status = studio.send(.get, "/api/jobs/\(waiting)").text
    #expect(status.contains("\"export\"") && !status.contains("track"))

    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    try stopped.enqueue(id: waiting)
    try stopped.cancel(waiting)
    #expect(studio.send(.get, "/api/exports/\(waiting)").status == 410)

    let doomed = try studio.library.exports.add(
      ExportOrder(clips: [.init(track: id, start: 0, end: 9, title: nil)], format: "wav"))
    try studio.library.tracks.remove(id)
    try studio.runner.enqueue(id: doomed)
    studio.runner.waitUntilIdle()
    let failed = studio.send(.get, "/api/exports/\(doomed)")
    #expect(failed.status == 410)
    #expect(failed.text.contains("Clip 1: its track is not in the library."))
    #expect(try names(in: studio.library.folder.exports).isEmpty)
  }

  @Test func `an export whose track is deleted meanwhile fails with a message`() throws {
    let tracks = try (1...3).map { try track($0) }
    let library = studio.library
    // Two exports run at once; the third starts when one has ended.
    let id = try library.exports.add(
      ExportOrder(
        clips: zip(tracks, [96_000, 96_000, 9]).map { track, frames in
          .init(track: track, start: 0, end: frames, title: nil)
        }, format: "wav"))
    let isRemoved = Mutex(false)
    let context = JobContext { _ in
      isRemoved.withLock { isRemoved in
        if !isRemoved { #expect(throws: Never.self) { try library.tracks.remove(tracks[2]) } }
        isRemoved = true
      }
    }
    let job = try #require(try library.jobs.job(id))
    let problem = #expect(throws: LibraryError.self) {
      _ = try ExportJob(library: library).run(job, context)
    }
    #expect(problem?.message == "Clip 3: its track is not in the library.")
    #expect(try names(in: library.folder.tmp).isEmpty)
  }

  @Test func `an export that a restart interrupted is done at the next start`() throws {
    let id = try track(5)
    let job = try studio.library.exports.add(
      ExportOrder(clips: [.init(track: id, start: 0, end: 9, title: "A")], format: "wav"))
    studio.runner.stop()
    try studio.library.cleaning.sweep()
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(ZipReader(studio.send(.get, "/api/exports/\(job)").body)?.members.count == 3)
  }

  @Test func `a zip is deleted after a day, or with its job`() throws {
    let id = try track(5)
    let jobs = try (0..<2).map { _ in try job(order(clip(id, 0..<9, "A"))) }
    studio.runner.waitUntilIdle()
    let exports = studio.library.folder.exports
    try studio.library.cleaning.sweep()
    #expect(try names(in: exports).sorted() == jobs.sorted())
    try studio.library.jobs.write { writer throws(DatabaseError) in
      try writer.update(jobs[0], to: .done, now: Library.now() - Library.day - 1)
    }
    #expect(studio.send(.get, "/api/exports/\(jobs[0])").status == 404)
    try studio.library.cleaning.sweep()
    #expect(try names(in: exports) == [jobs[1]])
    try studio.library.jobs.purge(endedBefore: .max)
    try studio.library.cleaning.sweep()
    #expect(try names(in: exports).isEmpty)
  }
}
