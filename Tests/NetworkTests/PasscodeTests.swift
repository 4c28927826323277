// Passcodes: hashed with a salt, and matched whole.

import Testing

@testable import Network

@Suite struct PasscodeTests {
  @Test func `a passcode matches its own hash alone, which differs each time`() throws {
    let hash = try Passcode.hash("plié 🩰")
    #expect(hash.hasPrefix("$y$"))
    #expect(try Passcode.hash("plié 🩰") != hash)
    #expect(try Passcode.matches("plié 🩰", hash))
    for wrong in ["", "plie", "plié 🩰 ", "plié 🩰\u{0}", hash] {
      #expect(try !Passcode.matches(wrong, hash), "\(wrong)")
    }
  }

  @Test func `long passcodes count to their end`() throws {
    let long = String(repeating: "🩰", count: 400)
    let hash = try Passcode.hash(long + "a")
    #expect(try Passcode.matches(long + "a", hash))
    #expect(try !Passcode.matches(long + "b", hash))
  }

  @Test func `what is no hash matches nothing`() {
    for text in ["", "*0", "plain", "$y$", "$9$x$y"] {
      #expect((try? Passcode.matches("secret", text)) != true, "\(text)")
    }
  }

  @Test func `a token is derived from secret and salt alone, and is as long as a random one`() {
    let token = Token.derive(from: "secret", salt: "salt")
    #expect(token == Token.derive(from: "secret", salt: "salt"))
    #expect(token.utf8.count == Token().text.utf8.count)
    #expect(token != Token.derive(from: "secret", salt: "pepper"))
    #expect(token != Token.derive(from: "Secret", salt: "salt"))
  }
}
