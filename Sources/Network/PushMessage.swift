// The encryption of a message for a browser, which the push service in between can't read (RFC 8291,
// with the content coding aes128gcm of RFC 8188).

import CGnuTLS

/// The keys of a browser's subscription.
public struct PushKeys: Sendable, Equatable {
  /// The browser's public key: an uncompressed point on P-256.
  public let publicKey: [UInt8]
  /// What the browser shares with the server alone.
  public let authentication: [UInt8]

  /// The length of `authentication`, in bytes.
  static let authenticationBytes = 16

  /// Reads the keys as browsers give them, in base64url; nil unless each is one.
  public init?(publicKey: String, authentication: String) {
    // Longer texts are not even decoded.
    guard publicKey.utf8.count <= 128, authentication.utf8.count <= 64,
      let point = Base64URL.decode(publicKey), let shared = Base64URL.decode(authentication),
      shared.count == Self.authenticationBytes, AgreementKey().agree(with: point) != nil
    else { return nil }
    self.publicKey = point
    self.authentication = shared
  }
}

/// Encrypts messages for browsers.
public enum PushMessage {
  /// The length of a text with its padding, in bytes. All messages are equally long, so that their
  /// length tells nothing. Push services take 4,096 bytes at least, some of them 3,000.
  public static let paddedBytes = 2_048
  /// What a text may take of that: one byte ends it.
  public static let longestText = paddedBytes - 1

  private static let saltBytes = 16
  private static let tagBytes = 16

  /// Encrypts a text of at most `longestText` bytes.
  public static func encrypt(_ text: [UInt8], for keys: PushKeys) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<saltBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return encrypt(text, for: keys, by: AgreementKey(), salt: salt, paddedBytes: paddedBytes)
  }

  /// Encrypts with a given key and salt, each of which must be used once only.
  static func encrypt(
    _ text: [UInt8], for keys: PushKeys, by sender: AgreementKey, salt: [UInt8], paddedBytes: Int,
    recordBytes: Int = 4_096
  ) -> [UInt8] {
    precondition(text.count < paddedBytes && paddedBytes + tagBytes <= recordBytes, "It fits.")
    guard let agreed = sender.agree(with: keys.publicKey) else {
      preconditionFailure("The keys of a subscription are checked when they are read.")
    }
    let secret = expand(
      extract(agreed, salt: keys.authentication),
      Array("WebPush: info\0".utf8) + keys.publicKey + sender.publicKey, 32)
    let root = extract(secret, salt: salt)
    let key = expand(root, Array("Content-Encoding: aes128gcm\0".utf8), 16)
    let nonce = expand(root, Array("Content-Encoding: nonce\0".utf8), 12)
    // The 2 ends the text, and says that this is the last record.
    let padded =
      text + [2] + [UInt8](repeating: 0, count: paddedBytes - text.count - 1)
    let head =
      salt + withUnsafeBytes(of: UInt32(recordBytes).bigEndian, Array.init)
      + [UInt8(sender.publicKey.count)] + sender.publicKey
    return head + seal(padded, key: key, nonce: nonce)
  }

  /// HKDF-Extract with SHA-256 (RFC 5869).
  static func extract(_ key: [UInt8], salt: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    let result = withDatum(key) { key in
      withDatum(salt) { gnutls_hkdf_extract(GNUTLS_MAC_SHA256, &key, &$0, &output) }
    }
    precondition(result == 0, "HKDF is always there.")
    return output
  }

  /// HKDF-Expand with SHA-256.
  static func expand(_ key: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    let result = withDatum(key) { key in
      withDatum(info) { gnutls_hkdf_expand(GNUTLS_MAC_SHA256, &key, &$0, &output, count) }
    }
    precondition(result == 0, "HKDF is always there.")
    return output
  }

  /// AES-128-GCM, the tag at the end.
  private static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
    var handle: gnutls_aead_cipher_hd_t?
    let made = withDatum(key) { gnutls_aead_cipher_init(&handle, GNUTLS_CIPHER_AES_128_GCM, &$0) }
    precondition(made == 0, "AES-128-GCM is always there.")
    defer { gnutls_aead_cipher_deinit(handle) }
    var sealed = [UInt8](repeating: 0, count: text.count + tagBytes)
    var count = sealed.count
    let result = gnutls_aead_cipher_encrypt(
      handle, nonce, nonce.count, nil, 0, tagBytes, text, text.count, &sealed, &count)
    precondition(result == 0 && count == sealed.count, "AES-128-GCM is always there.")
    return sealed
  }
}
