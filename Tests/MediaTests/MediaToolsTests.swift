// The sandbox, tested from inside.

import Storage
import TestSupport
import Testing

@testable import Media

@Suite(.serialized)
struct MediaToolsTests {
  @Test func `a program in the sandbox can't read a file it was not given`() throws {
    let workshop = try Workshop()
    let secret = try workshop.file(try Files.read(Fixtures.path("mono.wav")))
    let given = try Fixtures.path("sweep-48k.wav")
    func reads(_ path: String, in tools: MediaTools) throws -> Bool {
      let command = tools.command(
        .ffmpeg, inputs: [given], limits: MediaTools.Limits(seconds: Patience.seconds)
      ) { _ in ["-nostdin", "-v", "error", "-i", "file:" + path, "-f", "null", "-"] }
      return try ChildProcess(command).finish(isCancelled: { false }).isSuccess
    }
    #expect(try reads("/in0", in: workshop.tools))
    #expect(try !reads(secret, in: workshop.tools))
    #expect(try reads(secret, in: MediaTools.locate(sandbox: .none)), "the counter-proof")
  }

  @Test func `a program in the sandbox can write only into its folder`() throws {
    let workshop = try Workshop()
    let output = workshop.folder.temporaryPath("out")
    try Files.makeFolder(output)
    let input = try workshop.file(try Files.read(Fixtures.path("mono.wav")))
    func writes(_ path: String) throws -> Bool {
      let command = workshop.tools.command(
        .ffmpeg, inputs: [input], output: output,
        limits: MediaTools.Limits(seconds: Patience.seconds)
      ) { ["-nostdin", "-v", "error", "-y", "-i", $0.inputs[0], "-f", "wav", path] }
      return try ChildProcess(command).finish(isCancelled: { false }).isSuccess
    }
    #expect(try writes("/out/copy.wav"))
    #expect(Files.exists(output + "/copy.wav"))
    #expect(try !writes("/in0"))
    #expect(try !writes("/usr/copy.wav"))
  }

  @Test func `a file is truncated at its size limit`() throws {
    let workshop = try Workshop()
    let output = workshop.folder.temporaryPath("out")
    try Files.makeFolder(output)
    let limits = MediaTools.Limits(seconds: Patience.seconds, fileBytes: 100_000)
    let command = workshop.tools.command(
      .ffmpeg, inputs: [try Fixtures.path("two-chunks.wav")], output: output, limits: limits
    ) { ["-nostdin", "-v", "error", "-i", $0.inputs[0], "/out/copy.wav"] }
    #expect(try !ChildProcess(command).finish(isCancelled: { false }).isSuccess)
    #expect(try Files.size(of: output + "/copy.wav") <= 100_000)
  }

  @Test func `no playlist reaches another file, sandbox or not`() throws {
    for sandbox in [MediaTools.Sandbox.required, .none] {
      let tools = try MediaTools.locate(sandbox: sandbox)
      for name in ["playlist-hls.mp3", "playlist-concat.mp3", "playlist.m3u", "session.sdp"] {
        let command = tools.command(
          .ffmpeg, inputs: [try Fixtures.path(name)],
          limits: MediaTools.Limits(seconds: Patience.seconds)
        ) {
          ["-nostdin", "-v", "error"]
            + MediaTools.inputRules(decoders: MediaTools.audioDecoders)
            + ["-i", "file:" + $0.inputs[0], "-f", "null", "-"]
        }
        let process = try ChildProcess(command)
        #expect(try !process.finish(isCancelled: { false }).isSuccess, "\(name)")
        #expect(!process.messageTail.contains("/etc/hosts"), "\(process.messageTail)")
      }
    }
  }
}
