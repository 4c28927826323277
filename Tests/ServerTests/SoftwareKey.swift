// A private key in software, for tests of what others sign.

import CGnuTLS
import FoundationEssentials

/// A key pair of GnuTLS, which doesn't change once it is made.
final class SoftwareKey: @unchecked Sendable {
  /// The kinds of keys.
  enum Kind: CaseIterable {
    case es256, es384, edDSA, rs256, rs384, rs512

    /// Those of passkeys.
    static let ofPasskeys = [es256, edDSA, rs256]

    /// As COSE numbers it.
    var number: Int {
      switch self {
      case .es256: -7
      case .es384: -35
      case .edDSA: -8
      case .rs256: -257
      case .rs384: -258
      case .rs512: -259
      }
    }

    /// As tokens name it.
    var name: String {
      switch self {
      case .es256: "ES256"
      case .es384: "ES384"
      case .edDSA: "EdDSA"
      case .rs256: "RS256"
      case .rs384: "RS384"
      case .rs512: "RS512"
      }
    }

    /// The bytes of a number of its signatures, if it is by ECDSA.
    var numberSize: Int { self == .es384 ? 48 : 32 }
  }

  let kind: Kind
  private let key: gnutls_privkey_t

  init(_ kind: Kind, rsaBits: UInt32 = 2_048) {
    self.kind = kind
    var made: gnutls_privkey_t?
    gnutls_privkey_init(&made)
    key = made!
    let (algorithm, bits): (gnutls_pk_algorithm_t, UInt32) =
      switch kind {
      case .es256: (GNUTLS_PK_ECDSA, segmance_curve_bits())
      case .es384: (GNUTLS_PK_ECDSA, segmance_curve_bits_384())
      case .edDSA: (GNUTLS_PK_EDDSA_ED25519, 0)
      case .rs256, .rs384, .rs512: (GNUTLS_PK_RSA, rsaBits)
      }
    precondition(gnutls_privkey_generate2(key, algorithm, bits, 0, nil, 0) == 0)
  }

  deinit { gnutls_privkey_deinit(key) }

  /// The public key, DER.
  var publicKey: [UInt8] {
    withPublicKey { made in
      var datum = gnutls_datum_t()
      precondition(gnutls_pubkey_export2(made, GNUTLS_X509_FMT_DER, &datum) == 0)
      return Self.taken(datum)
    }
  }

  /// The public key as the fields of a JSON Web Key (RFC 7517, RFC 7518, section 6, and RFC 8037).
  var webKey: [String: String] {
    withPublicKey { made in
      var (first, second) = (gnutls_datum_t(), gnutls_datum_t())
      switch kind {
      case .rs256, .rs384, .rs512:
        precondition(gnutls_pubkey_export_rsa_raw2(made, &first, &second, 0) == 0)
        return [
          "kty": "RSA", "n": Self.base64url(Self.taken(first)),
          "e": Self.base64url(Self.taken(second)),
        ]
      case .es256, .es384:
        precondition(gnutls_pubkey_export_ecc_raw2(made, nil, &first, &second, 0) == 0)
        return [
          "kty": "EC", "crv": kind == .es256 ? "P-256" : "P-384",
          "x": Self.base64url(padded(Self.taken(first))),
          "y": Self.base64url(padded(Self.taken(second))),
        ]
      case .edDSA:
        precondition(gnutls_pubkey_export_ecc_raw2(made, nil, &first, nil, 0) == 0)
        return ["kty": "OKP", "crv": "Ed25519", "x": Self.base64url(Self.taken(first))]
      }
    }
  }

  /// Signs; by ECDSA in DER.
  func sign(_ message: [UInt8]) -> [UInt8] {
    var message = message
    var signature = gnutls_datum_t()
    let algorithm: gnutls_sign_algorithm_t =
      switch kind {
      case .es256: GNUTLS_SIGN_ECDSA_SHA256
      case .es384: GNUTLS_SIGN_ECDSA_SHA384
      case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
      case .rs256: GNUTLS_SIGN_RSA_SHA256
      case .rs384: GNUTLS_SIGN_RSA_SHA384
      case .rs512: GNUTLS_SIGN_RSA_SHA512
      }
    let result = message.withUnsafeMutableBufferPointer { buffer in
      var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
      return gnutls_privkey_sign_data2(key, algorithm, 0, &datum, &signature)
    }
    precondition(result == 0)
    return Self.taken(signature)
  }

  /// Signs as tokens are signed: by ECDSA, two numbers of equal length.
  func signToken(_ message: [UInt8]) -> [UInt8] {
    guard kind == .es256 || kind == .es384 else { return sign(message) }
    var der = sign(message)
    var (r, s) = (gnutls_datum_t(), gnutls_datum_t())
    let result = der.withUnsafeMutableBufferPointer { buffer in
      var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
      return gnutls_decode_rs_value(&datum, &r, &s)
    }
    precondition(result == 0)
    return padded(Self.taken(r)) + padded(Self.taken(s))
  }

  private func withPublicKey<Result>(_ body: (gnutls_pubkey_t) -> Result) -> Result {
    var made: gnutls_pubkey_t?
    gnutls_pubkey_init(&made)
    defer { gnutls_pubkey_deinit(made) }
    precondition(gnutls_pubkey_import_privkey(made, key, 0, 0) == 0)
    return body(made!)
  }

  /// The bytes that GnuTLS allocated.
  private static func taken(_ datum: gnutls_datum_t) -> [UInt8] {
    defer { segmance_gnutls_free(datum.data) }
    return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
  }

  /// A number in as many bytes as each has.
  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    let bytes = Array(bytes.drop { $0 == 0 })
    return [UInt8](repeating: 0, count: kind.numberSize - bytes.count) + bytes
  }

  static func base64url(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().filter { $0 != "=" }
      .map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
    return digest
  }
}
