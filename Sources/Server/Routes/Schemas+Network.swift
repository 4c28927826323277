// The named types of pairing, devices, the network and the remote control.

import HTTP

extension Schemas {
  private static let uuid: JSONValue = ["type": "string", "format": "uuid"]
  private static let text: JSONValue = ["type": "string"]
  private static let textOrNull: JSONValue = ["type": ["string", "null"]]
  private static let time: JSONValue = [
    "type": "integer", "description": "milliseconds since 1970",
  ]
  private static let deviceName: JSONValue = ["type": "string", "minLength": 1, "maxLength": 40]

  static let network: [String: JSONValue] = [
    "Session": [
      "type": "object", "required": ["role"],
      "properties": [
        "role": ["type": "string", "enum": ["owner", "device", "person", "stranger"]],
        "device": .reference(toSchema: "SignedIn"), "person": .reference(toSchema: "Person"),
        "people": ["type": "boolean", "description": "whether there is anybody but the owner"],
      ],
    ],
    "Pairing": [
      "type": "object", "required": ["token", "expiresAt", "address"],
      "properties": [
        "token": text, "expiresAt": time, "address": text, "qr": text, "installAddress": text,
        "installQr": text, "person": .reference(toSchema: "Person"),
      ],
    ],
    "PairingOrder": [
      "type": "object",
      "properties": ["person": ["type": ["string", "null"], "description": "a person's id"]],
    ],
    "PairingPerson": [
      "type": "object", "properties": ["person": .reference(toSchema: "Person")],
    ],
    "PairingClaim": [
      "type": "object", "required": ["name"], "properties": ["name": deviceName],
    ],
    "Claimed": [
      "type": "object", "required": ["id", "name"], "properties": ["id": uuid, "name": text],
    ],
    "Device": [
      "type": "object", "required": ["id", "name", "createdAt", "lastSeenAt", "isThis", "person"],
      "properties": [
        "person": ["type": "string", "description": "the id of the person whose it is"],
        "id": uuid, "name": text, "createdAt": time, "lastSeenAt": time,
        "isThis": ["type": "boolean"],
        "endsAt": [
          "type": "integer",
          "description": "when its access ends; absent: it stays",
        ],
        "invitedBy": [
          "type": "string", "format": "uuid",
          "description": "the device whose code let it in, which may be gone; absent: the owner's",
        ],
      ],
    ],
    "Devices": [
      "type": "object", "required": ["devices"],
      "properties": ["devices": ["type": "array", "items": .reference(toSchema: "Device")]],
    ],
    "Renaming": [
      "type": "object", "required": ["name"], "properties": ["name": deviceName],
    ],
    "NetworkChoice": [
      "type": "object", "required": ["isOn"], "properties": ["isOn": ["type": "boolean"]],
    ],
    "Network": [
      "type": "object", "required": ["isOn", "addresses", "authority", "problem"],
      "properties": [
        "isOn": ["type": "boolean"],
        "addresses": ["type": "array", "items": text],
        "authority": [
          "type": ["object", "null"], "required": ["fingerprint", "address"],
          "properties": ["fingerprint": text, "address": text],
        ],
        "problem": textOrNull,
      ],
    ],
    "Players": [
      "type": "object", "required": ["clients"],
      "properties": [
        "clients": [
          "type": "array",
          "items": [
            "type": "object", "required": ["id", "name"],
            "properties": [
              "id": uuid, "name": text, "device": .reference(toSchema: "Claimed"),
            ],
          ],
        ]
      ],
    ],
    "RemoteCommand": [
      "type": "object", "required": ["command"],
      "properties": [
        "from": ["type": ["string", "null"], "description": "the sender's own id, if it listens"],
        "to": ["type": ["string", "null"], "description": "a player's id; null: all others"],
        "command": ["type": "object", "description": "at most 2 kB, passed on as it is"],
      ],
    ],
  ]
}
