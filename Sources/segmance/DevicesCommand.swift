// segmance devices

import FoundationEssentials
import Server

enum DevicesCommand: Command {
  static let name = "devices"
  static let usage =
    "[list | pair [--person NAME] | rename ID NAME | revoke ID [--guests]] [--data DIR] [--json]"
  static let summary = "List, pair, rename and revoke the devices that may come in"
  static let options = [
    Option(name: "person", value: "NAME", help: "whose device is paired; the owner's if left out"),
    Option(name: "guests", value: nil, help: "revoke all that came in by its codes, too"),
    Option.data, Option.json,
  ]

  /// A device in the answers of the server and of the library.
  private struct List: Codable {
    let devices: [DeviceSummary]
  }

  /// The people in the answer of the server.
  private struct People: Codable {
    let people: [PersonSummary]
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let words = arguments.operands
    switch (words.first ?? "list", words.count) {
    case ("list", 0...1): try list(arguments)
    case ("pair", 1): try pair(arguments)
    case ("rename", 3): try rename(arguments, words[1], to: words[2])
    case ("revoke", 2): try revoke(arguments, words[1])
    default:
      throw UsageError(message: "devices takes list, pair, rename ID NAME, or revoke ID.")
    }
    return 0
  }

  /// Works on the devices: through the running server, or in the library if no server has it open.
  private static func use<Result>(
    _ arguments: Arguments, library: (DeviceAdmin) throws -> Result,
    server: (LocalClient) throws -> Result
  ) throws -> Result {
    let admin: DeviceAdmin
    do {
      admin = try DeviceAdmin(root: arguments.dataFolder)
    } catch let error as LibraryError where error.code == .locked {
      return try server(try LocalClient(root: arguments.dataFolder))
    }
    return try library(admin)
  }

  private static func list(_ arguments: Arguments) throws {
    let (devices, people) = try use(arguments) {
      ($0.devices, $0.people)
    } server: { client in
      let body = try client.send("GET", "/api/devices")
      return (
        try JSONDecoder().decode(List.self, from: Data(body)).devices, try Self.people(client)
      )
    }
    if arguments.has("json") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      print(String(decoding: try encoder.encode(List(devices: devices)), as: UTF8.self))
    } else if devices.isEmpty {
      print("No device is paired.")
    }
    guard !arguments.has("json") else { return }
    for device in devices {
      let seen = Date(timeIntervalSince1970: Double(device.lastSeenAt) / 1000)
        .formatted(.iso8601)
      let inviter = device.invitedBy.map { "  (let in by \($0))" } ?? ""
      let owner = people.first { $0.id == device.person && !$0.isOwner }
      let whose = owner.map { "  (of \($0.name))" } ?? ""
      say("\(device.id)  \(seen)  \(device.name)\(whose)\(inviter)")
    }
  }

  private static func people(_ client: LocalClient) throws -> [PersonSummary] {
    try JSONDecoder().decode(
      People.self, from: Data(try client.send("GET", "/api/people"))
    ).people
  }

  /// The body that asks for a code for a person, who is named by their name or id.
  private static func order(_ name: String, _ client: LocalClient) throws -> [UInt8] {
    let found = try people(client).filter { $0.id == name || $0.name == name }
    guard found.count < 2 else {
      throw CommandFailure(
        description: "\(found.count) people have this name. Name one by the id: "
          + found.map(\.id).joined(separator: ", "))
    }
    guard let person = found.first else {
      throw CommandFailure(
        description: "There is nobody with this name. Add people in the browser.")
    }
    return [UInt8](try JSONEncoder().encode(["person": person.id]))
  }

  /// The server's answer with a new code.
  private struct Pairing: Decodable {
    let token: String
    let expiresAt: Int
    let address: String
    let installAddress: String?
  }

  private static func pair(_ arguments: Arguments) throws {
    let body = try use(arguments) { _ -> [UInt8] in
      throw CommandFailure(
        description: "Start the server first (segmance serve --lan), as the device talks to it.")
    } server: { client in
      let body = try arguments["person"].map { try order($0, client) } ?? []
      return try client.send("POST", "/api/pairings", body)
    }
    if arguments.has("json") {
      print(String(decoding: body, as: UTF8.self))
    } else {
      let pairing = try JSONDecoder().decode(Pairing.self, from: Data(body))
      print(
        InvitationText.terminal(
          address: pairing.address, installAddress: pairing.installAddress))
    }
  }

  private static func rename(_ arguments: Arguments, _ id: String, to name: String) throws {
    try use(arguments) {
      try $0.rename(id, to: name)
    } server: { client in
      let body = [UInt8](try JSONEncoder().encode(["name": name]))
      _ = try client.send("PATCH", "/api/devices/\(try checked(id))", body)
    }
  }

  private static func revoke(_ arguments: Arguments, _ id: String) throws {
    let withGuests = arguments.has("guests")
    try use(arguments) {
      try $0.revoke(id, withGuests: withGuests)
    } server: { client in
      let query = withGuests ? "?guests=1" : ""
      _ = try client.send("DELETE", "/api/devices/\(try checked(id))\(query)")
    }
  }

  /// An id that can stand in an address.
  private static func checked(_ id: String) throws -> String {
    guard !id.isEmpty, id.utf8.allSatisfy({ $0.isHexadecimal || $0 == UInt8(ascii: "-") }) else {
      throw CommandFailure(description: "There is no such device.")
    }
    return id
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    (0x30...0x39).contains(self) || (0x61...0x66).contains(self)
  }
}
