// Storage of the key by which push services know this installation. A new one would end all
// subscriptions, so it must never be lost silently.

import Network
import Storage

/// The file `push.key` in the data folder.
enum PushKeyStore {
  /// Reads the key of an installation, or makes it the first time.
  static func key(in folder: DataDirectory) throws -> AgreementKey {
    let content: [UInt8]
    do {
      content = try Files.read(folder.pushKey)
    } catch let error as StorageError where error.code == .notFound {
      let made = AgreementKey()
      try folder.writePrivately(
        Array((Base64URL.encode(made.secret) + "\n").utf8), to: folder.pushKey)
      return made
    }
    let text = String(decoding: content.prefix(64), as: UTF8.self)
    guard let line = text.split(separator: "\n").first, let secret = Base64URL.decode(String(line)),
      let key = AgreementKey(secret: secret)
    else {
      throw LibraryError(
        .conflict,
        "The key in \(folder.pushKey) can't be used. Remove that file to have a new one made; "
          + "devices then ask for notifications anew when the app is next opened there.")
    }
    return key
  }
}
