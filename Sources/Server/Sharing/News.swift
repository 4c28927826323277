// What servers that share a library tell each other.

import Database
import FoundationEssentials

/// A message of a server to all others.
enum News: Codable, Sendable {
  /// What others keep in memory of a topic has changed. They answer `fresh` with the same id.
  case stale(SharedLibrary.Topic, id: String)
  /// This server's memory is as new as when `stale` was announced with this id.
  case fresh(id: String)
  /// The sender answers nothing any more.
  case leave
  /// An event for pages.
  case event(String, data: String, to: Audience)

  /// What a leader or a follower does, in the order in which all servers do it.
  case lead(Leads.Command)
  /// The open pages of a person that are connected to the sender.
  case pages(of: String, [RemotePlayers.Connected])
  /// Jobs wait.
  case jobs
  /// A job was cancelled, which may run at another server.
  case cancel(job: String)
  /// Every server is to say which pages are connected to it.
  case whoIsThere

  /// A message with its sender, as it is announced.
  struct Envelope: Codable {
    let from: Int
    let news: News
    /// The number of a message that its sender takes as well, in the order of all.
    var order: Int?
  }

  /// The text that is announced; nil if it is too long for that.
  func text(from server: Int, order: Int? = nil) -> String? {
    let envelope = Envelope(from: server, news: self, order: order)
    guard let data = try? JSONEncoder().encode(envelope),
      data.count <= SharedLibrary.longest
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}
