// The CA's certificates, read and verified by openssl.

import FoundationEssentials
import HTTP
import TestSupport
import Testing

@testable import Network

@Suite struct CertificateAuthorityTests {
  private static let now = Int(Date().timeIntervalSince1970)
  private let folder: TemporaryFolder
  private let authority: CertificateAuthority

  init() throws {
    folder = try TemporaryFolder()
    authority = try CertificateAuthority.make(
      names: ["studio.local", "studio"], addresses: [address("203.0.113.7")],
      now: CertificateAuthorityTests.now)
    _ = try folder.write("authority.pem", Array(authority.certificate.utf8))
  }

  /// Runs openssl in the folder. Returns its exit status and output.
  private func openssl(_ words: String...) throws -> (status: Int32, text: String) {
    try Program.run("/usr/bin/openssl", words, in: folder.path)
  }

  private func verify(_ files: CertificateFiles, _ checks: String...) throws -> (Int32, String) {
    _ = try folder.write("leaf.pem", Array(files.chain.utf8))
    return try Program.run(
      "/usr/bin/openssl",
      ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "authority.pem"] + checks
        + ["leaf.pem"], in: folder.path)
  }

  @Test(arguments: [
    ["-verify_hostname", "studio.local"], ["-verify_hostname", "studio"],
    ["-verify_ip", "192.168.1.20"], ["-verify_ip", "fd00::2"], ["-verify_ip", "203.0.113.7"],
    ["-verify_ip", "100.101.102.103"],
  ])
  func `openssl trusts a certificate for this machine`(check: [String]) throws {
    let files = try authority.issue(
      names: ["studio.local", "studio"],
      addresses: ["192.168.1.20", "fd00::2", "203.0.113.7", "100.101.102.103"].map(address),
      now: CertificateAuthorityTests.now)
    let (status, text) = try verify(files, check[0], check[1])
    #expect(status == 0, "\(text)")
    #expect(try verify(files, "-verify_hostname", "example.com").0 != 0)
  }

  @Test(arguments: [
    (["example.com"], [String]()), (["studio.local.evil.example"], []), (["xstudio.local"], []),
    (["studio.local", "example.com"], []), (["studio.local"], ["8.8.8.8"]), ([], ["203.0.113.8"]),
    ([], ["2001:db8::1"]),
  ])
  func `the name constraints refuse a certificate for another host`(
    names: [String], addresses: [String]
  ) throws {
    let files = try authority.issueUnchecked(
      names: names, addresses: addresses.map(address), now: CertificateAuthorityTests.now)
    let (status, text) = try verify(files)
    #expect(status != 0)
    #expect(text.contains("permitted subtree violation"), "\(text)")
  }

  @Test func `names outside the constraints are omitted`() throws {
    let files = try authority.issue(
      names: ["studio.local", "example.com"], addresses: [address("8.8.8.8"), address("10.0.0.1")],
      now: CertificateAuthorityTests.now)
    let leaf = try Certificate(pem: files.chain)
    #expect(leaf.names == ["studio.local"])
    #expect(leaf.addresses == [address("10.0.0.1")])
    #expect(try verify(files).0 == 0)
  }

  @Test func `the authority allows no further authorities and declares its constraints`() throws {
    let text = try openssl("x509", "-in", "authority.pem", "-noout", "-text").text
    #expect(text.contains("Name Constraints: critical"))
    #expect(text.contains("DNS:studio.local"))
    #expect(text.contains("IP:192.168.0.0/255.255.0.0"))
    #expect(text.contains("CA:TRUE, pathlen:0"))
    #expect(text.contains("prime256v1"))
    let middle = try authority.issue(
      names: ["studio.local"], addresses: [], now: CertificateAuthorityTests.now)
    let next = try CertificateAuthority(certificate: middle.chain, key: middle.key).issueUnchecked(
      names: ["studio.local"], addresses: [], now: CertificateAuthorityTests.now)
    _ = try folder.write("middle.pem", Array(middle.chain.utf8))
    _ = try folder.write("end.pem", Array(next.chain.utf8))
    let (status, _) = try openssl(
      "verify", "-CAfile", "authority.pem", "-untrusted", "middle.pem", "end.pem")
    #expect(status != 0)
  }

  @Test func `a certificate lasts at most 397 days and the authority ten years`() throws {
    let files = try authority.issue(
      names: ["studio.local"], addresses: [], now: CertificateAuthorityTests.now)
    let leaf = try Certificate(pem: files.chain)
    #expect(leaf.validUntil - leaf.validFrom == 397 * 86_400)
    #expect(leaf.validFrom < CertificateAuthorityTests.now)
    let own = try Certificate(pem: authority.certificate)
    #expect(own.validUntil - CertificateAuthorityTests.now == 3_652 * 86_400)
    _ = try folder.write("leaf.pem", Array(files.chain.utf8))
    let text = try openssl("x509", "-in", "leaf.pem", "-noout", "-text").text
    #expect(text.contains("TLS Web Server Authentication"))
    #expect(text.contains("CA:FALSE"))
  }

  @Test func `two certificates never share a key or a serial number`() throws {
    let files = try (0..<2).map { _ in
      try authority.issue(names: ["studio"], addresses: [], now: CertificateAuthorityTests.now)
    }
    #expect(files[0].key != files[1].key)
    #expect(files[0].chain != files[1].chain)
  }

  @Test func `a certificate and a key that do not match are refused with a message`() throws {
    let other = try CertificateAuthority.make(
      names: ["studio"], addresses: [], now: CertificateAuthorityTests.now)
    #expect {
      try CertificateAuthority(certificate: authority.certificate, key: other.key)
    } throws: {
      "\($0)" == "The private key does not belong to the certificate."
    }
    for text in ["", "nonsense", String(authority.certificate.dropLast(60))] {
      #expect(throws: CertificateError.self) {
        try CertificateAuthority(certificate: text, key: other.key)
      }
      #expect(throws: CertificateError.self) {
        try CertificateAuthority(certificate: other.certificate, key: text)
      }
    }
  }
}

/// Parses an address that is known to be valid.
func address(_ text: String) -> IPAddress {
  guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address.") }
  return address
}
