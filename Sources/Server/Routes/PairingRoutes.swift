// Pairing over HTTP: creating a code and redeeming it.

import FoundationEssentials
import HTTP
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

  static func routes(_ network: LANServer) -> [Route] {
    [
      Route(
        .post, "/api/pairings", summary: "Make a code that pairs one device within five minutes",
        responses: [.json(201, "The code, as an address and as a picture", "Pairing")]
      ) { request in
        var maker: String?
        if case .device(let id) = request.caller { maker = id }
        let invitation = try network.invite(by: maker)
        return try .json(
          Pairing(
            token: invitation.token, expiresAt: invitation.expiresAt, address: invitation.address,
            qr: QRCode(invitation.address)?.svg, installAddress: invitation.installAddress,
            installQr: invitation.installAddress.flatMap { QRCode($0)?.svg }), status: 201)
      },
      Route(
        .post, "/api/pairings/{token}/claim", summary: "Become a paired device",
        requestBody: .json("PairingClaim"),
        responses: [.json(201, "The device; its cookie is set", "Claimed")],
        access: .everyone, body: .buffered(limit: 4_096)
      ) { request in
        let name = try Devices.name(try request.decode(Claim.self).name)
        var replaced: String?
        switch request.caller {
        case .owner:
          throw HTTPError.conflict("This is the owner's own machine; it needs no pairing.")
        case .device(let id): replaced = id
        case .visitor, .stranger: break
        }
        let paired = try network.claim(
          request.parameters["token"], name: name, from: request.client, replacing: replaced)
        var response = try Response.json(
          Claimed(id: paired.row.id, name: paired.row.name), status: 201)
        response.headers["Set-Cookie"] = DeviceCookie.setting(paired.token, for: request)
        return response
      },
    ]
  }
}
