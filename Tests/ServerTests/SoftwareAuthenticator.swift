// An authenticator and its browser in software, which make and use passkeys as Web Authentication says.

import CGnuTLS
import FoundationEssentials

/// Holds one passkey. Each part of what it returns can be changed.
final class SoftwareAuthenticator {
  /// The kinds of keys.
  enum Kind: CaseIterable {
    case es256, edDSA, rs256

    var number: Int {
      switch self {
      case .es256: -7
      case .edDSA: -8
      case .rs256: -257
      }
    }
  }

  let kind: Kind
  /// The id of its credential.
  var id: [UInt8]
  var origin = "https://studio.example"
  var host = "studio.example"
  var crossOrigin = false
  /// Present (1), verified (4).
  var flags: UInt8 = 5
  var counter: UInt32 = 0
  private let key: gnutls_privkey_t

  init(_ kind: Kind = .es256) {
    self.kind = kind
    id = (0..<20).map { _ in UInt8.random(in: 0...255) }
    var made: gnutls_privkey_t?
    gnutls_privkey_init(&made)
    key = made!
    let (algorithm, bits): (gnutls_pk_algorithm_t, UInt32) =
      switch kind {
      case .es256: (GNUTLS_PK_ECDSA, segmance_curve_bits())
      case .edDSA: (GNUTLS_PK_EDDSA_ED25519, 0)
      case .rs256: (GNUTLS_PK_RSA, 2_048)
      }
    precondition(gnutls_privkey_generate2(key, algorithm, bits, 0, nil, 0) == 0)
  }

  deinit { gnutls_privkey_deinit(key) }

  /// The public key, DER.
  var publicKey: [UInt8] {
    var made: gnutls_pubkey_t?
    gnutls_pubkey_init(&made)
    defer { gnutls_pubkey_deinit(made) }
    precondition(gnutls_pubkey_import_privkey(made, key, 0, 0) == 0)
    var datum = gnutls_datum_t()
    precondition(gnutls_pubkey_export2(made, GNUTLS_X509_FMT_DER, &datum) == 0)
    defer { segmance_gnutls_free(datum.data) }
    return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
  }

  /// What the browser returns for a new passkey, as JSON.
  func create(_ challenge: String) -> String {
    let length = [UInt8(id.count >> 8), UInt8(id.count & 255)]
    let data = authenticatorData(flags | 64) + [UInt8](repeating: 0, count: 16) + length + id
    return """
      {"id":"\(text(id))","clientDataJSON":"\(text(clientData("webauthn.create", challenge)))",\
      "authenticatorData":"\(text(data))","publicKey":"\(text(publicKey))","algorithm":\(kind.number)}
      """
  }

  /// What the browser returns for a signature, as JSON.
  func sign(_ challenge: String, type: String = "webauthn.get") -> String {
    let client = clientData(type, challenge)
    let data = authenticatorData(flags)
    return """
      {"id":"\(text(id))","clientDataJSON":"\(text(client))","authenticatorData":"\(text(data))",\
      "signature":"\(text(signature(data + Self.sha256(client))))"}
      """
  }

  private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
    Array(
      """
      {"type":"\(type)","challenge":"\(challenge)","origin":"\(origin)","crossOrigin":\(crossOrigin)}
      """.utf8)
  }

  private func authenticatorData(_ flags: UInt8) -> [UInt8] {
    let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
    return Self.sha256(Array(host.utf8)) + [flags] + count
  }

  private func signature(_ message: [UInt8]) -> [UInt8] {
    var message = message
    var signature = gnutls_datum_t()
    let algorithm: gnutls_sign_algorithm_t =
      switch kind {
      case .es256: GNUTLS_SIGN_ECDSA_SHA256
      case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
      case .rs256: GNUTLS_SIGN_RSA_SHA256
      }
    let result = message.withUnsafeMutableBufferPointer { buffer in
      var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
      return gnutls_privkey_sign_data2(key, algorithm, 0, &datum, &signature)
    }
    precondition(result == 0)
    defer { segmance_gnutls_free(signature.data) }
    return Array(UnsafeBufferPointer(start: signature.data, count: Int(signature.size)))
  }

  private func text(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().split(separator: "=")[0]
      .map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
  }

  private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    return digest
  }
}
