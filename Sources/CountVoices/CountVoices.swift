// Makes the voices that count: for each language a file with the numbers 1 to 8, said by Debian's speech
// program eSpeak NG. docs/FORMATS.md describes the file.
// Use: CountVoices FOLDER   writes FOLDER/voice-en.wav and so on

import Glibc
import Speech

/// A language's numbers.
struct CountingLanguage {
  /// The language's code in BCP 47.
  var code: String
  /// So that the numbers are short enough for fast music, with every sound still said.
  var wordsPerMinute: Int
  var numbers: [String]

  /// The speech program's voice.
  var voice: String {
    guard let language = SpeechLanguage.of(code) else { fail("Speech has no language \(code).") }
    return language.voice
  }

  static let all = [
    CountingLanguage(
      code: "en", wordsPerMinute: 210,
      numbers: ["one", "two", "three", "four", "five", "six", "seven", "eight"]),
    CountingLanguage(
      code: "fr", wordsPerMinute: 170,
      numbers: ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit"]),
    CountingLanguage(
      code: "de", wordsPerMinute: 210,
      numbers: ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"]),
    CountingLanguage(
      code: "es", wordsPerMinute: 210,
      numbers: ["uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho"]),
    CountingLanguage(
      code: "ja", wordsPerMinute: 210,
      numbers: ["いち", "に", "さん", "し", "ご", "ろく", "しち", "はち"]),
  ]
}

@main enum CountVoices {
  static func main() {
    guard CommandLine.arguments.count == 2 else { fail("Use: CountVoices FOLDER") }
    for language in CountingLanguage.all {
      write(
        voiceFile(of: language.numbers.map(language.say)),
        to: "\(CommandLine.arguments[1])/voice-\(language.code).wav")
    }
  }

  /// Writes a whole file; it appears under its name when it is complete.
  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen("\(path).new", "w") else { fail("\(path).new can't be written.") }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count, rename("\(path).new", path) == 0 else {
      fail("\(path) can't be written.")
    }
  }
}

/// Prints a message and exits with 1.
func fail(_ message: String) -> Never {
  print(message)
  exit(1)
}
