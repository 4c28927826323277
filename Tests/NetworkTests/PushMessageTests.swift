// Messages for browsers and the keys they need, against the examples of RFC 8291 (section 5, appendix A)
// and against what subscriptions should not hold.

import CGnuTLS
import FoundationEssentials
import Testing

@testable import Network

@Suite struct PushMessageTests {
  /// The example of RFC 8291.
  private enum Example {
    static let text = "When I grow up, I want to be a watermelon"
    static let senderSecret = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let senderPublicKey =
      "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    static let browserSecret = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let browserPublicKey =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let agreed = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"
    static let authentication = "BTBZMqHH6r4Tts7J_aSIgg"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    static let body =
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
      + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
      + "gSxsj_Qulcy4a-fN"
  }

  private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

  private func keys() throws -> PushKeys {
    try #require(
      PushKeys(
        publicKey: Example.browserPublicKey, authentication: Example.authentication))
  }

  @Test func `a private number gives the public key of the example`() throws {
    for (secret, publicKey) in [
      (Example.senderSecret, Example.senderPublicKey),
      (Example.browserSecret, Example.browserPublicKey),
    ] {
      let key = try #require(AgreementKey(secret: try bytes(secret)))
      #expect(Base64URL.encode(key.publicKey) == publicKey)
    }
  }

  @Test func `both sides agree on the secret of the example`() throws {
    let sender = try #require(AgreementKey(secret: try bytes(Example.senderSecret)))
    let browser = try #require(AgreementKey(secret: try bytes(Example.browserSecret)))
    #expect(sender.agree(with: browser.publicKey).map(Base64URL.encode) == Example.agreed)
    #expect(browser.agree(with: sender.publicKey).map(Base64URL.encode) == Example.agreed)
  }

  @Test func `the example is encrypted to the same bytes`() throws {
    let body = PushMessage.encrypt(
      Array(Example.text.utf8), for: try keys(),
      by: try #require(AgreementKey(secret: try bytes(Example.senderSecret))),
      salt: try bytes(Example.salt), paddedBytes: Example.text.utf8.count + 1)
    #expect(Base64URL.encode(body) == Example.body)
  }

  @Test func `two messages are equally long and have nothing in common but the size of a record`()
    throws
  {
    let short = PushMessage.encrypt([], for: try keys())
    let long = PushMessage.encrypt(
      [UInt8](repeating: 65, count: PushMessage.longestText), for: try keys())
    #expect(short.count == long.count)
    #expect(short.count == 86 + PushMessage.paddedBytes + 16)
    #expect(short[0..<16] != long[0..<16])
    #expect(short[21..<86] != long[21..<86])
    let again = PushMessage.encrypt([], for: try keys())
    #expect(short[86...] != again[86...])
  }

  @Test func `new keys differ, and two of them agree`() throws {
    let (first, second) = (AgreementKey(), AgreementKey())
    #expect(first.secret != second.secret)
    #expect(first.publicKey.count == 65)
    let agreed = try #require(first.agree(with: second.publicKey))
    #expect(agreed == second.agree(with: first.publicKey))
    #expect(agreed.count == 32)
  }

  /// The order of the curve, and its prime (SEC 2, section 2.4.2).
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]
  private static let prime: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
    + [UInt8](repeating: 0xFF, count: 12)

  @Test func `a private number is above 0 and below the order of the curve`() {
    let zero = [UInt8](repeating: 0, count: 32)
    let one = Array(zero.dropLast()) + [1]
    var last = Self.order
    last[31] -= 1
    for wrong in [
      zero, Self.order, [UInt8](repeating: 255, count: 32), [], Array(one.dropFirst()),
    ] {
      #expect(AgreementKey(secret: wrong) == nil, "\(wrong)")
    }
    #expect(AgreementKey(secret: one) != nil)
    #expect(AgreementKey(secret: last) != nil)
    #expect(AgreementKey(secret: [0] + one) == nil)
  }

  @Test func `nothing is agreed on with what is no point of the curve`() throws {
    let key = AgreementKey()
    let point = AgreementKey().publicKey
    var wrong: [String: [UInt8]] = [
      "nothing": [], "infinity": [0], "zeros": [4] + [UInt8](repeating: 0, count: 64),
      "too short": Array(point.dropLast()), "too long": point + [0],
      "the short form": [2 + point[64] % 2] + point[1...32],
      "the mixed form": [6 + point[64] % 2] + point[1...],
      "a coordinate that is the prime": [4] + Self.prime + point[33...],
      "a coordinate above the prime": [4] + [UInt8](repeating: 255, count: 32) + point[33...],
      "exchanged coordinates": [4] + point[33...] + point[1...32],
    ]
    for index in [1, 32, 33, 64] {
      var moved = point
      moved[index] ^= 1
      wrong["another byte \(index)"] = moved
    }
    for (name, bytes) in wrong { #expect(key.agree(with: bytes) == nil, "\(name)") }
    #expect(key.agree(with: point) != nil)
  }

  @Test func `a subscription needs a point and 16 bytes, both in base64url`() throws {
    let (point, shared) = (Example.browserPublicKey, Example.authentication)
    #expect(PushKeys(publicKey: point, authentication: shared) != nil)
    let wrongPoints = [
      "", "=", point + "=", point + "A", String(point.dropLast()), String(point.dropFirst()),
      "C" + point.dropFirst(), point.replacingOccurrence(of: "_", with: "/"), "not base64!",
      point + " ", "Ä" + point.dropFirst(), String(repeating: "B", count: 1_000_000),
    ]
    for wrong in wrongPoints {
      #expect(PushKeys(publicKey: wrong, authentication: shared) == nil, "\(wrong.prefix(90))")
    }
    for wrong in [
      "", shared + "A", shared + "==", String(shared.dropLast(2)), "BTBZMqHH6r4Tts7J+aSIgg",
      String(repeating: "A", count: 43), String(repeating: "A", count: 100_000),
    ] {
      #expect(PushKeys(publicKey: point, authentication: wrong) == nil, "\(wrong.prefix(60))")
    }
  }

  @Test func `a token names the service, its end and the contact, and the server's key signs it`()
    throws
  {
    let key = AgreementKey()
    let identity = PushIdentity(key: key, contact: "mailto:you@school.example")
    #expect(identity.publicKey == Base64URL.encode(key.publicKey))
    // Numbers with zeros in front come once in 128 signatures.
    for now in 1_000..<1_300 {
      let field = try identity.authorization(for: "https://push.example", now: now)
      let parts = try #require(field.wholeMatch(of: /vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)/))
      #expect(parts.4 == identity.publicKey)
      let head = String(decoding: try bytes(String(parts.1)), as: UTF8.self)
      #expect(head == #"{"typ":"JWT","alg":"ES256"}"#)
      #expect(
        String(decoding: try bytes(String(parts.2)), as: UTF8.self)
          == #"{"aud":"https://push.example","exp":\#(now + 43_200),"#
          + #""sub":"mailto:you@school.example"}"#)
      let signature = try bytes(String(parts.3))
      #expect(signature.count == 64)
      let text = Array("\(parts.1).\(parts.2)".utf8)
      #expect(try isSigned(text, signature, by: key.publicKey))
      #expect(try !isSigned(text + [0], signature, by: key.publicKey))
    }
  }

  private func isSigned(
    _ text: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]
  ) throws -> Bool {
    var key: gnutls_pubkey_t?
    try #require(gnutls_pubkey_init(&key) == 0)
    defer { gnutls_pubkey_deinit(key) }
    let imported = withDatum(Array(publicKey[1...32])) { x in
      withDatum(Array(publicKey[33...])) { y in
        gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_SECP256R1, &x, &y)
      }
    }
    try #require(imported == 0)
    var der = gnutls_datum_t()
    let encoded = withDatum(Array(signature[..<32])) { r in
      withDatum(Array(signature[32...])) { s in gnutls_encode_rs_value(&der, &r, &s) }
    }
    try #require(encoded == 0)
    defer { segmance_gnutls_free(der.data) }
    return withDatum(text) {
      gnutls_pubkey_verify_data2(key, GNUTLS_SIGN_ECDSA_SHA256, 0, &$0, &der)
    } >= 0
  }
}

extension String {
  fileprivate func replacingOccurrence(of old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}
