// The paired devices over HTTP.

import Database
import HTTP

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

    init(_ row: DeviceRow, for caller: Caller) {
      id = row.id
      name = row.name
      createdAt = row.createdAt
      lastSeenAt = row.lastSeenAt
      invitedBy = row.invitedBy
      isThis = caller == .device(row.id)
    }
  }

  /// The request body that renames a device.
  private struct Renaming: Decodable {
    let name: String
  }

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/devices", summary: "The paired devices",
        responses: [.json(200, "All of them, the earliest first", "Devices")], execution: .inline
      ) { request in
        try .json(["devices": library.devices.all.map { Device($0, for: request.caller) }])
      },
      Route(
        .patch, "/api/devices/{id}", summary: "Rename a device; a device may rename itself only",
        requestBody: .json("Renaming"),
        responses: [.json(200, "The device", "Device")], body: .buffered(limit: 4_096)
      ) { request in
        let id = request.parameters["id"]
        try authorize(request.caller, to: "rename", id)
        let name = try Devices.name(try request.decode(Renaming.self).name)
        guard try library.devices.rename(id, to: name), let row = library.devices[id] else {
          throw LibraryError.unknownDevice
        }
        library.players.announce()
        return try .json(Device(row, for: request.caller))
      },
      Route(
        .delete, "/api/devices/{id}",
        summary: "Forget a device at once; a device may forget itself only",
        parameters: [
          ParameterDoc(
            "guests", schema: ["type": "string", "enum": ["1"]],
            description: "all that came in by its codes, and by theirs, too; the owner's alone")
        ],
        responses: [
          ResponseDoc(
            204, "Its next request is refused, and what it is being sent ends within a second")
        ]
      ) { request in
        let id = request.parameters["id"]
        let withGuests = try takesGuests(request)
        try authorize(request.caller, to: "remove", withGuests ? nil : id)
        try library.revoke(id, withGuests: withGuests, by: request.caller)
        return .empty(
          headers: request.caller == .owner
            ? [:] : ["Set-Cookie": DeviceCookie.removal(for: request)])
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

  /// Throws a 403 unless `caller` is the owner, or the device that it wants to `act` on. Nil means
  /// several devices.
  private static func authorize(
    _ caller: Caller, to act: String, _ id: String?
  ) throws(HTTPError) {
    guard caller == .owner || id.map({ caller == .device($0) }) ?? false else {
      throw .forbidden(
        "Only the owner may \(act) other devices, at the machine that Segmance runs on.")
    }
  }
}
