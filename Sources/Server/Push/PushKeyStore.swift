// Storage of the key by which push services know this installation. A new one would end all
// subscriptions, so it must never be lost silently.

import Database
import Network

/// The secret `push` of a library: the private key (P-256) in base64url.
enum PushKeyStore {
  /// The name of the secret.
  static let name = "push"

  /// Reads the key of an installation, or makes it the first time.
  static func key(in store: SecretStore) throws -> AgreementKey {
    let text = try store.secret(name, orNew: Base64URL.encode(AgreementKey().secret))
    guard let secret = Base64URL.decode(text), let key = AgreementKey(secret: secret) else {
      throw LibraryError(
        .conflict, "The library's key for notifications is damaged. Restore it from a backup.")
    }
    return key
  }
}
