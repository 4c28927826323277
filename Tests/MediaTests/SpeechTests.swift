// Names said by the speech program in its sandbox.

import Glibc
import Speech
import Storage
import TestSupport
import Testing

@testable import Media

@Suite struct SpeechTests {
  private func text(_ words: String, _ language: String = "en") throws -> SpokenText {
    try SpokenText(words, in: #require(SpeechLanguage.of(language)))
  }

  private func say(
    _ words: String, _ language: String = "en", tools: MediaTools? = nil
  ) throws -> Recording {
    try (tools ?? MediaTools.locate(sandbox: .required)).say(
      text(words, language), isCancelled: { false })
  }

  @Test(arguments: SpeechLanguage.all.map(\.code))
  func `a name is said in every language, with its attack inside and at the level of the numbers`(
    language: String
  ) throws {
    let recording = try say("taka tuka 2", language)
    let frames = recording.samples.count
    #expect(frames > Recording.framesPerSecond / 4 && frames < 4 * Recording.framesPerSecond)
    #expect((0..<frames / 2).contains(recording.attack))
    let samples = recording.samples.map { Double($0) / 32_768 }
    #expect((samples.map(abs).max() ?? 1) <= 0.8)
    // The loudest tenth of a second is at 0.25, and what is bent below the peak may take some of it.
    let tenth = Recording.framesPerSecond / 10
    let loudest = stride(from: 0, to: max(1, frames - tenth), by: 120).map { start in
      (samples[start..<start + tenth].reduce(0) { $0 + $1 * $1 } / Double(tenth)).squareRoot()
    }.max()
    #expect(abs((loudest ?? 0) - 0.25) < 0.04)
  }

  @Test func `the same name gives the same recording, with and without a sandbox`() throws {
    let first = try say("Kick ball change")
    #expect(try first == say("Kick ball change"))
    #expect(try first == say("Kick ball change", tools: MediaTools.locate(sandbox: .none)))
    #expect(try first != say("Kick ball"))
  }

  @Test func `brackets, tags and options change nothing of what is said`() throws {
    let plain = try say("kick x")
    for hostile in ["[[kick]] x", "<kick/> x", "--kick -x", "$(kick) `x`", "kick\u{0} \u{1B}x"] {
      #expect(try say(hostile) == plain, "\(hostile)")
    }
  }

  @Test func `the longest title of letters is said or refused, and never waited for`() throws {
    let recording = try say(String(repeating: "pirouette ", count: 6))
    #expect(recording.samples.count < SpokenText.longestSeconds * Recording.framesPerSecond)
    let digits = try text(String(repeating: "7", count: 120))
    let tools = try MediaTools.locate(sandbox: .required)
    #expect(code { _ = try tools.say(digits, isCancelled: { false }) } == .tooLong)
  }

  @Test func `without the speech program all else works, and the message says what to install`()
    throws
  {
    let workshop = try Workshop()
    let folder = workshop.folder.temporaryPath("programs")
    try Files.makeFolder(folder)
    for program in ["ffmpeg", "ffprobe", "setpriv", "timeout", "prlimit", "true"] {
      #expect(symlink("/usr/bin/\(program)", "\(folder)/\(program)") == 0)
    }
    let tools = try MediaTools.locate(sandbox: .none, in: [folder])
    let kick = try text("kick")
    do {
      _ = try tools.say(kick, isCancelled: { false })
      Issue.record("it was said")
    } catch let error as MediaError {
      #expect(error.code == .toolMissing)
      #expect(error.message.contains("apt install espeak-ng"))
    }
    #expect(symlink("/usr/bin/espeak-ng", "\(folder)/espeak-ng") == 0)
    #expect(try !tools.say(kick, isCancelled: { false }).samples.isEmpty, "no new start is needed")
  }

  @Test func `it has no network and no files of the user`() throws {
    let tools = try MediaTools.locate(sandbox: .required)
    let command = tools.command(.speech, limits: MediaTools.Limits(seconds: Patience.seconds)) {
      _ in
      ["-f", #filePath, "-v", "en-us", "--stdout"]
    }
    #expect(try !ChildProcess(command).finish(isCancelled: { false }).isSuccess)
  }
}
