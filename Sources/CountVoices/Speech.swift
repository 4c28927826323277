// Asks the speech program for a word.

import Glibc

/// The speech program, eSpeak NG.
enum Speech {
  /// The sample rate of what it says.
  private static let spokenRate = 22_050

  /// Returns a word at the rate of recordings, −1 to 1.
  static func say(_ word: String, in language: CountingLanguage) -> [Double] {
    let options = "-z -v \(language.voice) -s \(language.wordsPerMinute) --stdout"
    guard let output = popen("espeak-ng \(options) '\(word)'", "r") else {
      fail("espeak-ng can't be started.")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, output)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard pclose(output) == 0 else { fail("espeak-ng could not say “\(word)”. Is it installed?") }
    // A canonical WAV file whose sizes are those of an endless one: the program writes as it speaks.
    let header = 44
    func number(at index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
    }
    guard bytes.count > header, number(at: 24) == spokenRate,
      bytes[36..<40].elementsEqual("data".utf8)
    else { fail("espeak-ng answered no WAV file of \(spokenRate) Hz for “\(word)”.") }
    let samples = stride(from: header, to: bytes.count - 1, by: 2).map { index in
      Double(Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)) / 32_768
    }
    return resampled(samples, from: spokenRate, to: Recording.framesPerSecond)
  }

  /// Returns samples at a higher rate: a sinc in a Hann window over 32 of them.
  private static func resampled(_ samples: [Double], from: Int, to: Int) -> [Double] {
    let reach = 16
    return (0..<samples.count * to / from).map { index in
      let place = Double(index) * Double(from) / Double(to)
      let before = Int(place)
      let first = max(0, before - reach + 1)
      let last = min(samples.count - 1, before + reach)
      return (first...max(first, last)).reduce(0) { sum, other in
        let distance = place - Double(other)
        let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
        let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        return sum + samples[other] * sinc * window
      }
    }
  }
}
