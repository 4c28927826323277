// The operator's options for notifications, given at the start.

import HTTPClient

/// Turns notifications on.
public struct PushOptions: Sendable {
  /// The most milliseconds that a push service may take to answer, and to be reached. One that takes
  /// longer holds up the notifications behind it.
  private static let timeout = 8_000
  private static let connectTimeout = 3_000
  /// The longest answer, in bytes. Services answer with a sentence.
  private static let answerLimit = 65_536

  /// Where push services can write to if something is wrong: a `mailto:` or `https:` address.
  let contact: String
  let services: PushServices
  /// Sends a request to a push service and waits for its response.
  let send: @Sendable (HTTPClient.Request) throws -> HTTPClient.Response

  /// Makes the options; nil unless `contact` is an address.
  public init?(contact: String, services: PushServices) {
    let client = HTTPClient(
      allowsHTTP: services.hasPlain, timeout: Self.timeout, connectTimeout: Self.connectTimeout,
      limit: Self.answerLimit)
    self.init(contact: contact, services: services) { try client.send($0) }
  }

  /// Makes the options with another way to send.
  init?(
    contact: String, services: PushServices,
    send: @escaping @Sendable (HTTPClient.Request) throws -> HTTPClient.Response
  ) {
    guard Self.isContact(contact) else { return nil }
    self.contact = contact
    self.services = services
    self.send = send
  }

  private static func isContact(_ text: String) -> Bool {
    guard text.utf8.count <= 200, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return false
    }
    if text.hasPrefix("mailto:") {
      let parts = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }
    return text.hasPrefix("https://") && text.utf8.count > 8 && !text.hasPrefix("https:///")
  }
}
