// What pages are told: an event, and whose pages it is for.

import HTTP
import Model

/// The pages that an event is for.
enum Audience: Codable, Equatable, Sendable {
  /// Those of these people.
  case people(Set<String>)
  /// Those of the people who may read what is in these spaces.
  case spaces(Set<String>)
  /// Those of a person: the one with this id, if there is one, or all but that of the sender.
  case pages(of: String, only: String?, except: String?)

  /// Whether a page is among them.
  func contains(_ page: Subscriber, readers: Set<String>) -> Bool {
    let person = page.person ?? Person.owner
    switch self {
    case .people(let people): return people.contains(person)
    case .spaces: return readers.contains(person)
    case .pages(let owner, let only, let except):
      guard person == owner else { return false }
      return only.map { $0 == page.client } ?? (except == nil || except != page.client)
    }
  }
}

/// Sends events to the pages that are connected to this server, and to those of the other servers that share
/// the library.
final class Events: Sendable {
  /// The pages of this server.
  let hub: EventHub
  private let people: People
  private let sharing: Sharing?

  /// Makes a sender for the pages of `hub`.
  init(hub: EventHub, people: People, sharing: Sharing? = nil) {
    (self.hub, self.people, self.sharing) = (hub, people, sharing)
  }

  /// Sends an event to all pages of an audience.
  func publish(_ event: String, data: String, to audience: Audience) {
    deliver(event, data: data, to: audience)
    sharing?.announce(.event(event, data: data, to: audience))
  }

  /// Sends an event to those pages of an audience that are connected to this server.
  func deliver(_ event: String, data: String, to audience: Audience) {
    var readers: Set<String> = []
    if case .spaces(let spaces) = audience { readers = people.readers(of: spaces) }
    hub.publish(event, data: data) { audience.contains($0, readers: readers) }
  }
}
