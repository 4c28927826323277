// Who may do what: the one place that decides it. Routes name what they read or edit (`Resource`), and
// what stands in a body is asked for here, too.

import Database
import HTTP
import Model

/// Decides whether a caller may do something with a thing of the library.
struct Permissions: Sendable {
  /// What a caller wants to do it with.
  enum Thing: Sendable, Hashable {
    /// A record, with the files that belong to it.
    case record(RecordType, String)
    /// A record of any type.
    case anyRecord(String)
    /// A space of records: a person's or a group's.
    case space(String)
    /// A job.
    case job(String)
    /// All that a link shows.
    case link(String)
    /// The sound of a part's or a move's title.
    case title(String)
  }

  /// Whether a caller may.
  enum Answer: Equatable {
    case yes
    /// The caller may not even read it: to them it is not there.
    case unseen
    /// The caller may read it.
    case readOnly
  }

  let people: People
  let links: Links
  let records: RecordStore
  /// Returns the spaces of what a job works on; nil for a job that is not known.
  let spacesOfJob: @Sendable (String) throws -> Set<String>?

  /// Whether answers depend on who asks.
  func needsLookup(_ caller: Caller) -> Bool { !caller.isPaired || !people.isAlone }

  /// What a caller may read.
  func viewer(of caller: Caller) -> Viewer? { caller.person.map(people.viewer) }

  /// Whether `caller` may do `action` with `thing`. A visitor may read what one of the links shows; a
  /// person what is in their own space or a group's. What is not there is like what may not be read.
  func answer(
    _ caller: Caller, to action: ResourceAction, _ thing: Thing
  ) throws -> Answer {
    if let viewer = viewer(of: caller) {
      if viewer.person == Person.owner, people.isAlone { return .yes }
      return try answer(viewer, to: action, thing)
    }
    guard case .visitor(let ids) = caller, action == .read else { return .unseen }
    let isShown = try ids.contains { id in
      guard links.isValid(id), let scope = links[id]?.scope else { return false }
      return try shows(scope, of: id, thing)
    }
    return isShown ? .yes : .unseen
  }

  /// Throws unless `caller` may do `action` with `thing`.
  func require(_ caller: Caller, to action: ResourceAction, _ thing: Thing) throws {
    switch try answer(caller, to: action, thing) {
    case .yes: return
    case .unseen where caller.isPaired: throw HTTPError.notFound("There is no such thing here.")
    case .unseen: throw HTTPError.unauthenticated
    case .readOnly:
      throw HTTPError.forbidden("Only the teachers of the group may change this.")
    }
  }

  private func answer(
    _ viewer: Viewer, to action: ResourceAction, _ thing: Thing
  ) throws -> Answer {
    let spaces: Set<String>
    switch thing {
    // The speech program says to everybody what they could have written themselves.
    case .title: return .yes
    // Who may edit a routine may show it. The owner may end every link.
    case .link(let id):
      guard let scope = links.revocable(id) else { return .unseen }
      let space = try records.space(of: .routine, scope.routine)
      return viewer.person == Person.owner || space.map(viewer.mayEdit) == true ? .yes : .unseen
    case .space(let space): spaces = [space]
    case .job(let id): spaces = try spacesOfJob(id) ?? []
    case .record(let type, let id): spaces = try space(of: [type], id)
    case .anyRecord(let id): spaces = try space(of: RecordType.allCases, id)
    }
    guard !spaces.isEmpty, spaces.allSatisfy(viewer.mayRead) else { return .unseen }
    return action == .read || spaces.allSatisfy(viewer.mayEdit) ? .yes : .readOnly
  }

  private func space(of types: [RecordType], _ id: String) throws -> Set<String> {
    var spaces: Set<String> = []
    for type in types { if let space = try records.space(of: type, id) { spaces.insert(space) } }
    return spaces
  }

  private func shows(_ scope: LinkScope, of id: String, _ thing: Thing) throws -> Bool {
    switch thing {
    case .link(let other): id == other
    case .record(let type, let record): try records.holds(scope, type, record)
    case .title(let title): try records.holds(scope, title: title)
    case .anyRecord, .space, .job: false
    }
  }
}

extension Caller {
  /// The id of the person who asks; nil for visitors and strangers.
  var person: String? {
    switch self {
    case .owner: Person.owner
    case .device(_, let person): person ?? Person.owner
    case .visitor, .stranger: nil
    }
  }
}

extension Resource {
  /// A link, a job, a routine, and the things that routes read of a track, video or recording.
  static let link = Resource.path("link")
  static let job = Resource.path("job")
  static let export = Resource.path("job", "job")
  static let anyRecord = Resource.path("anyRecord")
  static let routine = Resource.path(RecordType.routine.rawValue)
  static let track = Resource.path(RecordType.track.rawValue)
  static let video = Resource.path(RecordType.video.rawValue)
  static let recording = Resource.path(RecordType.recording.rawValue)
  /// The title of a part or a move, which the speech program says.
  static let spokenTitle = Resource.query("title", "text")

  /// The thing with this id.
  func thing(_ id: String) -> Permissions.Thing {
    switch kind {
    case Resource.link.kind: return .link(id)
    case Resource.job.kind: return .job(id)
    case Resource.anyRecord.kind: return .anyRecord(id)
    case Resource.spokenTitle.kind: return .title(id)
    default:
      guard let type = RecordType(rawValue: kind) else {
        preconditionFailure("No things are of the kind \(kind).")
      }
      return .record(type, id)
    }
  }
}
