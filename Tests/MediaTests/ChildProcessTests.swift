// Child processes: pipes, messages, exit.

import Storage
import Testing

@testable import Media

@Suite(.serialized)
struct ChildProcessTests {
  private func shell(_ script: String, input: Bool = false, output: Bool = false) throws
    -> ChildProcess
  {
    var command = Command(arguments: ["/bin/sh", "-c", script])
    command.hasInput = input
    command.hasOutput = output
    return try ChildProcess(command)
  }

  @Test func `output far larger than a pipe arrives whole while messages pour in`() throws {
    let process = try shell(
      "head -c 3000000 /dev/zero >&2; head -c 5000000 /dev/zero; head -c 3000000 /dev/zero >&2",
      output: true)
    let output = try process.readText(limit: 6_000_000, isCancelled: { false })
    #expect(output.count == 5_000_000)
    #expect(try process.finish(isCancelled: { false }) == .exited(0))
  }

  @Test func `only the last messages are kept`() throws {
    let process = try shell("seq 1 200000 >&2; echo the last words >&2; exit 3")
    #expect(try process.finish(isCancelled: { false }) == .exited(3))
    #expect(process.messageTail.hasSuffix("the last words\n"))
    #expect(process.messageTail.utf8.count <= 20_480)
  }

  @Test func `input arrives whole`() throws {
    let process = try shell("wc -c >&2", input: true)
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    try bytes.withUnsafeBytes { try process.write($0, isCancelled: { false }) }
    #expect(try process.finish(isCancelled: { false }) == .exited(0))
    #expect(process.messageTail == "3000000\n")
  }

  @Test func `writing to a program that ended is an error and no signal`() throws {
    let process = try shell("exit 0", input: true)
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    let refusal = code {
      try bytes.withUnsafeBytes { try process.write($0, isCancelled: { false }) }
    }
    #expect(refusal == .toolFailed)
  }

  @Test func `a program killed by another process is distinguished from one that timed out`()
    throws
  {
    func wasKilledEarly(_ script: String, seconds: Int?, byUs: Bool = false) throws -> Bool {
      let process = try ChildProcess(
        Command(arguments: ["/bin/sh", "-c", script], seconds: seconds))
      if byUs { process.kill() }
      _ = try process.finish(isCancelled: { false })
      return process.wasKilledEarly
    }
    #expect(try wasKilledEarly("kill -9 $$", seconds: 60))
    // The form in which timeout(1) reports it.
    #expect(try wasKilledEarly("exit 137", seconds: 60))
    #expect(try !wasKilledEarly("sleep 0.6; kill -9 $$", seconds: 1))
    #expect(try !wasKilledEarly("sleep 0.6; exit 137", seconds: 1))
    #expect(try !wasKilledEarly("kill -9 $$", seconds: nil))
    #expect(try !wasKilledEarly("exit 1", seconds: 60))
    #expect(try !wasKilledEarly("exit 124", seconds: 60))
    #expect(try !wasKilledEarly("sleep 60", seconds: 60, byUs: true))
  }

  @Test func `killing ends everything the program started`() throws {
    let process = try shell("sleep 1000 & echo started; wait", output: true)
    var byte: [UInt8] = [0]
    _ = try byte.withUnsafeMutableBytes { try process.read(into: $0, isCancelled: { false }) }
    process.kill()
    // It returns only after every process that holds the pipes has exited.
    #expect(try process.finish(isCancelled: { false }) == .killed(signal: 9))
  }

  @Test func `a program sees neither our environment nor our files`() throws {
    let workshop = try Workshop()
    let marker = workshop.folder.temporaryPath("marker")
    let file = try OpenFile(marker, 0o102, mode: 0o600)
    let process = try shell("env; ls -l /proc/self/fd", output: true)
    let text = String(
      decoding: try process.readText(limit: 100_000, isCancelled: { false }), as: UTF8.self)
    #expect(text.contains("LC_ALL=C"))
    #expect(!text.contains("HOME="))
    #expect(!text.contains(marker))
    #expect(try file.size() == 0)
  }

  @Test func `a missing program is an error`() {
    let refusal = code { _ = try ChildProcess(Command(arguments: ["/nowhere/at-all"])) }
    #expect(refusal == .toolMissing)
  }

  @Test(arguments: [
    "exit 126", "exit 127", "exit 143", "kill -TERM $$",
    // ffmpeg prints nothing when it is asked to exit.
    "exit 255",
    "echo 'bwrap: Creating new namespace failed: Operation not permitted' >&2; exit 1",
    "echo 'timeout: fork system call failed: Cannot allocate memory' >&2; exit 125",
    "echo one >&2; echo 'prlimit: failed to set the AS resource limit' >&2; exit 1",
    "echo 'setpriv: set parent death signal failed' >&2; exit 1",
    "echo 'ffmpeg: error while loading shared libraries: libx264.so' >&2; exit 1",
  ])
  func `a program that did not run or was killed does not blame the file`(script: String) throws {
    let process = try shell(script)
    _ = try process.finish(isCancelled: { false })
    #expect(code { throw ImportRefusal.reason(of: process) } == .toolFailed)
    #expect(code { throw VideoRefusal.reason(of: process) } == .toolFailed)
  }

  @Test(arguments: [
    "exit 1", "exit 69", "kill -SEGV $$", "exit 139",
    "echo '/in0: Operation not permitted' >&2; exit 255",
    "echo '  title: bwrap: a song' >&2; exit 1",
  ])
  func `a program that ran and failed blames the file`(script: String) throws {
    let process = try shell(script)
    _ = try process.finish(isCancelled: { false })
    #expect(code { throw ImportRefusal.reason(of: process) } == .notAudio)
    #expect(code { throw VideoRefusal.reason(of: process) } == .notVideo)
  }
}
