// Random tokens and their stored hashes.

import CGnuTLS
import Text

/// A random token that gives access; only its hash is stored.
public struct Token: Sendable {
  /// 32 random bytes in base64url, 43 characters.
  public let text: String

  /// Makes a token of 256 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Derives the text of a token from a secret and a salt: HMAC-SHA-256. Who knows only the secret
  /// can't.
  public static func derive(from secret: String, salt: String) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let (key, bytes) = (Array(salt.utf8), Array(secret.utf8))
    let result = gnutls_hmac_fast(
      GNUTLS_MAC_SHA256, key, key.count, bytes, bytes.count, &digest)
    precondition(result == 0, "HMAC-SHA-256 is always there.")
    return Base64URL.encode(digest)
  }

  /// The stored hash of a token: SHA-256 in hexadecimal. A token has 256 random bits, so a salt or a
  /// slow hash would add nothing.
  public static func hash(_ token: String) -> String { sha256(Array(token.utf8)).hexadecimal }

  /// What is shown of a secret that is told later (RFC 7636, section 4.2): its SHA-256 in base64url.
  public static func codeChallenge(of verifier: String) -> String {
    Base64URL.encode(sha256(Array(verifier.utf8)))
  }
}

/// The SHA-256 of some bytes.
func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  let result = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
  precondition(result == 0, "SHA-256 is always there.")
  return digest
}
