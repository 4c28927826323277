// Recorded names: from the formats of browsers to a voice file.

import Speech
import Storage
import Testing

@testable import Media

@Suite struct NameImporterTests {
  /// Tones with silence around them, as a name in a quiet room, in a format.
  private func recorded(
    seconds: Double = 2, _ options: [String], name: String, in workshop: Workshop
  ) throws -> String {
    let path = workshop.folder.temporaryPath("recorded") + name
    let sound =
      "aevalsrc=if(between(t\\,0.5\\,\(seconds - 0.5))\\,0.1*sin(2*PI*440*t)\\,0):s=48000:d=\(seconds)"
    var command = Command(
      arguments: ["/usr/bin/ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", sound]
        + options
        + [path])
    command.hasOutput = true
    let process = try ChildProcess(command)
    try #require(try process.finish(isCancelled: { false }).isSuccess, "\(process.messageTail)")
    return path
  }

  private func voice(_ path: String, in workshop: Workshop) throws -> Int {
    try NameImporter(tools: workshop.tools, folder: workshop.folder).makeVoice(
      blob: path, into: workshop.folder.derived("name"))
  }

  @Test(arguments: [
    (["-c:a", "libopus"], ".webm"), (["-c:a", "aac"], ".mp4"), (["-c:a", "libopus"], ".ogg"),
    (["-ac", "2"], ".wav"), (["-ar", "44100", "-c:a", "libmp3lame"], ".mp3"),
  ])
  func `what browsers record becomes a trimmed voice file`(options: [String], name: String) throws {
    let workshop = try Workshop()
    let length = try voice(recorded(options, name: name, in: workshop), in: workshop)
    // A second of sound, and what is kept around it.
    #expect((48_000...60_000).contains(length), "\(length)")
    let file = try Files.read(workshop.folder.voice(recording: "name"))
    #expect(String(decoding: file[0..<4], as: UTF8.self) == "RIFF")
    #expect(file.count == 44 + 8 + 4 + 48 + 2 * length / 2)
    #expect(try Files.names(in: workshop.folder.derived("name")) == ["voice.wav"])
  }

  @Test func `the same file gives the same voice file`() throws {
    let workshop = try Workshop()
    let path = try recorded(["-c:a", "libopus"], name: ".webm", in: workshop)
    _ = try voice(path, in: workshop)
    let first = try Files.read(workshop.folder.voice(recording: "name"))
    _ = try voice(path, in: workshop)
    #expect(try Files.read(workshop.folder.voice(recording: "name")) == first)
  }

  @Test func `more than ten seconds are refused, and ten are taken`() throws {
    let workshop = try Workshop()
    let ten = try recorded(seconds: 10, [], name: ".wav", in: workshop)
    #expect(try voice(ten, in: workshop) > 8 * 48_000)
    for seconds in [11.0, 600] {
      let long = try recorded(seconds: seconds, [], name: ".wav", in: workshop)
      #expect(code { _ = try voice(long, in: workshop) } == .tooLong)
    }
  }

  @Test func `silence, pictures and text are refused, and nothing is left`() throws {
    let workshop = try Workshop()
    let silent = try recorded(seconds: 1, ["-af", "volume=0"], name: ".wav", in: workshop)
    #expect(code { _ = try voice(silent, in: workshop) } == .empty)
    let text = try workshop.file(Array("no sound at all".utf8))
    #expect(code { _ = try voice(text, in: workshop) } == .notAudio)
    #expect(try Files.names(in: workshop.folder.derived).isEmpty)
  }
}
