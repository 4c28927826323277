// Public keys of others, and the signatures that they verify.

import CGnuTLS

/// How something is signed. The numbers are those of COSE (RFC 9053).
public enum SignatureAlgorithm: Int, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256, which every authenticator has.
  case es256 = -7
  /// Ed25519.
  case edDSA = -8
  /// RSASSA-PKCS1-v1_5 with SHA-256, which older Windows machines and every provider of OpenID Connect
  /// have.
  case rs256 = -257

  fileprivate var signature: gnutls_sign_algorithm_t {
    switch self {
    case .es256: GNUTLS_SIGN_ECDSA_SHA256
    case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
    case .rs256: GNUTLS_SIGN_RSA_SHA256
    }
  }
}

/// A public key of GnuTLS.
final class PublicKey {
  /// The fewest bits of an RSA key (RFC 7518, section 3.3).
  private static let leastRSABits: UInt32 = 2_048

  private let handle: gnutls_pubkey_t

  /// Reads a key from its DER; nil if it is not one.
  convenience init?(der: [UInt8]) {
    self.init { key in withDatum(der) { gnutls_pubkey_import(key, $0, GNUTLS_X509_FMT_DER) } }
  }

  /// Makes an RSA key of its numbers, the most significant byte first; nil if they can't be one.
  convenience init?(modulus: [UInt8], exponent: [UInt8]) {
    self.init { key in
      withDatum(modulus) { modulus in
        withDatum(exponent) { gnutls_pubkey_import_rsa_raw(key, modulus, $0) }
      }
    }
  }

  /// Makes a key of a point on P-256, 32 bytes for each coordinate; nil if it is not on the curve.
  convenience init?(x: [UInt8], y: [UInt8]) {
    self.init { key in
      withDatum(x) { x in
        withDatum(y) { gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_SECP256R1, x, $0) }
      }
    }
  }

  /// Makes an Ed25519 key of its 32 bytes; nil if they can't be one.
  convenience init?(ed25519 bytes: [UInt8]) {
    self.init { key in
      withDatum(bytes) { gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, $0, nil) }
    }
  }

  private init?(_ read: (gnutls_pubkey_t) -> Int32) {
    var made: gnutls_pubkey_t?
    guard gnutls_pubkey_init(&made) == 0, let made else { return nil }
    handle = made
    guard read(made) == 0 else { return nil }
  }

  deinit { gnutls_pubkey_deinit(handle) }

  /// Whether the key is one of this algorithm.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    var bits: UInt32 = 0
    let kind = gnutls_pubkey_get_pk_algorithm(handle, &bits)
    switch algorithm {
    case .es256:
      var curve = GNUTLS_ECC_CURVE_INVALID
      gnutls_pubkey_export_ecc_raw2(handle, &curve, nil, nil, 0)
      return kind == Int32(GNUTLS_PK_ECDSA.rawValue) && curve == GNUTLS_ECC_CURVE_SECP256R1
    case .edDSA: return kind == Int32(GNUTLS_PK_EDDSA_ED25519.rawValue)
    case .rs256: return kind == Int32(GNUTLS_PK_RSA.rawValue) && bits >= Self.leastRSABits
    }
  }

  /// Whether the key's owner signed `message`. A signature by ECDSA is in DER.
  func verifies(
    _ message: [UInt8], _ signature: [UInt8], _ algorithm: SignatureAlgorithm
  ) -> Bool {
    withDatum(message) { message in
      withDatum(signature) { signature in
        gnutls_pubkey_verify_data2(handle, algorithm.signature, 0, message, signature)
      }
    } >= 0
  }
}

extension PublicKey {
  /// The DER of an ECDSA signature on P-256 that is given as its two numbers, 32 bytes each (RFC 7518,
  /// section 3.4); nil if it is not one.
  static func der(ofNumbers signature: [UInt8]) -> [UInt8]? {
    guard signature.count == 64 else { return nil }
    var made = gnutls_datum_t()
    let result = withDatum(Array(signature[..<32])) { r in
      withDatum(Array(signature[32...])) { gnutls_encode_rs_value(&made, r, $0) }
    }
    guard result == 0, let data = made.data else { return nil }
    defer { segmance_gnutls_free(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(made.size)))
  }
}

/// Passes bytes to GnuTLS, which only reads them.
private func withDatum(
  _ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Int32
) -> Int32 {
  var bytes = bytes
  return bytes.withUnsafeMutableBufferPointer { buffer in
    var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
    return body(&datum)
  }
}
