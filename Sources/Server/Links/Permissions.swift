// Who may do what: the one place that decides it. Routes name what they read (`Resource`), and ask here.

import Database
import HTTP
import Model

/// Decides whether a caller may do something with a thing of the library.
struct Permissions: Sendable {
  /// What a caller wants to do.
  enum Action: Sendable {
    case read, write
  }

  /// What a caller wants to do it with.
  enum Thing: Sendable, Hashable {
    /// A record, with the files that belong to it.
    case record(RecordType, String)
    /// All that a link shows.
    case link(String)
    /// The sound of a part's or a move's title.
    case title(String)
  }

  let links: Links
  let records: RecordStore

  /// Whether `caller` may do `action` with `thing`. A visitor may read what one of the links shows, and
  /// what is not there looks to them as what they may not read.
  func allows(_ caller: Caller, to action: Action, _ thing: Thing) throws -> Bool {
    switch caller {
    case .owner, .device: return true
    case .stranger: return false
    case .visitor(let ids):
      guard action == .read else { return false }
      return try ids.contains { id in
        guard links.isValid(id), let scope = links[id]?.scope else { return false }
        return try shows(scope, of: id, thing)
      }
    }
  }

  private func shows(_ scope: LinkScope, of id: String, _ thing: Thing) throws -> Bool {
    switch thing {
    case .link(let other): id == other
    case .record(let type, let record): try records.holds(scope, type, record)
    case .title(let title): try records.holds(scope, title: title)
    }
  }
}

extension Resource {
  /// A link, and the things that routes read of a track, video or recording.
  static let link = Resource.path("link")
  static let track = Resource.path(RecordType.track.rawValue)
  static let video = Resource.path(RecordType.video.rawValue)
  static let recording = Resource.path(RecordType.recording.rawValue)
  /// The title of a part or a move, which the speech program says.
  static let spokenTitle = Resource.query("title", "text")

  /// The thing with this id.
  func thing(_ id: String) -> Permissions.Thing {
    switch kind {
    case Resource.link.kind: return .link(id)
    case Resource.spokenTitle.kind: return .title(id)
    default:
      guard let type = RecordType(rawValue: kind) else {
        preconditionFailure("No things are of the kind \(kind).")
      }
      return .record(type, id)
    }
  }
}
