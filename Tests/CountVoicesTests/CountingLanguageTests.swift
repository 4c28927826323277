// The numbers of each language.

import Testing

@testable import CountVoices

@Suite struct CountingLanguageTests {
  @Test func `each language has eight numbers and a voice`() {
    #expect(CountingLanguage.all.map(\.code) == ["en", "fr", "de", "es", "ja"])
    #expect(CountingLanguage.all.allSatisfy { $0.numbers.count == 8 && !$0.voice.isEmpty })
  }
}
