// The certificate of the network listener: the owner's, or one that the installation's CA issues
// for the machine's current names and addresses.

import FoundationEssentials
import HTTP
import Logging
import Network
import Storage

/// A certificate with its names and validity.
struct ServerCertificate: Sendable {
  let files: CertificateFiles
  /// The CA that issued the certificate; nil for the owner's certificate.
  let authority: CertificateAuthority?
  private let names: [String]
  private let addressesInCertificate: [IPAddress]
  private let validFrom: Int
  private let validUntil: Int
  private let options: NetworkOptions

  private static let day = 86_400
  /// A certificate made here is replaced this many days before it expires.
  private static let renewalDays = 30
  /// The expiry of the owner's certificate is reported this many days before. Automatic renewal
  /// happens earlier.
  private static let warningDays = 14
  private static let loopback = ["127.0.0.1", "::1"].compactMap(IPAddress.init)

  /// Makes or reads the certificate that the options ask for.
  ///
  /// - Parameter now: seconds since 1970.
  static func make(
    _ options: NetworkOptions, folder: DataDirectory, local: LocalAddresses, now: Int, log: Logger
  ) throws -> ServerCertificate {
    if let paths = options.certificate {
      return try ServerCertificate(options, reading: paths, now: now)
    }
    let authority = try CertificateAuthorityStore.authority(
      in: folder, local: local, now: now, log: log)
    return try ServerCertificate(options, authority: authority, local: local, now: now)
  }

  private init(
    _ options: NetworkOptions, authority: CertificateAuthority, local: LocalAddresses, now: Int
  ) throws {
    self.options = options
    self.authority = authority
    files = try authority.issue(
      names: ServerCertificate.names(options, local),
      addresses: ServerCertificate.addresses(options, local), now: now)
    let certificate = try Certificate(pem: files.chain)
    names = certificate.names
    addressesInCertificate = certificate.addresses
    validFrom = certificate.validFrom
    validUntil = certificate.validUntil
  }

  private init(
    _ options: NetworkOptions, reading paths: (chain: String, key: String), now: Int
  ) throws {
    self.options = options
    authority = nil
    files = try ServerCertificate.read(paths)
    let certificate = try files.checked()
    guard certificate.validUntil > now else {
      throw LibraryError(.conflict, ServerCertificate.ended(paths.chain))
    }
    names = certificate.names
    addressesInCertificate = certificate.addresses
    validFrom = certificate.validFrom
    validUntil = certificate.validUntil
  }

  private static func read(_ paths: (chain: String, key: String)) throws -> CertificateFiles {
    CertificateFiles(chain: try text(paths.chain), key: try text(paths.key))
  }

  private static func text(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw LibraryError(.conflict, "The file \(path) can't be read.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Whether the certificate has to be made or read again.
  func isOutdated(_ local: LocalAddresses, now: Int) -> Bool {
    if let paths = options.certificate {
      // Modification times are not reliable: renewal programs usually replace a symbolic link,
      // which keeps its own time.
      return (try? ServerCertificate.read(paths)) != files
    }
    guard let authority else { return false }
    if validUntil - now < ServerCertificate.renewalDays * ServerCertificate.day { return true }
    // The clock was ahead when the certificate was made.
    if validFrom > now { return true }
    let wanted = ServerCertificate.addresses(options, local).filter { authority.permits($0) }
    return !Set(wanted).isSubset(of: addressesInCertificate)
  }

  /// The certificate's problems, as sentences; nil if there are none.
  ///
  /// - Parameter now: seconds since 1970.
  func problem(now: Int) -> String? {
    guard let paths = options.certificate else {
      let isReachable =
        ServerCertificate.bound(options) != nil || !addressesInCertificate.allSatisfy(\.isLoopback)
      return isReachable
        ? nil
        : "This machine has no address that other devices could reach. Connect it to your network."
    }
    if validUntil <= now { return ServerCertificate.ended(paths.chain) }
    guard validUntil - now < ServerCertificate.warningDays * ServerCertificate.day else {
      return nil
    }
    let end = Date(timeIntervalSince1970: Double(validUntil))
      .formatted(.iso8601.year().month().day())
    return
      "The certificate in \(paths.chain) ends on \(end). Renew it; it is then taken up by itself."
  }

  private static func ended(_ path: String) -> String {
    "The certificate in \(path) has ended. Renew it; it is then taken up by itself."
  }
}

// MARK: Names and addresses

extension ServerCertificate {
  /// The only address that the listener is bound to; nil for all.
  private static func bound(_ options: NetworkOptions) -> IPAddress? {
    let host = options.host == "localhost" ? "127.0.0.1" : options.host
    guard let address = IPAddress(host), !["::", "0.0.0.0"].contains(host) else { return nil }
    return address
  }

  private static func names(_ options: NetworkOptions, _ local: LocalAddresses) -> [String] {
    guard let bound = bound(options) else { return local.names + ["localhost"] }
    return bound.isLoopback ? ["localhost"] : local.names
  }

  private static func addresses(
    _ options: NetworkOptions, _ local: LocalAddresses
  ) -> [IPAddress] {
    bound(options).map { [$0] } ?? local.addresses + loopback
  }

  /// The names of the owner's certificate; a wildcard is replaced by this machine's names.
  private func certificateNames(_ local: LocalAddresses) -> [String] {
    names.map { $0.hasPrefix("*.") ? local.name + $0.dropFirst() : $0 }
  }

  /// Every host that a request may name; see `Configuration.allowedHosts`.
  func hosts(_ local: LocalAddresses, port: Int) -> [String] {
    var names = ServerCertificate.names(options, local)
    var addresses = ServerCertificate.addresses(options, local)
    if authority == nil {
      names += certificateNames(local)
      addresses += addressesInCertificate
    }
    return (names + addresses.map(\.host)).map { ServerCertificate.origin($0, port) }
  }

  /// The addresses for other devices, most likely first. Only names in the certificate are
  /// included, because others would cause a browser warning.
  func addresses(_ local: LocalAddresses, port: Int) -> [String] {
    let bound = ServerCertificate.bound(options)
    func isForOthers(_ address: IPAddress) -> Bool { !address.isLoopback || address == bound }
    guard let authority else {
      let hosts = certificateNames(local) + addressesInCertificate.filter(isForOthers).map(\.host)
      return hosts.map { ServerCertificate.origin($0, port) }
    }
    var hosts = ServerCertificate.addresses(options, local)
      .filter { authority.permits($0) && isForOthers($0) }
      .map(\.host)
    if bound == nil, ServerCertificate.answersMulticastNames {
      hosts += local.names.filter { $0.hasSuffix(".local") }
    }
    return hosts.map { ServerCertificate.origin($0, port) }
  }

  private static func origin(_ host: String, _ port: Int) -> String {
    port == 443 ? "https://\(host)" : "https://\(host):\(port)"
  }

  /// Whether this machine answers to `<name>.local` by mDNS: Avahi, on Linux.
  private static var answersMulticastNames: Bool {
    FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket")
  }
}
