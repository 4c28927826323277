// Names said by the speech program, in the sandbox.

import Glibc
import Speech

extension MediaTools {
  /// It speaks faster than sound by a factor of hundreds. Its libraries take 150 MB of addresses.
  private static let speechLimits = Limits(seconds: 10, memoryBytes: 512 << 20)

  /// Returns the recording of a text. The same text gives the same recording.
  ///
  /// - Throws: `toolMissing` if the speech program is not installed; `empty` if it says nothing;
  ///   `tooLong` if it speaks for more than `SpokenText.longestSeconds`.
  public func say(_ text: SpokenText, isCancelled: () -> Bool) throws -> Recording {
    guard access(speech, X_OK) == 0 else {
      throw MediaTools.missing(SpeechProgram.name, package: SpeechProgram.name)
    }
    var command = command(.speech, limits: MediaTools.speechLimits) { _ in
      SpeechProgram.arguments(voice: text.voice, wordsPerMinute: SpokenText.wordsPerMinute)
    }
    command.hasInput = true
    command.hasOutput = true
    let process = try ChildProcess(command)
    try Array(text.words.utf8).withUnsafeBytes {
      try process.write($0, isCancelled: isCancelled)
    }
    process.closeInput()
    let most = SpeechProgram.mostBytes(seconds: SpokenText.longestSeconds)
    guard let answer = try process.readAll(limit: most, isCancelled: isCancelled) else {
      process.kill()
      throw MediaError(
        .tooLong,
        "This takes more than \(SpokenText.longestSeconds) seconds to say. Choose a shorter name.")
    }
    guard try process.finish(isCancelled: isCancelled).isSuccess else {
      if process.ranOutOfTime, !process.wasKilledEarly {
        throw MediaError(
          .timedOut, "The speech program took too long. Try again.", cause: process.report)
      }
      throw MediaError(
        .toolFailed, "The speech program could not say this. Look at the server's log.",
        cause: process.report)
    }
    guard let samples = SpeechProgram.samples(of: answer) else {
      throw MediaError(
        .toolFailed, "The speech program answered no sound. Look at the server's log.",
        cause: process.report)
    }
    guard let recording = Recording(of: samples) else {
      throw MediaError(.empty, "The speech program has no sound for this name. Choose another one.")
    }
    return recording
  }
}
