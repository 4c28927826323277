// Hashes of passcodes, by yescrypt.

import CCrypt
import Glibc

/// Hashes passcodes, which people choose and others may guess.
///
/// A hash takes some tens of milliseconds and 16 MB of memory, so bound how many are made at once.
public enum Passcode {
  /// A failure of `crypt`, such as a lack of memory.
  public struct Failure: Error {}

  /// Returns a passcode's hash with a salt of its own.
  public static func hash(_ passcode: String) throws(Failure) -> String {
    // No count: the default cost. No bytes: random ones of the system.
    guard let setting = crypt_gensalt_ra("$y$", 0, nil, 0) else { throw Failure() }
    defer { free(setting) }
    return try hash(passcode, setting: setting)
  }

  /// Whether a passcode has this hash.
  public static func matches(_ passcode: String, _ hash: String) throws(Failure) -> Bool {
    // Compared by their SHA-256, so that the time tells nothing.
    Token.hash(try Passcode.hash(passcode, setting: hash)) == Token.hash(hash)
  }

  private static func hash(
    _ passcode: String, setting: UnsafePointer<CChar>
  ) throws(Failure) -> String {
    var memory: UnsafeMutableRawPointer?
    var size: Int32 = 0
    defer { free(memory) }
    // `crypt` stops at a NUL and takes 512 bytes at most; the digest has neither fault.
    guard let hash = crypt_ra(Token.hash(passcode), setting, &memory, &size) else {
      throw Failure()
    }
    return String(cString: hash)
  }
}
