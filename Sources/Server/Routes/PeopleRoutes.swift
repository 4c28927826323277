// The people of the server over HTTP.

import FoundationEssentials
import HTTP
import Model

/// A person in responses.
struct PersonView: Encodable {
  let id: String
  let name: String
  let colour: String

  init(_ person: Person) {
    id = person.id
    name = person.name
    colour = person.colour
  }
}

enum PeopleRoutes {
  /// The request body that describes a person.
  private struct Description: Decodable {
    let name: String
    let colour: String
  }

  /// The request body that changes a person.
  private struct Change: Decodable {
    let name: String?
    let colour: String?
  }

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/people", summary: "The people: the owner, then the others by name",
        responses: [.json(200, "All of them", "People")], access: .person(nil)
      ) { _ in try .json(["people": library.people.all.map(PersonView.init)]) },
      Route(
        .post, "/api/people", summary: "Add a person",
        requestBody: .json("PersonDescription"), responses: [.json(201, "The person", "Person")],
        body: .buffered(limit: 4_096)
      ) { request in
        let body = try request.decode(Description.self)
        let person = try library.people.add(
          name: try People.name(body.name), colour: try People.colour(body.colour),
          now: Library.now())
        library.log.info("person.added", ["person": .text(person.id)])
        library.announcePeople(to: [Person.owner])
        return try .json(PersonView(person), status: 201)
      },
      Route(
        .patch, "/api/people/{id}",
        summary: "Give a person another name or colour; the owner anybody, others themselves",
        requestBody: .json("PersonChange"), responses: [.json(200, "The person", "Person")],
        access: .person(nil), body: .buffered(limit: 4_096)
      ) { request in
        let id = request.parameters["id"]
        guard [Person.owner, id].contains(request.caller.person) else {
          throw HTTPError.forbidden("Only the owner may change other people.")
        }
        let body = try request.decode(Change.self)
        let person = try library.people.change(
          id, name: try body.name.map { name in try People.name(name) },
          colour: try body.colour.map(People.colour))
        library.announcePeople(
          to: Set(library.people.groups(of: id).flatMap(\.members.keys)).union([id, Person.owner]))
        return try .json(PersonView(person))
      },
      Route(
        .delete, "/api/people/{id}", summary: "Remove a person, with what is theirs alone",
        responses: [ResponseDoc(204, "Their devices are shut out")]
      ) { request in
        try library.remove(person: request.parameters["id"])
        return .empty()
      },
    ]
  }
}
