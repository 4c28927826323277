// Storage of the installation's CA. Devices trust it for years, so it must never be lost silently.

import FoundationEssentials
import Logging
import Network
import Storage

/// The CA's files: `tls/authority.crt` and `tls/authority.key` in the data folder.
enum CertificateAuthorityStore {
  /// A CA with fewer days left than this is replaced, and devices have to install the new one.
  private static let leastDays = 400

  /// Reads the CA of an installation, or makes it the first time. A CA that expires too soon is
  /// kept beside the new one, because the clock may be wrong.
  ///
  /// - Parameter now: seconds since 1970.
  static func authority(
    in folder: DataDirectory, local: LocalAddresses, now: Int, log: Logger
  ) throws -> CertificateAuthority {
    let (path, keyPath) = (folder.tls + "/authority.crt", folder.tls + "/authority.key")
    let files = FileManager.default
    if let certificate = files.contents(atPath: path) {
      let known: CertificateAuthority
      let end: Int
      do {
        known = try CertificateAuthority(
          certificate: String(decoding: certificate, as: UTF8.self),
          key: String(decoding: files.contents(atPath: keyPath) ?? Data(), as: UTF8.self))
        end = try Certificate(pem: known.certificate).validUntil
      } catch {
        throw LibraryError(
          .conflict,
          "The authority in \(folder.tls) can't be used. \(error) Remove that folder to "
            + "have a new one made; devices then have to install it again.")
      }
      if end - now > leastDays * 86_400 { return known }
      let aside = folder.tls + "/authority-\(end)"
      try write(known, to: aside, in: folder)
      log.warning("network.authorityReplaced", ["kept": .text(aside + ".crt")])
      // Otherwise, an interruption between the two writes would leave the new key beside the old
      // certificate.
      try files.removeItem(atPath: path)
    }
    let made = try CertificateAuthority.make(
      names: local.names + ["localhost"], addresses: local.addresses, now: now)
    try write(made, to: folder.tls + "/authority", in: folder)
    return made
  }

  private static func write(
    _ authority: CertificateAuthority, to path: String, in folder: DataDirectory
  ) throws {
    // The certificate is written last, because its presence means that the CA is complete.
    try folder.writePrivately(Array(authority.key.utf8), to: path + ".key")
    try folder.writePrivately(Array(authority.certificate.utf8), to: path + ".crt")
  }
}
