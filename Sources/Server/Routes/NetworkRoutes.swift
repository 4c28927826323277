// The network switch, and the CA certificate that devices install.

import HTTP

enum NetworkRoutes {
  /// The request body of the switch.
  private struct Choice: Decodable {
    let isOn: Bool
  }

  static func routes(_ network: LANServer) -> [Route] {
    [
      Route(
        .get, "/api/network", summary: "Whether and where other devices reach the studio",
        responses: [.json(200, "How it stands", "Network")]
      ) { _ in try .json(network.status()) },
      Route(
        .put, "/api/network", summary: "Switch the network on or off, and remember it",
        requestBody: .json("NetworkChoice"),
        responses: [.json(200, "How it stands", "Network")], access: .owner,
        body: .buffered(limit: 4_096)
      ) { request in
        try network.set(isOn: try request.decode(Choice.self).isOn)
        return try .json(network.status())
      },
      Route(
        .get, "/api/authority.crt",
        summary: "The certificate of this installation's authority, for devices to install",
        responses: [
          ResponseDoc(
            200, "DER", contentType: "application/x-x509-ca-cert",
            schema: ["type": "string", "format": "binary"])
        ], access: .everyone
      ) { _ in
        guard let certificate = try network.authorityCertificate() else {
          throw HTTPError.notFound(
            "There is no authority to install: the network is off, or uses its owner's certificate."
          )
        }
        return .bytes(certificate, contentType: "application/x-x509-ca-cert")
      },
    ]
  }
}
