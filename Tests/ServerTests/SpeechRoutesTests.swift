// Names as sound over the routes.

import HTTP
import HTTPTesting
import Speech
import Testing

@testable import Server

@Suite struct SpeechRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private func ask(
    _ text: String, _ rest: String = "&language=en", headers: [(String, String)] = []
  ) -> TestStudio.Answer {
    let escaped = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return studio.send(.get, "/api/speech?text=\(escaped)\(rest)", headers: headers)
  }

  private struct Problem: Decodable { var detail: String }

  @Test func `a name is answered as a voice file with one recording`() throws {
    let answer = ask("Kick ball change")
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "audio/wav")
    #expect(Array(answer.body[0..<4]) == Array("RIFF".utf8))
    func number(at index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(answer.body[index + $1]) << (8 * $1) }
    }
    #expect(number(at: 24) == 24_000)
    // Two cue points: the first frame and the attack.
    #expect(number(at: 44) == 2 && number(at: 48 + 20) == 0)
    let attack = number(at: 48 + 24 + 20)
    #expect(attack > 0 && attack < 24_000 / 2)
  }

  @Test func `an answer of the expected version may be kept for good`() throws {
    let version = SpokenText.version
    let plain = ask("Kick")
    #expect(plain.headers["Cache-Control"] == CacheControl.revalidate)
    let kept = ask("Kick", "&language=en&version=\(version)")
    #expect(kept.headers["Cache-Control"] == CacheControl.immutable)
    #expect(kept.body == plain.body)
    let other = ask("Kick", "&language=en&version=\(version + 1)")
    #expect(other.headers["Cache-Control"] == CacheControl.revalidate)
    let tag = try #require(plain.headers["ETag"])
    #expect(ask("Kick", headers: [("If-None-Match", tag)]).status == 304)
  }

  @Test(arguments: [
    "", "&language=", "&language=xx", "&language=en-us", "&language=zh", "&language=../en",
  ])
  func `only the listed languages are spoken`(rest: String) throws {
    let answer = ask("Kick", rest)
    #expect(answer.status == 400)
    #expect(try answer.json(Problem.self).detail.contains("en, fr, de, es, ja"))
  }

  @Test(arguments: [
    "", "🎉", "回転", "[[ ]]", String(repeating: "a", count: 131), String(repeating: "7", count: 120),
  ])
  func `what can't be said is refused with a sentence`(text: String) throws {
    let answer = ask(text)
    #expect(answer.status == 422)
    #expect(try answer.json(Problem.self).detail.hasSuffix("."))
  }

  @Test func `a text is required`() {
    #expect(studio.send(.get, "/api/speech?language=en").status == 400)
  }

  @Test func `many requests at once are answered or put off, and none is lost`() async throws {
    let statuses = await withTaskGroup(of: Int.self) { group in
      for number in 0..<24 {
        group.addTask {
          studio.send(.get, "/api/speech?language=en&text=kick\(number)").status
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.count == 24)
    #expect(statuses.contains(200))
    #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 })
    #expect(ask("kick").status == 200)
  }
}
