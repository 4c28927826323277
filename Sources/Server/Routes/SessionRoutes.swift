// The caller's own session over HTTP.

import HTTP

enum SessionRoutes {
  /// The response of `GET /api/session`.
  private struct Session: Encodable {
    struct Device: Encodable {
      let id: String
      let name: String
      /// When its access ends; absent for a device that stays.
      let endsAt: Int?
    }
    let role: String
    var device: Device?
    /// Absent for strangers.
    var person: PersonView?
    /// Whether there are people beside the owner.
    var people = false
  }

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/session", summary: "Who asks: the owner, a paired device or a stranger",
        responses: [.json(200, "Who it is; a device's cookie is renewed", "Session")],
        access: .everyone, execution: .inline
      ) { request in
        let person = request.caller.person.flatMap { library.people[$0] }.map(PersonView.init)
        let hasPeople = person != nil && !library.people.isAlone
        guard case .device(let id, let other) = request.caller, let device = library.devices[id]
        else {
          return try .json(
            Session(
              role: request.caller == .owner ? "owner" : "stranger", person: person,
              people: hasPeople))
        }
        var response = try Response.json(
          Session(
            role: other == nil ? "device" : "person",
            device: Session.Device(id: id, name: device.name, endsAt: device.endsAt),
            person: person, people: hasPeople))
        response.renewCookie(of: request, in: library.devices)
        return response
      },
      Route(
        .delete, "/api/session", summary: "Leave: this device is forgotten",
        responses: [ResponseDoc(204, "It is not paired any more")], access: .person(nil)
      ) { request in
        guard let id = request.caller.device else {
          throw HTTPError.conflict("This is the owner's own machine; it is not paired.")
        }
        try library.revoke(id, by: request.caller)
        return .empty(headers: ["Set-Cookie": DeviceCookie.removal(for: request)])
      },
    ]
  }
}
