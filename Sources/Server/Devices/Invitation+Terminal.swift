// A pairing code for the terminal.

import FoundationEssentials
import Network

extension SegmanceServer {
  /// A pairing code and its address for the user of this machine; nil while other devices cannot
  /// reach the server.
  public func invitation() -> String? {
    guard let invitation = try? network.invite() else { return nil }
    return InvitationText.terminal(
      address: invitation.address, installAddress: invitation.installAddress)
  }
}

/// Formats a pairing code with text and half blocks.
public enum InvitationText {
  /// Draws the code of an address, with instructions.
  public static func terminal(address: String, installAddress: String?) -> String {
    var lines = ["", "Scan this within five minutes to pair a device:", ""]
    if let code = QRCode(address) { lines.append(code.terminal) }
    lines += ["", address]
    if let installAddress {
      lines.append("If the device warns of the certificate, install it first: \(installAddress)")
    }
    return (lines + [""]).joined(separator: "\n")
  }
}
