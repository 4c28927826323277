// Asks the speech program for a number, when the client is built.

import Glibc
import Speech

extension CountingLanguage {
  /// Returns the recording of a number.
  func say(_ word: String) -> Recording {
    let options = SpeechProgram.arguments(voice: voice, wordsPerMinute: wordsPerMinute)
      .joined(separator: " ")
    guard let output = popen("printf %s '\(word)' | \(SpeechProgram.name) \(options)", "r") else {
      fail("\(SpeechProgram.name) can't be started.")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, output)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard pclose(output) == 0, let samples = SpeechProgram.samples(of: bytes),
      let recording = Recording(of: samples)
    else { fail("\(SpeechProgram.name) could not say “\(word)”. Is it installed?") }
    return recording
  }
}
