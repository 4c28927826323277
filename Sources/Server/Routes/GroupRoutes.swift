// Groups, their members, and whose a routine is, over HTTP.

import FoundationEssentials
import HTTP
import Model

enum GroupRoutes {
  /// A member in requests and responses.
  private struct Member: Codable {
    let person: String
    let role: Role
  }

  /// A group in responses.
  private struct GroupView: Encodable {
    let id: String
    let name: String
    /// The caller's role.
    let role: Role
    let members: [Member]

    init(_ group: Group, for person: String) {
      id = group.id
      name = group.name
      role = group.members[person] ?? .performer
      members = group.members.sorted { $0.key < $1.key }.map { Member(person: $0, role: $1) }
    }
  }

  /// The request body that makes a group.
  private struct Description: Decodable {
    let name: String
    let members: [Member]?
  }

  /// The request body that renames a group.
  private struct Naming: Decodable {
    let name: String
  }

  /// The request body that gives a member a role.
  private struct Membership: Decodable {
    let role: Role
  }

  /// The request and response that say in which group a routine is.
  private struct Home: Codable {
    let space: String?

    private enum CodingKeys: String, CodingKey { case space }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // Null means the caller's own space. What is not said means nothing.
      space =
        try container.decodeNil(forKey: .space)
        ? nil : try container.decode(String.self, forKey: .space)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(space, forKey: .space)
    }
  }

  private static let bodyLimit = 1 << 20

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/groups", summary: "The caller's groups, by name",
        responses: [.json(200, "All of them", "Groups")], access: .person(nil)
      ) { request in
        // Not inline: hundreds of groups with thousands of members take milliseconds to encode.
        let person = try person(request)
        let groups = library.people.groups(of: person)
        return try .json(["groups": groups.map { GroupView($0, for: person) }])
      },
      Route(
        .post, "/api/groups", summary: "Make a group that the caller leads",
        requestBody: .json("GroupDescription"), responses: [.json(201, "The group", "Group")],
        access: .person(nil), body: .buffered(limit: bodyLimit)
      ) { request in
        let person = try person(request)
        let body = try request.decode(Description.self)
        var members: [String: Role] = [:]
        for member in body.members ?? [] { members[member.person] = member.role }
        let group = try library.people.addGroup(
          name: try People.name(body.name, isRequired: false), members: members, by: person,
          now: Library.now())
        library.log.info("group.added", ["group": .text(group.id)])
        library.announcePeople(to: Set(group.members.keys))
        return try .json(GroupView(group, for: person), status: 201)
      },
      Route(
        .patch, "/api/groups/{id}", summary: "Rename a group; for those who lead it",
        requestBody: .json("GroupNaming"), responses: [.json(200, "The group", "Group")],
        access: .person(nil), body: .buffered(limit: 4_096)
      ) { request in
        let id = try ledGroup(request, library)
        let group = try library.people.rename(
          id, to: try People.name(try request.decode(Naming.self).name, isRequired: false),
          now: Library.now())
        library.announcePeople(to: Set(group.members.keys))
        return try .json(GroupView(group, for: try person(request)))
      },
      Route(
        .delete, "/api/groups/{id}",
        summary: "Dissolve a group; its routines go to the one of its leaders who asks",
        responses: [ResponseDoc(204, "It is gone")], access: .person(nil)
      ) { request in
        let id = try ledGroup(request, library)
        try library.dissolve(group: id, by: library.people.viewer(try person(request)))
        return .empty()
      },
      Route(
        .put, "/api/groups/{id}/members/{person}",
        summary: "Take a person into a group, or give them another role; for those who lead it",
        requestBody: .json("Membership"), responses: [.json(200, "The group", "Group")],
        access: .person(nil), body: .buffered(limit: 4_096)
      ) { request in
        let id = try ledGroup(request, library)
        let member = request.parameters["person"]
        let group = try library.people.set(
          try request.decode(Membership.self).role, of: member, in: id, now: Library.now())
        library.log.info("group.joined", ["group": .text(id), "person": .text(member)])
        library.announcePeople(to: Set(group.members.keys))
        return try .json(GroupView(group, for: try person(request)))
      },
      Route(
        .delete, "/api/groups/{id}/members/{person}",
        summary: "Take a person out of a group, for those who lead it; or leave it",
        responses: [ResponseDoc(204, "What the group owns is gone from their devices soon")],
        access: .person(nil)
      ) { request in
        let member = request.parameters["person"]
        let id =
          try member == person(request)
          ? group(request, library).id : ledGroup(request, library)
        let group = try library.people.set(nil, of: member, in: id, now: Library.now())
        library.log.info("group.left", ["group": .text(id), "person": .text(member)])
        library.announcePeople(to: Set(group.members.keys).union([member]))
        return .empty()
      },
      Route(
        .post, "/api/routines/{id}/space",
        summary: "Move a routine to a group, or with null to the caller's own space",
        requestBody: .json("RoutineSpace"), responses: [.json(200, "Where it is", "RoutineSpace")],
        access: .person(.routine, to: .write), body: .buffered(limit: 4_096)
      ) { request in
        let home = try request.decode(Home.self)
        if let space = home.space {
          try library.permissions.require(request.caller, to: .write, .space(space))
        }
        try library.move(
          routine: request.parameters["id"], to: home.space,
          by: library.people.viewer(try person(request)))
        return try .json(home)
      },
    ]
  }

  private static func person(_ request: Request) throws(HTTPError) -> String {
    guard let person = request.caller.person else { throw .unauthenticated }
    return person
  }

  /// The group that the request names, if the caller is in it.
  private static func group(_ request: Request, _ library: Library) throws -> Group {
    guard let group = library.people.group(request.parameters["id"]),
      group.members[try person(request)] != nil
    else { throw LibraryError.unknownGroup }
    return group
  }

  /// The id of the group that the request names, if the caller leads it.
  private static func ledGroup(_ request: Request, _ library: Library) throws -> String {
    let group = try group(request, library)
    guard group.members[try person(request)] == .owner else {
      throw HTTPError.forbidden("Only those who lead the group may do this.")
    }
    return group.id
  }
}
