// X.509 certificates and keys, as GnuTLS holds them.

import CGnuTLS
import FoundationEssentials
import HTTP
import Text

/// A sentence that says why a certificate or key can't be used.
public struct CertificateError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// Throws if a call of GnuTLS failed.
  static func check(_ result: Int32, _ action: String) throws(CertificateError) {
    guard result < 0 else { return }
    throw CertificateError("Could not \(action): \(String(cString: gnutls_strerror(result))).")
  }
}

/// An X.509 certificate.
public final class Certificate {
  let handle: gnutls_x509_crt_t

  /// Makes an empty certificate.
  init() throws(CertificateError) {
    var made: gnutls_x509_crt_t?
    try CertificateError.check(gnutls_x509_crt_init(&made), "make a certificate")
    guard let made else { throw CertificateError("Could not make a certificate.") }
    handle = made
  }

  /// Reads the first certificate of a PEM text.
  public convenience init(pem: String) throws(CertificateError) {
    try self.init()
    let handle = handle
    let result = withDatum(Array(pem.utf8)) {
      gnutls_x509_crt_import(handle, &$0, GNUTLS_X509_FMT_PEM)
    }
    try CertificateError.check(result, "read the certificate")
  }

  deinit { gnutls_x509_crt_deinit(handle) }

  /// The certificate as a PEM text.
  public func pem() throws(CertificateError) -> String {
    String(decoding: try exported(GNUTLS_X509_FMT_PEM), as: UTF8.self)
  }

  /// The certificate as DER, which devices install.
  public func der() throws(CertificateError) -> [UInt8] { try exported(GNUTLS_X509_FMT_DER) }

  private func exported(_ format: gnutls_x509_crt_fmt_t) throws(CertificateError) -> [UInt8] {
    var datum = gnutls_datum_t()
    try CertificateError.check(
      gnutls_x509_crt_export2(handle, format, &datum), "write the certificate")
    return taken(datum)
  }

  /// The SHA-256 of the certificate as devices show it: pairs of hexadecimal digits with colons.
  public func fingerprint() throws(CertificateError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    var size = bytes.count
    try CertificateError.check(
      gnutls_x509_crt_get_fingerprint(handle, GNUTLS_DIG_SHA256, &bytes, &size),
      "hash the certificate")
    return bytes.map { $0.padded(to: 2, radix: 16).uppercased() }.joined(separator: ":")
  }

  /// The start of its validity, in seconds since 1970.
  public var validFrom: Int { Int(gnutls_x509_crt_get_activation_time(handle)) }

  /// The end of its validity, in seconds since 1970.
  public var validUntil: Int { Int(gnutls_x509_crt_get_expiration_time(handle)) }

  /// The host names of the certificate.
  public var names: [String] {
    alternatives(GNUTLS_SAN_DNSNAME).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The IP addresses of the certificate.
  public var addresses: [IPAddress] {
    alternatives(GNUTLS_SAN_IPADDRESS).compactMap { IPAddress(bytes: $0) }
  }

  private func alternatives(_ kind: gnutls_x509_subject_alt_name_t) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var index: UInt32 = 0
    while true {
      var bytes = [UInt8](repeating: 0, count: 512)
      var size = bytes.count
      let result = gnutls_x509_crt_get_subject_alt_name(handle, index, &bytes, &size, nil)
      if result == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { return found }
      if result == Int32(kind.rawValue) { found.append(Array(bytes[..<size])) }
      index += 1
    }
  }

  /// The key id, by which certificates name their issuer's key.
  func keyIdentifier() throws(CertificateError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    var size = bytes.count
    try CertificateError.check(
      gnutls_x509_crt_get_key_id(handle, 0, &bytes, &size), "identify a key")
    return Array(bytes[..<min(size, 20)])
  }
}

/// A private key.
public final class PrivateKey {
  let handle: gnutls_x509_privkey_t

  private init(empty: Void) throws(CertificateError) {
    var made: gnutls_x509_privkey_t?
    try CertificateError.check(gnutls_x509_privkey_init(&made), "make a key")
    guard let made else { throw CertificateError("Could not make a key.") }
    handle = made
  }

  /// Makes a new key on the curve P-256.
  public convenience init() throws(CertificateError) {
    try self.init(empty: ())
    try CertificateError.check(
      gnutls_x509_privkey_generate(handle, GNUTLS_PK_ECDSA, segmance_curve_bits(), 0), "make a key")
  }

  /// Reads a PEM text.
  public convenience init(pem: String) throws(CertificateError) {
    try self.init(empty: ())
    let handle = handle
    let result = withDatum(Array(pem.utf8)) {
      gnutls_x509_privkey_import2(handle, &$0, GNUTLS_X509_FMT_PEM, nil, 0)
    }
    try CertificateError.check(result, "read the private key")
  }

  deinit { gnutls_x509_privkey_deinit(handle) }

  /// The key as a PEM text.
  public func pem() throws(CertificateError) -> String {
    var datum = gnutls_datum_t()
    try CertificateError.check(
      gnutls_x509_privkey_export2_pkcs8(
        handle, GNUTLS_X509_FMT_PEM, nil, UInt32(GNUTLS_PKCS_PLAIN.rawValue), &datum),
      "write a key")
    return String(decoding: taken(datum), as: UTF8.self)
  }

  /// The key id; a certificate for this key has the same.
  func identifier() throws(CertificateError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    var size = bytes.count
    try CertificateError.check(
      gnutls_x509_privkey_get_key_id(handle, 0, &bytes, &size), "identify a key")
    return Array(bytes[..<min(size, 20)])
  }
}

extension CertificateFiles {
  /// Throws a sentence unless the key belongs to the certificate and both can be read.
  public func checked() throws(CertificateError) -> Certificate {
    let certificate = try Certificate(pem: chain)
    guard try certificate.keyIdentifier() == PrivateKey(pem: key).identifier() else {
      throw CertificateError("The private key does not belong to the certificate.")
    }
    return certificate
  }
}

/// Lends bytes to GnuTLS, which reads them during the call only.
func withDatum<Result>(_ bytes: [UInt8], _ body: (inout gnutls_datum_t) -> Result) -> Result {
  var copy = bytes
  return copy.withUnsafeMutableBufferPointer { buffer in
    var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
    return body(&datum)
  }
}

/// Takes over what GnuTLS allocated.
func taken(_ datum: gnutls_datum_t) -> [UInt8] {
  defer { segmance_gnutls_free(datum.data) }
  return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
}
