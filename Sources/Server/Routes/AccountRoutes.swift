// Signing in at a provider of OpenID Connect over HTTP, and each person's own accounts there. The provider
// sends the browser back to a page of the client, which brings what it got by these routes.

import Database
import HTTP
import Logging
import Model

/// An account in responses.
struct AccountView: Encodable {
  let id: String
  let issuer: String
  let name: String
  let createdAt: Int
  let lastUsedAt: Int?

  init(_ row: AccountRow) {
    id = row.id
    issuer = row.issuer
    name = row.name
    createdAt = row.createdAt
    lastUsedAt = row.lastUsedAt
  }
}

enum AccountRoutes {
  /// The path of the client's page to which the provider sends browsers back.
  static let returnPath = "/sign-in"
  /// The cookie of a browser that is at the provider. Over https its name is one that no sibling host can
  /// set (RFC 6265bis, 4.1.3.2): who could would let somebody come back with another's sign-in.
  private static let cookieName = "segmance_departure"

  private static func cookieName(of request: Request) -> String {
    DeviceCookie.name((isSecure(request) ? "__Host-" : "") + cookieName, at: request)
  }

  private static func isSecure(_ request: Request) -> Bool {
    request.headers["Origin"]?.hasPrefix("https:") == true
  }

  /// The response with the provider's page.
  private struct Departure: Encodable {
    let address: String
  }

  /// What of a sign-in is not the provider's.
  private struct Browser: Decodable {
    let name: String
    let stays: Bool
  }

  static func routes(_ library: Library) -> [Route] { entrances(library) + accounts(library) }

  private static func entrances(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/sign-in/provider/departure",
        summary: "Begin to sign in at the provider",
        responses: [.json(201, "Where to go; a cookie is set", "Departure")], access: .everyone
      ) { request in
        try depart(
          library.signIn.depart(returningTo: returnAddress(for: request)), for: request)
      },
      Route(
        .post, "/api/sign-in/provider",
        summary: "Become a device of a person, by an account at the provider",
        requestBody: .json("AccountSignIn"),
        responses: [.json(201, "The device; its cookie is set", "SignedIn")],
        access: .everyone, body: .buffered(limit: SignInRoutes.bodyLimit)
      ) { request in
        let arrival = try request.decode(OpenIDProvider.Return.self)
        let browser = try request.decode(Browser.self)
        let address = try returnAddress(for: request)
        return try SignInRoutes.enter(
          request, library, "account", name: browser.name, stays: browser.stays
        ) {
          let (row, token, isNew) = try library.signIn.enter(
            arrival, keeping: departure(of: request), returningTo: address, as: $0)
          if isNew { tell(library, ofNewPersonWith: row) }
          return (row, token)
        }
      },
    ]
  }

  private static func accounts(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/people/{id}/accounts/departure",
        summary: "Begin to add an account of one's own at the provider",
        responses: [.json(201, "Where to go; a cookie is set", "Departure")],
        access: .person(nil)
      ) { request in
        let person = try SignInRoutes.person(request, library, alsoByOwner: false)
        return try depart(
          library.signIn.depart(
            toAddFor: person, returningTo: returnAddress(for: request)), for: request)
      },
      Route(
        .post, "/api/people/{id}/accounts", summary: "Add an account of one's own at the provider",
        requestBody: .json("NewAccount"), responses: [.json(201, "The account", "Account")],
        access: .person(nil), body: .buffered(limit: SignInRoutes.bodyLimit)
      ) { request in
        let person = try SignInRoutes.person(request, library, alsoByOwner: false)
        let row = try library.signIn.addAccount(
          try request.decode(OpenIDProvider.Return.self), keeping: departure(of: request),
          returningTo: returnAddress(for: request), of: person)
        library.log.info("account.added", ["person": .text(person)])
        return try .json(AccountView(row), status: 201)
      },
      Route(
        .delete, "/api/people/{id}/accounts/{account}",
        summary: "Remove an account; the owner anybody's, others their own",
        responses: [ResponseDoc(204, "Nobody can sign in with it")], access: .person(nil)
      ) { request in
        let person = try SignInRoutes.person(request, library, alsoByOwner: true)
        guard try library.signIn.removeAccount(request.parameters["account"], of: person) else {
          throw LibraryError(.notFound, "There is no such account.")
        }
        library.log.info("account.removed", ["person": .text(person)])
        return .empty()
      },
    ]
  }

  private static func tell(_ library: Library, ofNewPersonWith row: DeviceRow) {
    guard let person = row.person else { return }
    library.log.info("person.added", ["person": .text(person), "by": "account"])
    library.announcePeople(to: [Person.owner])
  }

  /// Where the provider sends the browser back to: at the address that it is open at. Its `Host` was
  /// compared with the server's own addresses.
  private static func returnAddress(for request: Request) throws -> String {
    let host = request.headers["Host"] ?? ""
    guard let origin = request.headers["Origin"],
      ["https://\(host)", "http://\(host)"].contains(origin)
    else { throw HTTPError.badRequest("The header Origin is missing, or names another host.") }
    return origin + returnPath
  }

  private static func depart(
    _ departure: OpenIDProvider.Departure, for request: Request
  ) throws -> Response {
    var response = try Response.json(Departure(address: departure.address), status: 201)
    let seconds = SignInChallenges.life / 1_000
    // Lax: the way back begins at the provider's page.
    response.headers["Set-Cookie"] =
      "\(cookieName(of: request))=\(departure.secret); Max-Age=\(seconds); "
      + "Path=/; HttpOnly; SameSite=Lax\(isSecure(request) ? "; Secure" : "")"
    return response
  }

  /// What the browser kept while it was at the provider; empty if it kept nothing.
  private static func departure(of request: Request) -> String {
    request.cookie(cookieName(of: request)) ?? ""
  }
}
