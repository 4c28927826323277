// People, groups and roles: whose a record is, and what a person may do with it.

/// Somebody who uses the server, with devices of their own.
public struct Person: Hashable, Sendable {
  /// The id of the person who runs the server, and of their space.
  public static let owner = "owner"
  /// The maximum length of a person's or a group's name, in characters.
  public static let nameLimit = 60

  /// A UUID, or `owner`.
  public let id: String
  /// Empty while the owner has not set theirs.
  public var name: String
  /// `#rrggbb` in lower case.
  public var colour: String

  /// Describes a person.
  public init(id: String, name: String, colour: String) {
    self.id = id
    self.name = name
    self.colour = colour
  }
}

/// What a person may do in a group.
public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
  /// Edits, and decides who is in the group.
  case owner
  /// Edits.
  case teacher
  /// Sees and practises; speeds, markers and the log are their own.
  case performer

  /// Whether it may edit what the group owns.
  public var mayEdit: Bool { self != .performer }
}

/// People who share routines: a class, a company, or two friends. A group without a name shares with
/// single people.
public struct Group: Hashable, Sendable {
  /// A UUID; the id of its space, too.
  public let id: String
  public var name: String
  /// The roles by the ids of the people.
  public var members: [String: Role]

  /// Describes a group.
  public init(id: String, name: String, members: [String: Role]) {
    self.id = id
    self.name = name
    self.members = members
  }
}

/// A person, and the spaces that they may read: their own, and those of their groups.
public struct Viewer: Hashable, Sendable {
  /// The person who runs the server, in no group.
  public static let owner = Viewer(person: Person.owner)

  public let person: String
  /// The person's roles by the ids of their groups.
  public let roles: [String: Role]

  /// Describes a person's view.
  public init(person: String, roles: [String: Role] = [:]) {
    self.person = person
    self.roles = roles
  }

  /// Whether they may read what is in a space.
  public func mayRead(_ space: String) -> Bool { space == person || roles[space] != nil }

  /// Whether they may edit what is in a space.
  public func mayEdit(_ space: String) -> Bool {
    space == person || roles[space]?.mayEdit ?? false
  }
}
