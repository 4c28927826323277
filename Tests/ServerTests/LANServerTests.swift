// The network listener's certificate and addresses, as time and the machine's names and addresses
// change.

import FoundationEssentials
import Network
import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import Server

@Suite struct LANServerTests {
  /// A machine that moves between networks.
  private final class Machine: Sendable {
    private let present: Mutex<LocalAddresses>
    init(_ addresses: String...) {
      present = Mutex(
        LocalAddresses(name: "studio", addresses: addresses.compactMap { IPAddress($0) }))
    }
    var look: @Sendable () -> LocalAddresses { { self.present.withLock { $0 } } }
    func move(to addresses: String...) {
      present.withLock { $0.addresses = addresses.compactMap { IPAddress($0) } }
    }
  }

  private let studio: TestStudio
  private let clock = TestClock(Library.now())
  private let machine = Machine("192.168.1.20", "fd00::20")
  private let network: LANServer

  init() throws {
    studio = try TestStudio()
    var options = NetworkOptions()
    options.port = 0
    options.host = "0.0.0.0"
    network = LANServer(
      library: studio.library, options: options, now: clock.now, look: machine.look)
    try network.start(SegmanceServer.router(studio.library, studio.runner, nil, network))
  }

  private func certificate() throws -> Certificate {
    try Certificate(pem: #require(network.currentIdentity).files.chain)
  }

  @Test func `the network is off until its owner switches it on`() throws {
    defer { network.stop() }
    #expect(!network.status().isOn)
    #expect(network.addresses.isEmpty)
    #expect(throws: LibraryError.self) { try network.invite() }
    try network.set(isOn: true)
    let port = try #require(network.addresses.first?.split(separator: ":").last)
    #expect(
      network.addresses.prefix(2) == ["https://192.168.1.20:\(port)", "https://[fd00::20]:\(port)"])
    let invitation = try network.invite()
    #expect(invitation.address == "https://192.168.1.20:\(port)/pair#\(invitation.token)")
    #expect(invitation.installAddress == "https://192.168.1.20:\(port)/install")
    try network.set(isOn: false)
    #expect(network.addresses.isEmpty)
    #expect(try network.authorityCertificate() == nil)
  }

  @Test func `the certificate is renewed for another network`() throws {
    defer { network.stop() }
    try network.set(isOn: true)
    let first = try certificate()
    #expect(first.names == ["studio.local", "studio", "localhost"])
    #expect(
      first.addresses.map(\.description) == ["192.168.1.20", "fd00::20", "127.0.0.1", "::1"])
    network.check()
    #expect(try certificate().pem() == first.pem())
    machine.move(to: "10.0.0.7")
    network.check()
    #expect(try certificate().addresses.first?.description == "10.0.0.7")
    #expect(network.addresses.first?.hasPrefix("https://10.0.0.7:") == true)
    // Fewer addresses need no new certificate.
    let second = try certificate().pem()
    machine.move(to: "10.0.0.7", "127.0.0.1")
    network.check()
    #expect(try certificate().pem() == second)
  }

  @Test func `another network is noticed within fifteen seconds`() throws {
    defer { network.stop() }
    try network.set(isOn: true)
    machine.move(to: "10.0.0.7")
    studio.timers.advance(15_000)
    #expect(try certificate().addresses.first?.description == "10.0.0.7")
    machine.move(to: "10.0.0.8")
    studio.timers.advance(15_000)
    #expect(try certificate().addresses.first?.description == "10.0.0.8")
  }

  @Test func `addresses outside the authority's constraints are not offered`() throws {
    defer { network.stop() }
    try network.set(isOn: true)
    machine.move(to: "198.51.100.4", "192.168.7.7")
    network.check()
    #expect(
      try certificate().addresses.map(\.description) == ["192.168.7.7", "127.0.0.1", "::1"])
    #expect(network.addresses.allSatisfy { !$0.contains("198.51.100.4") })
  }

  @Test func `the certificate is renewed by the same authority 30 days before its end`()
    throws
  {
    defer { network.stop() }
    try network.set(isOn: true)
    let fingerprint = network.status().authority?.fingerprint
    let first = try certificate()
    clock.advance((first.validUntil - clock.now() / 1_000 - 31 * 86_400) * 1_000)
    network.check()
    #expect(try certificate().pem() == first.pem())
    clock.advance(2 * 86_400_000)
    network.check()
    #expect(try certificate().validUntil > first.validUntil)
    #expect(network.status().authority?.fingerprint == fingerprint)
  }

  @Test func `certificates are valid after a clock that was ahead is corrected`() throws {
    defer { network.stop() }
    try network.set(isOn: true)
    let fingerprint = network.status().authority?.fingerprint
    clock.advance(-40 * 86_400_000)
    network.check()
    #expect(try certificate().validFrom <= clock.now() / 1_000)
    let authority = try #require(network.currentIdentity?.authority)
    #expect(try Certificate(pem: authority.certificate).validFrom <= clock.now() / 1_000)
    #expect(network.status().authority?.fingerprint == fingerprint)
  }

  @Test func `an authority that expires soon is replaced and kept as a copy`() throws {
    defer { network.stop() }
    try network.set(isOn: true)
    let first = try #require(network.currentIdentity?.authority)
    try network.set(isOn: false)
    let end = try Certificate(pem: first.certificate).validUntil
    clock.advance((end - clock.now() / 1_000 - 399 * 86_400) * 1_000)
    try network.set(isOn: true)
    let second = try #require(network.currentIdentity?.authority)
    #expect(try Certificate(pem: second.certificate).validUntil > end)
    let kept = studio.library.folder.tls + "/authority-\(end)"
    #expect(try String(contentsOfFile: kept + ".crt", encoding: .utf8) == first.certificate)
    #expect(try String(contentsOfFile: kept + ".key", encoding: .utf8) == first.key)
    #expect(studio.log.all.contains { $0.contains("network.authorityReplaced kept=\(kept).crt") })
  }

  @Test func `a machine without a network reports it`() throws {
    defer { network.stop() }
    machine.move()
    try network.set(isOn: true)
    #expect(network.status().problem?.contains("no address") == true)
    machine.move(to: "192.168.1.20")
    network.check()
    #expect(network.status().problem == nil)
  }

  @Test func `the allowed hosts follow the machine's addresses`() throws {
    defer { network.stop() }
    try network.set(isOn: true)
    let identity = try #require(network.currentIdentity)
    #expect(
      identity.hosts(machine.look(), port: 7743) == [
        "https://studio.local:7743", "https://studio:7743", "https://localhost:7743",
        "https://192.168.1.20:7743", "https://[fd00::20]:7743", "https://127.0.0.1:7743",
        "https://[::1]:7743",
      ])
    #expect(identity.hosts(machine.look(), port: 443).first == "https://studio.local")
    machine.move(to: "10.0.0.7")
    #expect(identity.hosts(machine.look(), port: 7743).contains("https://10.0.0.7:7743"))
  }

  /// Writes an owner's certificate that expires in 396 days, and returns its paths.
  private func writeCertificate(
    names: [String] = ["studio.example"], addresses: [IPAddress] = []
  ) throws -> (chain: String, key: String) {
    let now = clock.now() / 1_000
    let files = try CertificateAuthority.make(names: names, addresses: addresses, now: now)
      .issue(names: names, addresses: addresses, now: now)
    let paths = (chain: studio.folder.path + "/own.crt", key: studio.folder.path + "/own.key")
    try files.chain.write(toFile: paths.chain, atomically: true, encoding: .utf8)
    try files.key.write(toFile: paths.key, atomically: true, encoding: .utf8)
    return paths
  }

  private func network(with certificate: (chain: String, key: String)) -> LANServer {
    var options = NetworkOptions()
    options.port = 0
    options.host = "127.0.0.1"
    options.isOn = true
    options.certificate = certificate
    return LANServer(
      library: studio.library, options: options, now: clock.now, look: machine.look)
  }

  @Test func `the end of the owner's certificate is reported two weeks ahead`() throws {
    let own = network(with: try writeCertificate())
    try own.start(SegmanceServer.router(studio.library, studio.runner, nil, own))
    defer { own.stop() }
    func problem(afterDays days: Int) -> String? {
      clock.advance(days * 86_400_000)
      own.check()
      return own.status().problem
    }
    #expect(problem(afterDays: 381) == nil)
    #expect(studio.library.healthReport().status == "ok")
    #expect(problem(afterDays: 2)?.contains("own.crt ends on 2") == true)
    #expect(studio.library.healthReport().status == "degraded")
    let ended = try #require(problem(afterDays: 14))
    #expect(ended.contains("own.crt has ended"))
    #expect(studio.library.healthReport().problems == [ended])
    _ = try writeCertificate()
    #expect(problem(afterDays: 0) == nil)
    #expect(studio.library.healthReport().status == "ok")
  }

  @Test func `a certificate for IP addresses is offered and accepted at those`() throws {
    // The router's address, which is forwarded to this machine.
    let addresses = ["192.168.1.5", "127.0.0.1", "::1"].compactMap(IPAddress.init)
    let own = network(with: try writeCertificate(names: [], addresses: addresses))
    try own.start(SegmanceServer.router(studio.library, studio.runner, nil, own))
    defer { own.stop() }
    let port = try #require(own.addresses.first?.split(separator: ":").last)
    #expect(own.addresses == ["https://192.168.1.5:\(port)", "https://127.0.0.1:\(port)"])
    let hosts = own.currentIdentity?.hosts(machine.look(), port: 7743)
    #expect(hosts?.contains("https://192.168.1.5:7743") == true)
  }

  @Test func `a network that is switched off is no problem`() throws {
    defer { network.stop() }
    machine.move()
    try network.set(isOn: true)
    #expect(studio.library.healthReport().status == "degraded")
    try network.set(isOn: false)
    #expect(studio.library.healthReport().status == "ok")
  }

  @Test(
    arguments: [
      ("https://studio.example", "https://studio.example"),
      ("HTTPS://Studio.Example/", "https://studio.example"),
      ("https://studio.example:8443", "https://studio.example:8443"),
      ("https://studio.example:443", "https://studio.example"),
      ("https://[fd00::1]:8443", "https://[fd00::1]:8443"),
      ("http://studio.example", nil), ("studio.example", nil), ("https://", nil),
      ("https://:80", nil),
      ("https://a.example/x", nil), ("https://a.example?x", nil), ("https://u@a.example", nil),
      ("https://a b", nil), ("", nil),
    ] as [(String, String?)])
  func `a public address is https, a host and nothing more`(text: String, origin: String?) {
    #expect(PublicURL(text)?.origin == origin)
  }
}
