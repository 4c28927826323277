// Public keys of others, and the signatures that they verify.

import CGnuTLS

/// How something is signed. The numbers are those of COSE (RFC 9053).
public enum SignatureAlgorithm: Int, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256, which every authenticator has.
  case es256 = -7
  /// ECDSA on P-384 with SHA-384.
  case es384 = -35
  /// Ed25519.
  case edDSA = -8
  /// RSASSA-PKCS1-v1_5 with SHA-256, which older Windows machines and every provider of OpenID Connect
  /// have.
  case rs256 = -257
  /// The same with longer hashes.
  case rs384 = -258
  case rs512 = -259

  fileprivate var signature: gnutls_sign_algorithm_t {
    switch self {
    case .es256: GNUTLS_SIGN_ECDSA_SHA256
    case .es384: GNUTLS_SIGN_ECDSA_SHA384
    case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
    case .rs256: GNUTLS_SIGN_RSA_SHA256
    case .rs384: GNUTLS_SIGN_RSA_SHA384
    case .rs512: GNUTLS_SIGN_RSA_SHA512
    }
  }

  /// The curve of its keys; nil if it signs without one.
  fileprivate var curve: gnutls_ecc_curve_t? {
    switch self {
    case .es256: GNUTLS_ECC_CURVE_SECP256R1
    case .es384: GNUTLS_ECC_CURVE_SECP384R1
    case .edDSA: GNUTLS_ECC_CURVE_ED25519
    case .rs256, .rs384, .rs512: nil
    }
  }

  /// The bytes of each of the two numbers of a signature by ECDSA; nil for other algorithms.
  fileprivate var numberSize: Int? {
    switch self {
    case .es256: 32
    case .es384: 48
    case .edDSA, .rs256, .rs384, .rs512: nil
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

  /// Makes a key of a point on the curve of `algorithm`; nil if it is not on it. Of Ed25519 only `x` is
  /// given.
  convenience init?(x: [UInt8], y: [UInt8]?, _ algorithm: SignatureAlgorithm) {
    guard let curve = algorithm.curve else { return nil }
    self.init { key in
      withDatum(x) { x in
        guard let y else { return gnutls_pubkey_import_ecc_raw(key, curve, x, nil) }
        return withDatum(y) { gnutls_pubkey_import_ecc_raw(key, curve, x, $0) }
      }
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
    case .es256, .es384:
      var curve = GNUTLS_ECC_CURVE_INVALID
      gnutls_pubkey_export_ecc_raw2(handle, &curve, nil, nil, 0)
      return kind == Int32(GNUTLS_PK_ECDSA.rawValue) && curve == algorithm.curve
    case .edDSA: return kind == Int32(GNUTLS_PK_EDDSA_ED25519.rawValue)
    case .rs256, .rs384, .rs512:
      return kind == Int32(GNUTLS_PK_RSA.rawValue) && bits >= Self.leastRSABits
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
  /// The form in which a signature of a token is verified (RFC 7518, section 3.4): by ECDSA it is given as
  /// two numbers, and verified as DER. nil if it is not one.
  static func signature(ofToken signature: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
    guard let size = algorithm.numberSize else { return signature }
    guard signature.count == 2 * size else { return nil }
    var made = gnutls_datum_t()
    let result = withDatum(Array(signature[..<size])) { r in
      withDatum(Array(signature[size...])) { gnutls_encode_rs_value(&made, r, $0) }
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
