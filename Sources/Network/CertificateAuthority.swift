// The certificate authority of one installation: made here, for this machine's names and private
// addresses only, so that a device that trusts it trusts nothing else with it.

import CGnuTLS
import FoundationEssentials
import HTTP
import Text

/// Makes certificates that devices believe once they have installed the authority's own.
public struct CertificateAuthority: Sendable {
  /// Ranges that belong to no one in particular: private, link-local, loopback, and those of
  /// carriers, which Tailscale uses (RFC 1918, 3927, 4193, 4291, 6598).
  static let ranges = [
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "127.0.0.0/8", "fd00::/8", "fe80::/10", "::1/128",
  ].compactMap(AddressRange.init)
  private static let day = 86_400
  /// Browsers refuse certificates that hold for longer than 398 days.
  private static let leafDays = 397
  private static let authorityDays = 3_652
  /// Authorities hold from 2020 on, whatever the clock says: one that was ahead when it was made would
  /// have it begin on a day that is yet to come for all devices.
  private static let authorityStart = 1_577_836_800

  /// The authority's certificate as PEM.
  public let certificate: String
  /// Its private key as PEM.
  public let key: String

  /// Takes up an authority that was made earlier; throws when its files don't fit together.
  public init(certificate: String, key: String) throws(CertificateError) {
    _ = try CertificateFiles(chain: certificate, key: key).checked()
    self.certificate = certificate
    self.key = key
  }

  private init(made certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Makes a new authority that may speak for these names, these addresses and the private ranges.
  ///
  /// - Parameter now: seconds since 1970.
  public static func make(
    names: [String], addresses: [IPAddress], now: Int
  ) throws(CertificateError) -> CertificateAuthority {
    let key = try PrivateKey()
    let certificate = try Certificate()
    let handle = certificate.handle
    let serial = try setBasics(
      certificate, key: key, from: authorityStart, until: now + authorityDays * day)
    let label =
      "Segmance on \(names.first ?? "this machine") (\(serial.hexadecimal.suffix(6)))"
    try setName(certificate, label)
    // May sign certificates of servers, but no further authorities.
    try CertificateError.check(
      gnutls_x509_crt_set_basic_constraints(handle, 1, 0), "limit the authority")
    try CertificateError.check(
      gnutls_x509_crt_set_key_usage(handle, segmance_key_cert_sign), "limit the authority")
    let own = addresses.filter { address in !ranges.contains { $0.contains(address) } }
    try setConstraints(
      certificate, names: names, ranges: ranges + own.compactMap { AddressRange($0.description) })
    try sign(certificate, by: certificate, key)
    return CertificateAuthority(made: try certificate.pem(), key: try key.pem())
  }

  /// Makes a certificate for a server; names and addresses that the authority may not speak for are
  /// left out.
  ///
  /// - Parameter now: seconds since 1970.
  public func issue(
    names: [String], addresses: [IPAddress], now: Int
  ) throws(CertificateError) -> CertificateFiles {
    let permitted = names.filter(permits)
    return try issueUnchecked(
      names: permitted, addresses: addresses.filter(permits), now: now)
  }

  /// Makes a certificate even for what devices will refuse to believe; tests show that they do.
  func issueUnchecked(
    names: [String], addresses: [IPAddress], now: Int
  ) throws(CertificateError) -> CertificateFiles {
    let issuer = try Certificate(pem: certificate)
    let issuerKey = try PrivateKey(pem: key)
    let leafKey = try PrivateKey()
    let leaf = try Certificate()
    let handle = leaf.handle
    let start = now - CertificateAuthority.day
    _ = try CertificateAuthority.setBasics(
      leaf, key: leafKey, from: start,
      until: start + CertificateAuthority.leafDays * CertificateAuthority.day)
    try CertificateAuthority.setName(
      leaf, names.first ?? addresses.first?.description ?? "Segmance")
    try CertificateError.check(
      gnutls_x509_crt_set_basic_constraints(handle, 0, -1), "limit the certificate")
    try CertificateError.check(
      gnutls_x509_crt_set_key_usage(handle, segmance_key_digital_signature),
      "limit the certificate")
    try CertificateError.check(
      gnutls_x509_crt_set_key_purpose_oid(handle, segmance_purpose_server, 0),
      "limit the certificate")
    for name in names {
      try CertificateAuthority.add(GNUTLS_SAN_DNSNAME, Array(name.utf8), to: leaf)
    }
    for address in addresses {
      try CertificateAuthority.add(GNUTLS_SAN_IPADDRESS, address.shortBytes, to: leaf)
    }
    try CertificateAuthority.sign(leaf, by: issuer, issuerKey)
    return CertificateFiles(chain: try leaf.pem(), key: try leafKey.pem())
  }

  /// Tells whether the authority may speak for a host name.
  public func permits(_ name: String) -> Bool { permits(GNUTLS_SAN_DNSNAME, Array(name.utf8)) }

  /// Tells whether the authority may speak for an address.
  public func permits(_ address: IPAddress) -> Bool {
    permits(GNUTLS_SAN_IPADDRESS, address.shortBytes)
  }

  private func permits(_ kind: gnutls_x509_subject_alt_name_t, _ bytes: [UInt8]) -> Bool {
    guard let own = try? Certificate(pem: certificate), let constraints = try? Constraints(),
      gnutls_x509_crt_get_name_constraints(own.handle, constraints.handle, 0, nil) >= 0
    else { return false }
    return withDatum(bytes) { gnutls_x509_name_constraints_check(constraints.handle, kind, &$0) }
      != 0
  }
}

/// What a certificate may speak for.
private final class Constraints {
  let handle: gnutls_x509_name_constraints_t

  init() throws(CertificateError) {
    var made: gnutls_x509_name_constraints_t?
    try CertificateError.check(gnutls_x509_name_constraints_init(&made), "limit the authority")
    guard let made else { throw CertificateError("Could not limit the authority.") }
    handle = made
  }

  deinit { gnutls_x509_name_constraints_deinit(handle) }
}

extension CertificateAuthority {
  /// Sets version, key, serial number and times; returns the serial number.
  private static func setBasics(
    _ certificate: Certificate, key: PrivateKey, from start: Int, until end: Int
  ) throws(CertificateError) -> [UInt8] {
    let handle = certificate.handle
    var generator = SystemRandomNumberGenerator()
    var serial = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    // Positive, and of a length that never changes.
    serial[0] = serial[0] & 0x3F | 0x40
    try CertificateError.check(gnutls_x509_crt_set_version(handle, 3), "make a certificate")
    try CertificateError.check(gnutls_x509_crt_set_key(handle, key.handle), "make a certificate")
    try CertificateError.check(
      gnutls_x509_crt_set_serial(handle, serial, serial.count), "make a certificate")
    try CertificateError.check(
      gnutls_x509_crt_set_activation_time(handle, start), "make a certificate")
    try CertificateError.check(
      gnutls_x509_crt_set_expiration_time(handle, end), "make a certificate")
    let identifier = try certificate.keyIdentifier()
    try CertificateError.check(
      gnutls_x509_crt_set_subject_key_id(handle, identifier, identifier.count),
      "make a certificate")
    return serial
  }

  private static func setName(_ certificate: Certificate, _ name: String) throws(CertificateError) {
    // A common name holds at most 64 characters (RFC 5280, appendix A).
    for (oid, text) in [
      (segmance_oid_organization, "Segmance"), (segmance_oid_common_name, String(name.prefix(64))),
    ] {
      let bytes = Array(text.utf8)
      try CertificateError.check(
        gnutls_x509_crt_set_dn_by_oid(certificate.handle, oid, 0, bytes, UInt32(bytes.count)),
        "name a certificate")
    }
  }

  private static func setConstraints(
    _ certificate: Certificate, names: [String], ranges: [AddressRange]
  ) throws(CertificateError) {
    let constraints = try Constraints()
    let permitted =
      names.map { (GNUTLS_SAN_DNSNAME, Array($0.utf8)) }
      + ranges.map { (GNUTLS_SAN_IPADDRESS, $0.constraint) }
    for (kind, bytes) in permitted {
      let result = withDatum(bytes) {
        gnutls_x509_name_constraints_add_permitted(constraints.handle, kind, &$0)
      }
      try CertificateError.check(result, "limit the authority")
    }
    try CertificateError.check(
      gnutls_x509_crt_set_name_constraints(certificate.handle, constraints.handle, 1),
      "limit the authority")
  }

  private static func add(
    _ kind: gnutls_x509_subject_alt_name_t, _ bytes: [UInt8], to certificate: Certificate
  ) throws(CertificateError) {
    try CertificateError.check(
      gnutls_x509_crt_set_subject_alt_name(
        certificate.handle, kind, bytes, UInt32(bytes.count), UInt32(GNUTLS_FSAN_APPEND)),
      "name a certificate")
  }

  private static func sign(
    _ certificate: Certificate, by issuer: Certificate, _ key: PrivateKey
  ) throws(CertificateError) {
    let identifier = try issuer.keyIdentifier()
    try CertificateError.check(
      gnutls_x509_crt_set_authority_key_id(certificate.handle, identifier, identifier.count),
      "sign a certificate")
    try CertificateError.check(
      gnutls_x509_crt_sign2(
        certificate.handle, issuer.handle, key.handle, GNUTLS_DIG_SHA256, 0),
      "sign a certificate")
  }
}
