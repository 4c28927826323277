// The languages in which names are said.

/// A language of the speech program.
public struct SpeechLanguage: Hashable, Sendable {
  /// The language's code in BCP 47.
  public let code: String
  /// The speech program's voice.
  public let voice: String
  /// The script in which the language is written.
  public let script: Script

  /// A script that a voice can read.
  public enum Script: CaseIterable, Sendable {
    case latin, cyrillic, greek, kana, hangul
  }

  /// The languages: those that the program says well enough to be understood, with its voices in
  /// Debian 12. Chinese is not among them, since its voice reads characters letter by letter.
  public static let all = [
    SpeechLanguage(code: "en", voice: "en-us", script: .latin),
    SpeechLanguage(code: "fr", voice: "fr-fr", script: .latin),
    SpeechLanguage(code: "de", voice: "de", script: .latin),
    SpeechLanguage(code: "es", voice: "es", script: .latin),
    SpeechLanguage(code: "ja", voice: "ja", script: .kana),
    SpeechLanguage(code: "it", voice: "it", script: .latin),
    SpeechLanguage(code: "pt", voice: "pt-br", script: .latin),
    SpeechLanguage(code: "nl", voice: "nl", script: .latin),
    SpeechLanguage(code: "pl", voice: "pl", script: .latin),
    SpeechLanguage(code: "sv", voice: "sv", script: .latin),
    SpeechLanguage(code: "da", voice: "da", script: .latin),
    SpeechLanguage(code: "fi", voice: "fi", script: .latin),
    SpeechLanguage(code: "nb", voice: "nb", script: .latin),
    SpeechLanguage(code: "cs", voice: "cs", script: .latin),
    SpeechLanguage(code: "sk", voice: "sk", script: .latin),
    SpeechLanguage(code: "hu", voice: "hu", script: .latin),
    SpeechLanguage(code: "ro", voice: "ro", script: .latin),
    SpeechLanguage(code: "ca", voice: "ca", script: .latin),
    SpeechLanguage(code: "tr", voice: "tr", script: .latin),
    SpeechLanguage(code: "uk", voice: "uk", script: .cyrillic),
    SpeechLanguage(code: "ru", voice: "ru", script: .cyrillic),
    SpeechLanguage(code: "el", voice: "el", script: .greek),
    SpeechLanguage(code: "ko", voice: "ko", script: .hangul),
  ]

  /// Returns the language of a code.
  public static func of(_ code: String) -> SpeechLanguage? { all.first { $0.code == code } }

  /// The voice that reads a text in a script that the chosen language does not use.
  static func voice(reading script: Script) -> String? { all.first { $0.script == script }?.voice }
}
