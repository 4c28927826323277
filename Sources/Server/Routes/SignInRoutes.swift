// Passwords and passkeys over HTTP: signing in with them, and each person's own ones. Accounts at a provider
// are in AccountRoutes.swift.

import Database
import FoundationEssentials
import HTTP
import Logging
import Model
import Network

enum SignInRoutes {
  /// The response that says how anybody can sign in here.
  private struct Ways: Encodable {
    let password: Bool
    let passkey: Bool
    /// The name of the provider where people can sign in; absent without one.
    let provider: String?
  }

  /// The request body of a sign-in by a password.
  private struct ByPassword: Decodable {
    let login: String
    let password: String
    let name: String
    let stays: Bool
  }

  /// The request body of a sign-in by a passkey.
  private struct ByPasskey: Decodable {
    let passkey: Passkey.Assertion
    let name: String
    let stays: Bool
  }

  /// The response to a sign-in.
  private struct Entered: Encodable {
    let id: String
    let name: String
    let endsAt: Int?
  }

  /// The response with a challenge to sign in.
  private struct Challenge: Encodable {
    let challenge: String
    let site: String
  }

  /// The response with a challenge to add a passkey.
  private struct Addition: Encodable {
    let challenge: String
    let site: String
    /// The ids of the passkeys that the person has already.
    let known: [String]
  }

  /// The request body that sets a password.
  private struct NewPassword: Decodable {
    let login: String
    let password: String
    let current: String?
    let signOutOthers: Bool?
  }

  /// The request body that adds a passkey.
  private struct NewPasskey: Decodable {
    let passkey: Passkey.Creation
    let challenge: String
    let name: String
  }

  /// A passkey in responses.
  private struct PasskeyView: Encodable {
    let id: String
    let name: String
    let site: String
    let createdAt: Int
    let lastUsedAt: Int?

    init(_ row: PasskeyRow) {
      id = row.id
      name = row.name
      site = row.site
      createdAt = row.createdAt
      lastUsedAt = row.lastUsedAt
    }
  }

  /// The response that lists a person's ways to sign in.
  private struct Credentials: Encodable {
    /// Absent without a password.
    let login: String?
    let passkeys: [PasskeyView]
    let accounts: [AccountView]
    /// The name of the provider where accounts can be added; absent without one.
    let provider: String?
  }

  static let bodyLimit = 32_768

  static func routes(_ library: Library) -> [Route] {
    entrances(library) + passwords(library) + passkeys(library)
  }

  private static func entrances(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/sign-in",
        summary: "How anybody can sign in here",
        responses: [.json(200, "The ways", "SignInWays")], access: .everyone
      ) { request in
        let ways = try library.signIn.ways(at: try? site(of: request).host)
        return try .json(
          Ways(
            password: ways.password, passkey: ways.passkey,
            provider: library.signIn.provider?.options.name))
      },
      Route(
        .post, "/api/sign-in/password", summary: "Become a device of a person, by their password",
        requestBody: .json("PasswordSignIn"),
        responses: [.json(201, "The device; its cookie is set", "SignedIn")],
        access: .everyone, body: .buffered(limit: bodyLimit)
      ) { request in
        let body = try request.decode(ByPassword.self)
        return try enter(request, library, "password", name: body.name, stays: body.stays) {
          try library.signIn.enter(login: body.login, password: body.password, as: $0)
        }
      },
      Route(
        .post, "/api/sign-in/challenge", summary: "Ask for what a passkey has to sign",
        responses: [.json(201, "A challenge for five minutes", "PasskeyChallenge")],
        access: .everyone, execution: .inline
      ) { request in
        try .json(
          Challenge(
            challenge: try library.signIn.challenge(), site: try site(of: request).host),
          status: 201)
      },
      Route(
        .post, "/api/sign-in/passkey", summary: "Become a device of a person, by a passkey",
        requestBody: .json("PasskeySignIn"),
        responses: [.json(201, "The device; its cookie is set", "SignedIn")],
        access: .everyone, body: .buffered(limit: bodyLimit)
      ) { request in
        let body = try request.decode(ByPasskey.self)
        let site = try site(of: request)
        return try enter(request, library, "passkey", name: body.name, stays: body.stays) {
          try library.signIn.enter(body.passkey, at: site, as: $0)
        }
      },
    ]
  }

  private static func passwords(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/people/{id}/credentials",
        summary: "How a person can sign in; the owner of anybody, others of themselves",
        responses: [.json(200, "The name, the passkeys and the accounts", "Credentials")],
        access: .person(nil)
      ) { request in
        let person = try person(request, library, alsoByOwner: true)
        return try .json(
          Credentials(
            login: try library.signIn.password(of: person)?.login,
            passkeys: try library.signIn.passkeys(of: person).map(PasskeyView.init),
            accounts: try library.signIn.accounts(of: person).map(AccountView.init),
            provider: library.signIn.provider?.options.name))
      },
      Route(
        .put, "/api/people/{id}/password",
        summary: "Set one's own name and password to sign in with",
        requestBody: .json("NewPassword"), responses: [ResponseDoc(204, "They hold")],
        access: .person(nil), body: .buffered(limit: bodyLimit)
      ) { request in
        let person = try person(request, library, alsoByOwner: false)
        let body = try request.decode(NewPassword.self)
        try library.signIn.setPassword(
          body.password, login: body.login, current: body.current, of: person,
          from: request.client)
        library.log.info("password.changed", ["person": .text(person)])
        if body.signOutOthers == true { try signOutOthers(request, library, of: person) }
        return .empty()
      },
      Route(
        .delete, "/api/people/{id}/password",
        summary: "Remove a password; the owner anybody's, others their own",
        responses: [ResponseDoc(204, "Nobody can sign in with it")], access: .person(nil)
      ) { request in
        let person = try person(request, library, alsoByOwner: true)
        try library.signIn.removePassword(of: person)
        library.log.info("password.removed", ["person": .text(person)])
        return .empty()
      },
    ]
  }

  private static func passkeys(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/people/{id}/passkeys/challenge",
        summary: "Ask for what a new passkey of one's own needs",
        responses: [.json(201, "A challenge for five minutes", "PasskeyAddition")],
        access: .person(nil)
      ) { request in
        let person = try person(request, library, alsoByOwner: false)
        return try .json(
          Addition(
            challenge: library.signIn.challenge(toAddFor: person), site: try site(of: request).host,
            known: try library.signIn.passkeys(of: person).map(\.id)), status: 201)
      },
      Route(
        .post, "/api/people/{id}/passkeys", summary: "Add a passkey of one's own",
        requestBody: .json("NewPasskey"), responses: [.json(201, "The passkey", "Passkey")],
        access: .person(nil), body: .buffered(limit: bodyLimit)
      ) { request in
        let person = try person(request, library, alsoByOwner: false)
        let body = try request.decode(NewPasskey.self)
        let row = try library.signIn.add(
          body.passkey, for: body.challenge, name: body.name, at: try site(of: request), of: person)
        library.log.info("passkey.added", ["person": .text(person)])
        return try .json(PasskeyView(row), status: 201)
      },
      Route(
        .delete, "/api/people/{id}/passkeys/{passkey}",
        summary: "Remove a passkey; the owner anybody's, others their own",
        responses: [ResponseDoc(204, "Nobody can sign in with it")], access: .person(nil)
      ) { request in
        let person = try person(request, library, alsoByOwner: true)
        guard try library.signIn.removePasskey(request.parameters["passkey"], of: person) else {
          throw LibraryError(.notFound, "There is no such passkey.")
        }
        library.log.info("passkey.removed", ["person": .text(person)])
        return .empty()
      },
    ]
  }

  /// The person in the path, who must be the one who asks or, with `alsoByOwner`, may be anybody if the
  /// owner asks.
  static func person(
    _ request: Request, _ library: Library, alsoByOwner: Bool
  ) throws -> String {
    let id = request.parameters["id"]
    guard library.people[id] != nil else { throw LibraryError.unknownPerson }
    let isAllowed =
      request.caller.person == id || alsoByOwner && request.caller.person == Person.owner
    guard isAllowed else {
      throw HTTPError.forbidden("Each person sets their own password, passkeys and accounts.")
    }
    return id
  }

  /// The site of a request, whose `Host` was compared with the server's own addresses. Passkeys belong to
  /// names, so there are none at an address of numbers, nor at localhost, which is another machine
  /// elsewhere.
  private static func site(of request: Request) throws -> Passkey.Site {
    let authority = (request.headers["Host"] ?? "").lowercased()
    let host = String(authority.prefix { $0 != ":" })
    guard !host.isEmpty, host != "localhost", !authority.hasPrefix("["), IPAddress(host) == nil
    else {
      throw LibraryError(
        .unusable, "Passkeys need a name. Open Segmance by its name, not by an address of numbers.")
    }
    return Passkey.Site(origin: "https://\(authority)", host: host)
  }

  static func enter(
    _ request: Request, _ library: Library, _ way: LogRecord.Value, name: String, stays: Bool,
    _ admit: (SignIn.Browser) throws -> (row: DeviceRow, token: String)
  ) throws -> Response {
    guard request.caller != .owner else {
      throw HTTPError.conflict("This is the owner's own machine; it needs no sign-in.")
    }
    let replaced = request.caller.device
    let address = request.client.map { LogRecord.Value.text($0.description) }
    do {
      let (row, token) = try admit(
        SignIn.Browser(
          name: try Devices.name(name), stays: stays, address: request.client, replaced: replaced))
      if let replaced { library.hub.close { $0.device == replaced } }
      library.log.info(
        "device.signedIn",
        [
          "device": .text(row.id), "by": way, "address": address,
          "replaced": replaced.map { .text($0) },
        ])
      var response = try Response.json(
        Entered(id: row.id, name: row.name, endsAt: row.endsAt), status: 201)
      response.headers["Set-Cookie"] = DeviceCookie.setting(
        token, until: row.endsAt, for: request)
      return response
    } catch let error as LibraryError
      where [.wrongCredentials, .unknownAccount].contains(error.code)
    {
      library.log.warning(
        "signIn.refused",
        ["by": way, "address": address, "reason": error.cause.map { .text("\($0)") }])
      throw error
    }
  }

  /// Removes all devices of a person but the one that asks.
  private static func signOutOthers(
    _ request: Request, _ library: Library, of person: String
  ) throws {
    for device in library.devices.all
    where (device.person ?? Person.owner) == person && device.id != request.caller.device {
      try library.revoke(device.id, by: request.caller)
    }
  }
}
