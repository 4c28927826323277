// Keys on the curve P-256 that agree on a secret with somebody else's (ECDH) and sign (ES256).

import CGnuTLS
import CHogweed

/// A private key on the curve P-256.
public struct AgreementKey: Sendable {
  /// The length of the private number, of a coordinate and of an agreed secret, in bytes.
  static let coordinateBytes = 32
  /// The length of a public key: a 4 and both coordinates.
  public static let publicKeyBytes = 1 + 2 * coordinateBytes

  /// The private number, which nobody else may see.
  public let secret: [UInt8]
  /// The public key, as an uncompressed point (SEC 1, section 2.3.3).
  public let publicKey: [UInt8]

  /// Makes a new key from the system's random numbers.
  public init() {
    var generator = SystemRandomNumberGenerator()
    while true {
      let bytes = (0..<Self.coordinateBytes).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
      // All but one of 2³² numbers are below the order of the curve.
      if let key = AgreementKey(secret: bytes) {
        self = key
        return
      }
    }
  }

  /// Takes up a key that was made earlier; nil if the bytes are not the number of one.
  public init?(secret: [UInt8]) {
    guard let scalar = Scalar(secret) else { return nil }
    self.secret = secret
    publicKey = [4] + Point(scalar).coordinates
  }

  /// Returns the secret that this key and another one's public key agree on: the first coordinate of
  /// their product. Nil if `publicKey` is not a point of the curve.
  public func agree(with publicKey: [UInt8]) -> [UInt8]? {
    guard let scalar = Scalar(secret), let point = Point(publicKey) else { return nil }
    return Array(point.multiplied(by: scalar).coordinates.prefix(Self.coordinateBytes))
  }

  /// Signs with SHA-256. Returns both numbers of the signature one after the other, as JSON Web
  /// Signatures have them (RFC 7518, section 3.4).
  public func sign(_ message: [UInt8]) -> [UInt8] {
    var made: gnutls_privkey_t?
    check(gnutls_privkey_init(&made))
    defer { gnutls_privkey_deinit(made) }
    let length = Self.coordinateBytes
    let (x, y) = (Array(publicKey[1...length]), Array(publicKey[(length + 1)...]))
    check(
      withDatum(x) { x in
        withDatum(y) { y in
          withDatum(secret) { number in
            gnutls_privkey_import_ecc_raw(made, GNUTLS_ECC_CURVE_SECP256R1, &x, &y, &number)
          }
        }
      })
    var (signature, r, s) = (gnutls_datum_t(), gnutls_datum_t(), gnutls_datum_t())
    check(
      withDatum(message) { gnutls_privkey_sign_data(made, GNUTLS_DIG_SHA256, 0, &$0, &signature) })
    check(gnutls_decode_rs_value(&signature, &r, &s))
    segmance_gnutls_free(signature.data)
    return Self.padded(taken(r)) + Self.padded(taken(s))
  }

  /// A number at its full length: GnuTLS may add a zero in front, or leave some out.
  private static func padded(_ number: [UInt8]) -> [UInt8] {
    let digits = number.drop { $0 == 0 }
    return [UInt8](repeating: 0, count: coordinateBytes - digits.count) + digits
  }

  /// Signing fails only where memory or random numbers do, and then nothing else works either.
  private func check(_ result: Int32) {
    precondition(result >= 0, "P-256 is always there.")
  }
}

/// A number from 1 up to the order of the curve.
private final class Scalar {
  fileprivate var value = ecc_scalar()

  init?(_ bytes: [UInt8]) {
    nettle_ecc_scalar_init(&value, nettle_get_secp_256r1())
    let number = BigNumber(bytes)
    guard bytes.count == AgreementKey.coordinateBytes,
      nettle_ecc_scalar_set(&value, &number.value) == 1
    else { return nil }
  }

  deinit { nettle_ecc_scalar_clear(&value) }
}

/// A point of the curve; never the one at infinity, which has no coordinates.
private final class Point {
  private var value = ecc_point()

  private init() { nettle_ecc_point_init(&value, nettle_get_secp_256r1()) }

  /// The point that belongs to a private number.
  convenience init(_ scalar: Scalar) {
    self.init()
    nettle_ecc_point_mul_g(&value, &scalar.value)
  }

  /// Reads an uncompressed point; nil if it is not on the curve.
  convenience init?(_ publicKey: [UInt8]) {
    self.init()
    guard publicKey.count == AgreementKey.publicKeyBytes, publicKey[0] == 4 else { return nil }
    let x = BigNumber(Array(publicKey[1...AgreementKey.coordinateBytes]))
    let y = BigNumber(Array(publicKey[(AgreementKey.coordinateBytes + 1)...]))
    guard nettle_ecc_point_set(&value, &x.value, &y.value) == 1 else { return nil }
  }

  deinit { nettle_ecc_point_clear(&value) }

  /// The product with a number. The curve has a prime order, so it is never the point at infinity.
  func multiplied(by scalar: Scalar) -> Point {
    let product = Point()
    nettle_ecc_point_mul(&product.value, &scalar.value, &value)
    return product
  }

  /// Both coordinates, each at its full length.
  var coordinates: [UInt8] {
    let (x, y) = (BigNumber([]), BigNumber([]))
    nettle_ecc_point_get(&value, &x.value, &y.value)
    return x.bytes(AgreementKey.coordinateBytes) + y.bytes(AgreementKey.coordinateBytes)
  }
}

/// A number of GMP.
private final class BigNumber {
  fileprivate var value = __mpz_struct()

  init(_ bytes: [UInt8]) { nettle_mpz_init_set_str_256_u(&value, bytes.count, bytes) }

  deinit { __gmpz_clear(&value) }

  func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    nettle_mpz_get_str_256(count, &bytes, &value)
    return bytes
  }
}
