// The paired devices over HTTP.

import Database
import HTTP
import Model

enum DeviceRoutes {
  /// A device in responses.
  private struct Device: Encodable {
    let id: String
    let name: String
    let createdAt: Int
    let lastSeenAt: Int
    /// Absent if the owner invited it.
    let invitedBy: String?
    let isThis: Bool
    /// The id of the person whose it is.
    let person: String
    /// When its access ends; absent for a device that stays.
    let endsAt: Int?

    init(_ row: DeviceRow, for caller: Caller) {
      id = row.id
      name = row.name
      createdAt = row.createdAt
      lastSeenAt = row.lastSeenAt
      invitedBy = row.invitedBy
      isThis = isSame(row, caller)
      person = row.person ?? Person.owner
      endsAt = row.endsAt
    }
  }

  /// The request body that renames a device.
  private struct Renaming: Decodable {
    let name: String
  }

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/devices", summary: "The paired devices; a person's own ones, to the owner all",
        responses: [.json(200, "The earliest first", "Devices")], access: .person(nil)
      ) { request in
        // Not inline: thousands of devices take milliseconds to encode.
        let person = request.caller.person
        let devices = library.devices.all.filter {
          person == Person.owner || $0.person == person
        }
        return try .json(["devices": devices.map { Device($0, for: request.caller) }])
      },
      Route(
        .patch, "/api/devices/{id}", summary: "Rename a device; the owner any, others their own",
        requestBody: .json("Renaming"),
        responses: [.json(200, "The device", "Device")], access: .person(nil),
        body: .buffered(limit: 4_096)
      ) { request in
        let id = request.parameters["id"]
        try authorize(request.caller, to: "rename", library.devices[id])
        let name = try Devices.name(try request.decode(Renaming.self).name)
        guard try library.devices.rename(id, to: name), let row = library.devices[id] else {
          throw LibraryError.unknownDevice
        }
        library.players.announce()
        return try .json(Device(row, for: request.caller))
      },
      Route(
        .delete, "/api/devices/{id}",
        summary: "Forget a device at once; the owner any, others their own",
        parameters: [
          ParameterDoc(
            "guests", schema: ["type": "string", "enum": ["1"]],
            description: "all that came in by its codes, and by theirs, too; the owner's alone")
        ],
        responses: [
          ResponseDoc(
            204, "Its next request is refused, and what it is being sent ends within a second")
        ], access: .person(nil)
      ) { request in
        let id = request.parameters["id"]
        let withGuests = try takesGuests(request)
        try authorize(request.caller, to: "remove", withGuests ? nil : library.devices[id])
        let isItself = library.devices[id].map { isSame($0, request.caller) } ?? false
        try library.revoke(id, withGuests: withGuests, by: request.caller)
        return .empty(
          headers: isItself
            ? ["Set-Cookie": DeviceCookie.removal(for: request)] : [:])
      },
    ]
  }

  /// Whether a device's guests are removed with it.
  private static func takesGuests(_ request: Request) throws(HTTPError) -> Bool {
    switch request.query["guests"] {
    case nil: return false
    case "1": return true
    default: throw .badRequest("The query value guests can only be 1.")
    }
  }

  /// Throws a 403 unless `caller` is the owner, or wants to `act` on itself or, as another person than the
  /// owner, on a device of theirs. Nil means several devices, or one that is not known.
  private static func authorize(
    _ caller: Caller, to act: String, _ device: DeviceRow?
  ) throws(HTTPError) {
    let isOwn = device.map { $0.person != nil && $0.person == caller.person } ?? false
    guard caller == .owner || isOwn || device.map({ isSame($0, caller) }) ?? false else {
      throw .forbidden(
        "Only the owner may \(act) other devices, at the machine that Segmance runs on.")
    }
  }

  private static func isSame(_ device: DeviceRow, _ caller: Caller) -> Bool {
    caller == .device(device.id, of: device.person)
  }
}
