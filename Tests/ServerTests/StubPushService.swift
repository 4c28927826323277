// A push service for tests: it takes messages, and opens them as the browsers would.

import CGnuTLS
import FoundationEssentials
import Synchronization
import Testing

@testable import Database
@testable import HTTPClient
@testable import Network
@testable import Server

/// A push service without a network. Its addresses end with the name of a browser.
final class StubPushService: Sendable {
  static let origin = "https://updates.push.services.mozilla.com"

  /// A message that came in, opened.
  struct Message: Sendable {
    let browser: String
    let headers: [String: String]
    let text: Notice
  }

  /// What a device is told.
  struct Notice: Sendable, Decodable, Equatable {
    let language: String
    let routine: String
    let part: String
    let comment: String
    let who: String
    let `where`: [String]
    let text: String
    let isMention: Bool
  }

  private struct State {
    var browsers: [String: (key: AgreementKey, authentication: [UInt8])] = [:]
    var messages: [Message] = []
    var answer: @Sendable (String) throws -> HTTPClient.Response = { _ in
      HTTPClient.Response(status: 201)
    }
    var onArrival: @Sendable (Message) -> Void = { _ in }
    var attempts = 0
  }

  private let state = Mutex(State())

  /// The messages that were accepted.
  var messages: [Message] { state.withLock { $0.messages } }
  /// How many requests came in.
  var attempts: Int { state.withLock { $0.attempts } }

  /// The browsers to which the accepted messages went, and forgets the messages.
  func taken() -> [Message] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Answers all further requests in this way. `answer` gets the name of the browser.
  func answer(_ answer: @escaping @Sendable (String) throws -> HTTPClient.Response) {
    state.withLock { $0.answer = answer }
  }

  /// Calls this with each message that comes in, accepted or not.
  func onArrival(_ body: @escaping @Sendable (Message) -> Void) {
    state.withLock { $0.onArrival = body }
  }

  /// The options of a server that sends here.
  var options: PushOptions {
    get throws {
      let options = PushOptions(
        contact: "mailto:you@school.example", services: PushServices(),
        send: { [self] request in try take(request) })
      return try #require(options)
    }
  }

  /// Subscribes a browser.
  func subscribe(
    _ browser: String, level: PushSubscription.Level = .mentions, language: String = "en"
  ) -> PushSubscription {
    let key = AgreementKey()
    let authentication = (0..<16).map { _ in UInt8.random(in: 0...255) }
    state.withLock { $0.browsers[browser] = (key, authentication) }
    return PushSubscription(
      endpoint: "\(Self.origin)/wpush/v2/\(browser)",
      publicKey: Base64URL.encode(key.publicKey),
      authentication: Base64URL.encode(authentication), level: level, language: language)
  }

  private func take(_ request: HTTPClient.Request) throws -> HTTPClient.Response {
    let browser = String(request.url.split(separator: "/").last ?? "")
    let (answer, onArrival, known) = state.withLock { state in
      state.attempts += 1
      return (state.answer, state.onArrival, state.browsers[browser])
    }
    #expect(request.method == "POST")
    let (key, authentication) = try #require(known)
    let text = try open(request.body ?? [], key, authentication)
    let message = Message(
      browser: browser,
      headers: Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) }),
      text: try JSONDecoder().decode(Notice.self, from: Data(text)))
    onArrival(message)
    let response = try answer(browser)
    if response.status < 300 { state.withLock { $0.messages.append(message) } }
    return response
  }

  /// Opens a message, as RFC 8291 has it, section 3.4.
  private func open(
    _ body: [UInt8], _ key: AgreementKey, _ authentication: [UInt8]
  ) throws -> [UInt8] {
    try #require(body.count > 86 && body[20] == 65)
    let (salt, sender) = (Array(body[..<16]), Array(body[21..<86]))
    let agreed = try #require(key.agree(with: sender))
    let secret = PushMessage.expand(
      PushMessage.extract(agreed, salt: authentication),
      Array("WebPush: info\0".utf8) + key.publicKey + sender, 32)
    let root = PushMessage.extract(secret, salt: salt)
    let cipherKey = PushMessage.expand(root, Array("Content-Encoding: aes128gcm\0".utf8), 16)
    let nonce = PushMessage.expand(root, Array("Content-Encoding: nonce\0".utf8), 12)
    var handle: gnutls_aead_cipher_hd_t?
    try #require(
      withDatum(cipherKey) { gnutls_aead_cipher_init(&handle, GNUTLS_CIPHER_AES_128_GCM, &$0) }
        == 0)
    defer { gnutls_aead_cipher_deinit(handle) }
    let sealed = Array(body[86...])
    var text = [UInt8](repeating: 0, count: sealed.count)
    var count = text.count
    try #require(
      gnutls_aead_cipher_decrypt(
        handle, nonce, nonce.count, nil, 0, 16, sealed, sealed.count, &text, &count) == 0)
    let end = try #require(text[..<count].lastIndex { $0 != 0 })
    #expect(text[end] == 2)
    return Array(text[..<end])
  }
}
