// Pairing over HTTP: creating a code and redeeming it.

import FoundationEssentials
import HTTP
import Model
import Network

enum PairingRoutes {
  /// The response of `POST /api/pairings`; the codes are SVG images.
  private struct Pairing: Encodable {
    let token: String
    let expiresAt: Int
    let address: String
    let qr: String?
    let installAddress: String?
    let installQr: String?
    /// Whose device it makes; nil for the owner's.
    let person: PersonView?
  }

  /// The request body that may name the person whose device a code makes.
  private struct Order: Decodable {
    let person: String?
  }

  /// The response to the question whose device a code makes.
  private struct Described: Encodable {
    let person: PersonView?
  }

  /// The request body of a claim.
  private struct Claim: Decodable {
    let name: String
  }

  /// The response to a claim.
  private struct Claimed: Encodable {
    let id: String
    let name: String
  }

  static func routes(_ library: Library, _ network: LANServer) -> [Route] {
    [
      Route(
        .post, "/api/pairings", summary: "Make a code that pairs one device within five minutes",
        requestBody: .json("PairingOrder"),
        responses: [.json(201, "The code, as an address and as a picture", "Pairing")],
        access: .person(nil), body: .buffered(limit: 4_096)
      ) { request in
        let person = try person(request, library)
        let invitation = try network.invite(by: request.caller.device, for: person?.id)
        return try .json(
          Pairing(
            token: invitation.token, expiresAt: invitation.expiresAt, address: invitation.address,
            qr: QRCode(invitation.address)?.svg, installAddress: invitation.installAddress,
            installQr: invitation.installAddress.flatMap { QRCode($0)?.svg },
            person: person.map(PersonView.init)), status: 201)
      },
      Route(
        .get, "/api/pairings/{token}", summary: "Whose device a code makes",
        responses: [.json(200, "The person, or null for the owner", "PairingPerson")],
        access: .everyone
      ) { request in
        let id = try network.pairings.person(
          of: request.parameters["token"], from: request.client?.description)
        return try .json(Described(person: id.flatMap { library.people[$0] }.map(PersonView.init)))
      },
      Route(
        .post, "/api/pairings/{token}/claim", summary: "Become a paired device",
        requestBody: .json("PairingClaim"),
        responses: [.json(201, "The device; its cookie is set", "Claimed")],
        access: .everyone, body: .buffered(limit: 4_096)
      ) { request in
        let name = try Devices.name(try request.decode(Claim.self).name)
        guard request.caller != .owner else {
          throw HTTPError.conflict("This is the owner's own machine; it needs no pairing.")
        }
        let paired = try network.claim(
          request.parameters["token"], name: name, from: request.client,
          replacing: request.caller.device)
        var response = try Response.json(
          Claimed(id: paired.row.id, name: paired.row.name), status: 201)
        response.headers["Set-Cookie"] = DeviceCookie.setting(paired.token, for: request)
        return response
      },
    ]
  }

  /// The person for whom a code is asked; nil for the owner. Others than the owner ask for themselves.
  private static func person(_ request: Request, _ library: Library) throws -> Person? {
    let asked = request.body.isEmpty ? nil : try request.decode(Order.self).person
    if let own = request.caller.person, own != Person.owner {
      guard asked == nil || asked == own else {
        throw HTTPError.forbidden("Only the owner may add devices of other people.")
      }
      return library.people[own]
    }
    guard let asked, asked != Person.owner else { return nil }
    guard let person = library.people[asked] else { throw LibraryError.unknownPerson }
    return person
  }
}
