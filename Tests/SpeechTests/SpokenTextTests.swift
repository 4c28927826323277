// What of a name reaches the speech program, and which voice reads it.

import Testing

@testable import Speech

@Suite struct SpokenTextTests {
  private func said(_ text: String, _ language: String = "en") throws -> SpokenText {
    try SpokenText(text, in: #require(SpeechLanguage.of(language)))
  }

  private func refusal(_ text: String, _ language: String = "en") -> SpokenText.Refusal? {
    do {
      _ = try said(text, language)
      return nil
    } catch {
      return error as? SpokenText.Refusal
    }
  }

  @Test(arguments: [
    ("Kick ball change", "Kick ball change"),
    ("  Kick \t ball\n\nchange ", "Kick ball change"),
    ("Kick-ball-change", "Kick ball change"),
    ("5-6-7-8", "5 6 7 8"),
    ("AC/DC (left)", "AC DC left"),
    ("Don't stop’s ½ turn, 180°!", "Don't stop’s ½ turn, 180°!"),
    ("a\u{0}b\u{1B}[31mc\u{7F}", "a b 31mc"),
    ("[[h@'loU]] there", "h 'loU there"),
    ("<break time=\"9s\"/> go", "break time 9s go"),
    ("&amp; {a} | `b` $c \\", "&amp a b c"),
    ("💃🏽 spin 👯‍♀️ 1️⃣", "spin 1"),
    ("-f /etc/passwd", "f etc passwd"),
    ("--path=/tmp x", "path tmp x"),
    ("Ｋｉｃｋ　１", "Kick 1"),
    ("te\u{0301}n\u{200D}d\u{202E}u", "te\u{0301}ndu"),
    ("\u{0301}a", "a"),
  ])
  func `what could be an instruction separates words`(text: String, words: String) throws {
    #expect(try said(text).words == words)
  }

  @Test(arguments: ["", "   ", "🎉🎉", "[[]]", "→ — …", "!?", "\u{0301}", "①"])
  func `a text without letters and digits is refused`(text: String) {
    #expect(refusal(text) == .nothingToSay)
  }

  @Test func `a text may have 130 characters after cleaning`() throws {
    let longest = String(repeating: "ab ", count: 43) + "a"
    #expect(try said(longest).words.count == 130)
    #expect(try said("🎉" + longest).words.count == 130)
    #expect(refusal(longest + "b") == .tooLong)
    #expect(refusal("a" + String(repeating: "\u{0301}", count: 1_000)) == .tooLong)
  }

  @Test(arguments: [
    ("Kick ball change", "en", "en-us"),
    ("Kick ball change", "fr", "fr-fr"),
    ("12", "ja", "ja"),
    ("ターン", "ja", "ja"),
    ("Vステップ", "ja", "ja"),
    ("Kick ball change", "ja", "en-us"),
    ("Kick ball change", "ru", "en-us"),
    ("поворот", "en", "uk"),
    ("поворот kick", "ru", "ru"),
    ("поворот", "uk", "uk"),
    ("ターン", "de", "ja"),
    ("킥", "ko", "ko"),
  ])
  func `a text without a letter of the language is read by the voice of its script`(
    text: String, language: String, voice: String
  ) throws {
    #expect(try said(text, language).voice == voice)
  }

  @Test(arguments: [
    ("回転", "ja"), ("右 ターン", "ja"), ("踢腿", "en"), ("поворот kick", "en"), ("١", "en"), ("घूमो", "en"),
  ])
  func `characters that no voice reads, or not with the others, are refused`(
    text: String, language: String
  ) {
    #expect(refusal(text, language) == .unreadable)
  }

  @Test func `each language has a code, a voice and a script of its own`() {
    #expect(Set(SpeechLanguage.all.map(\.code)).count == SpeechLanguage.all.count)
    for script in SpeechLanguage.Script.allCases {
      #expect(SpeechLanguage.voice(reading: script) != nil)
    }
  }
}
