// Clips compared with ffmpeg's decoding of the whole original: equal to the frame.

import Storage
import Synchronization
import TestSupport
import Testing

@testable import Media

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized)
struct ClipExactnessTests {
  /// 1,000 clips of each source instead of a few, with SEGMANCE_LONG_TESTS set.
  private static let isLong = getenv("SEGMANCE_LONG_TESTS") != nil
  private static let bytesPerFrame = 4

  /// Twelve seconds of noise at 44.1 kHz, in which no two stretches are alike, as a file.
  private func noise(_ workshop: Workshop, _ file: String, _ encoder: [String]) throws -> String {
    let path = workshop.folder.temporaryPath("noise") + file
    var command = Command(
      arguments: [
        "/usr/bin/ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
        "anoisesrc=r=44100:d=12:c=pink:seed=5,aeval=val(0)|0.7*sin(900*t*t)", "-c:a",
      ] + encoder + [path])
    command.hasOutput = true
    let process = try ChildProcess(command)
    try #require(try process.finish(isCancelled: { false }).isSuccess, "\(process.messageTail)")
    return path
  }

  private func importNoise(_ workshop: Workshop, _ path: String) throws -> ImportedTrack {
    try workshop.importer.importTrack(blob: path, into: workshop.folder.derived("song"))
  }

  /// A plain ffmpeg's decoding of a whole file.
  private func decoded(_ path: String) throws -> [UInt8] {
    try ffmpeg("-v", "error", "-i", path, "-ar", "48000", "-ac", "2", "-f", "s16le", "-").output
  }

  @Test(arguments: [
    ("vbr.mp3", ["libmp3lame", "-q:a", "3"]), ("noise.m4a", ["aac", "-b:a", "160k"]),
    ("noise.flac", ["flac"]),
  ])
  func `WAV and FLAC are the frames of the original bit for bit`(
    name: String, encoder: [String]
  ) throws {
    let workshop = try Workshop()
    let original = try noise(workshop, name, encoder)
    let track = try importNoise(workshop, original)
    let whole = try decoded(original)
    #expect(whole.count == track.lengthFrames * Self.bytesPerFrame)

    var generator = SeededGenerator(seed: 31)
    let length = track.lengthFrames
    var ranges = [0..<1, length - 1..<length, 479_999..<480_001, 480_000..<length]
    while ranges.count < (Self.isLong ? 1_000 : 10) {
      let start = Int.random(in: 0..<length, using: &generator)
      let frames = Int.random(in: 1...30_000, using: &generator)
      ranges.append(start..<min(start + frames, length))
    }
    let clips = ranges.map {
      ClipSource(
        derivedDirectory: workshop.folder.derived("song"), lengthFrames: length, range: $0,
        tags: ClipTags(title: "A=B;#\\\n", album: "Noise", number: 1, count: 2))
    }
    for format in [ClipFormat.wav, .flac] {
      let paths = clips.map { _ in workshop.folder.temporaryPath("result") }
      try workshop.renderer.render(clips, ClipStyle(format), to: paths)
      for (range, path) in zip(ranges, paths) {
        let bytes = format == .wav ? Array(try Files.read(path).dropFirst(44)) : try decoded(path)
        let expected = whole[
          range.lowerBound * Self.bytesPerFrame..<range.upperBound * Self.bytesPerFrame]
        #expect(expected.elementsEqual(bytes), "\(name) \(format) \(range)")
        try Files.remove(path)
      }
    }
    #expect(try Files.names(in: workshop.folder.tmp).allSatisfy { $0.hasPrefix("noise") })
  }

  @Test(arguments: [ClipFormat.mp3, .m4a, .opus])
  func `compressed clips declare their length and start at the right frame`(
    format: ClipFormat
  ) throws {
    let workshop = try Workshop()
    let original = try noise(workshop, "noise.flac", ["flac"])
    let track = try importNoise(workshop, original)
    for range in [100_000..<150_333, 440_000..<500_001] {
      let path = workshop.folder.temporaryPath("result")
      try workshop.renderer.render(
        ClipSource(
          derivedDirectory: workshop.folder.derived("song"), lengthFrames: track.lengthFrames,
          range: range), ClipStyle(format), to: path)
      let clip = samples(try decoded(path))
      if format == .m4a {
        // This ffmpeg plays an MP4's last packet to its end, regardless of the edit list. The
        // declared length is exact to the frame.
        #expect(try declaredFrames(path) == range.count)
        #expect((0..<1_024).contains(clip.count / 2 - range.count))
      } else {
        #expect(clip.count / 2 == range.count, "\(format) \(range)")
      }
      let source = try workshop.song(lengthFrames: track.lengthFrames).decode(range)
      #expect(bestLag(of: clip, in: source, within: 60) == 0, "\(format) \(range)")
    }
  }

  /// The length in an MP4's edit list.
  private func declaredFrames(_ path: String) throws -> Int? {
    var command = Command(arguments: [
      "/usr/bin/ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of",
      "csv=p=0", path,
    ])
    command.hasOutput = true
    let process = try ChildProcess(command)
    let text = try process.readText(limit: 1_000, isCancelled: { false })
    return Int(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
  }

  /// The shift of `clip`, in frames, at which it is most similar to `source`, over 20,000 frames.
  private func bestLag(of clip: [Int16], in source: [Int16], within reach: Int) -> Int? {
    func likeness(_ lag: Int) -> Int {
      var sum = 0
      for frame in stride(from: 10_000, to: 30_000, by: 3) {
        sum += Int(clip[(frame + lag) * 2]) * Int(source[frame * 2])
      }
      return sum
    }
    return (-reach...reach).max { likeness($0) < likeness($1) }
  }

  @Test func `many clips at once report progress to the end, and can be cancelled`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let clips = (0..<6).map {
      ClipSource(
        derivedDirectory: workshop.folder.derived("song"), lengthFrames: track.lengthFrames,
        range: $0 * 100_000..<$0 * 100_000 + 150_000)
    }
    let paths = clips.map { _ in workshop.folder.temporaryPath("result") }
    let seen = Seen()
    try workshop.renderer.render(
      clips, ClipStyle(.flac), to: paths, progress: { seen.add($0) })
    #expect(seen.all.max() == 1)
    #expect(paths.allSatisfy(Files.exists))
    let refusal = code {
      try workshop.renderer.render(
        clips, ClipStyle(.mp3), to: clips.map { _ in workshop.folder.temporaryPath("late") },
        isCancelled: { true })
    }
    #expect(refusal == .cancelled)
    #expect(try Files.names(in: workshop.folder.tmp).allSatisfy { $0.hasPrefix("result") })
  }

  @Test func `one damaged clip fails the export and leaves nothing running`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    try Files.remove(workshop.folder.chunk(track: "song", 1))
    let clips = [0..<100_000, 500_000..<600_000].map {
      ClipSource(
        derivedDirectory: workshop.folder.derived("song"), lengthFrames: track.lengthFrames,
        range: $0)
    }
    let target = workshop.folder.temporaryPath("zip")
    let refusal = storageCode {
      try ClipArchive(tools: workshop.tools, folder: workshop.folder).write(
        clips.map { NamedClip($0, title: "A") }, ClipStyle(.flac), to: target, modifiedAt: 0)
    }
    #expect(refusal == .corrupt)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `tags are written as typed`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let title = "A=B; #1 \\ 'q' \"سماء\" -metadata x=y"
    for format in [ClipFormat.flac, .mp3, .m4a, .opus] {
      let path = workshop.folder.temporaryPath("result")
      try workshop.renderer.render(
        ClipSource(
          derivedDirectory: workshop.folder.derived("song"), lengthFrames: track.lengthFrames,
          range: 0..<48_000,
          tags: ClipTags(title: title, album: "Lake", number: 3, count: 20)),
        ClipStyle(format), to: path)
      var command = Command(arguments: [
        "/usr/bin/ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of",
        "default=nk=1:nw=1", path,
      ])
      command.hasOutput = true
      let text = String(
        decoding: try ChildProcess(command).readText(limit: 9_999, isCancelled: { false }),
        as: UTF8.self)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.contains(title), "\(format): \(text)")
      #expect(lines.contains("Lake") && lines.contains { $0 == "3/20" || $0 == "3" }, "\(format)")
    }
  }

  @Test func `file names keep their order and are safe`() {
    let titles = ["Été / 1", "CON", "", "..\\..\\x", "a"]
    #expect(
      NamedClip.fileNames(titles: titles, format: .opus) == [
        "01 Été - 1.opus", "02 _CON.opus", "03 Clip.opus", "04 -..-x.opus", "05 a.opus",
      ])
    let many = [String](repeating: "a", count: 100)
    #expect(NamedClip.fileNames(titles: many, format: .wav).first == "001 a.wav")
  }
}

/// Collects reported numbers.
private final class Seen: Sendable {
  private let numbers = Mutex<[Double]>([])
  var all: [Double] { numbers.withLock { $0 } }
  func add(_ number: Double) { numbers.withLock { $0.append(number) } }
}
