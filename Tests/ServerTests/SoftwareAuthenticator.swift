// An authenticator and its browser in software, which make and use passkeys as Web Authentication says.

/// Holds one passkey. Each part of what it returns can be changed.
final class SoftwareAuthenticator {
  let key: SoftwareKey
  /// The id of its credential.
  var id: [UInt8]
  var origin = "https://studio.example"
  var host = "studio.example"
  var crossOrigin = false
  /// Present (1), verified (4).
  var flags: UInt8 = 5
  var counter: UInt32 = 0

  init(_ kind: SoftwareKey.Kind = .es256) {
    key = SoftwareKey(kind)
    id = (0..<20).map { _ in UInt8.random(in: 0...255) }
  }

  /// What the browser returns for a new passkey, as JSON.
  func create(_ challenge: String) -> String {
    let length = [UInt8(id.count >> 8), UInt8(id.count & 255)]
    let data = authenticatorData(flags | 64) + [UInt8](repeating: 0, count: 16) + length + id
    return """
      {"id":"\(text(id))","clientDataJSON":"\(text(clientData("webauthn.create", challenge)))",\
      "authenticatorData":"\(text(data))","publicKey":"\(text(key.publicKey))","algorithm":\(key.kind.number)}
      """
  }

  /// What the browser returns for a signature, as JSON.
  func sign(_ challenge: String, type: String = "webauthn.get") -> String {
    let client = clientData(type, challenge)
    let data = authenticatorData(flags)
    return """
      {"id":"\(text(id))","clientDataJSON":"\(text(client))","authenticatorData":"\(text(data))",\
      "signature":"\(text(key.sign(data + SoftwareKey.sha256(client))))"}
      """
  }

  private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
    Array(
      """
      {"type":"\(type)","challenge":"\(challenge)","origin":"\(origin)","crossOrigin":\(crossOrigin)}
      """.utf8)
  }

  private func authenticatorData(_ flags: UInt8) -> [UInt8] {
    let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
    return SoftwareKey.sha256(Array(host.utf8)) + [flags] + count
  }

  private func text(_ bytes: [UInt8]) -> String { SoftwareKey.base64url(bytes) }
}
