// How the speech program, eSpeak NG, is asked, and what it answers.

/// The speech program.
public enum SpeechProgram {
  /// Its name on the disk.
  public static let name = "espeak-ng"
  /// The sample rate of what it says.
  public static let framesPerSecond = 22_050
  /// The longest answer for `seconds` of speech, in bytes.
  public static func mostBytes(seconds: Int) -> Int { header + 2 * framesPerSecond * seconds }

  private static let header = 44

  /// Returns the arguments. The program reads its text, UTF-8, from its standard input, so that no
  /// text is taken for an option, and writes to its standard output.
  public static func arguments(voice: String, wordsPerMinute: Int) -> [String] {
    ["-b", "1", "-z", "-v", voice, "-s", String(wordsPerMinute), "--stdin", "--stdout"]
  }

  /// Returns the samples of an answer at the rate of recordings, −1 to 1; nil if it is none of the
  /// program's WAV files.
  public static func samples(of answer: [UInt8]) -> [Double]? {
    func number(at index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(answer[index + $1]) << (8 * $1) }
    }
    // A canonical WAV file whose sizes are those of an endless one: the program writes as it speaks.
    guard answer.count >= header, number(at: 24) == framesPerSecond,
      answer[36..<40].elementsEqual("data".utf8)
    else { return nil }
    let samples = stride(from: header, to: answer.count - 1, by: 2).map { index in
      Double(Int16(truncatingIfNeeded: Int(answer[index]) | Int(answer[index + 1]) << 8)) / 32_768
    }
    return resampled(samples, from: framesPerSecond, to: Recording.framesPerSecond)
  }
}
