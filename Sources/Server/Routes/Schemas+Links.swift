// The named types of links.

import HTTP
import Model

extension Schemas {
  private static let time: JSONValue = [
    "type": "integer", "description": "milliseconds since 1970",
  ]
  private static let wantedTime: JSONValue = [
    "type": "integer", "minimum": .integer(.min), "maximum": .integer(.max),
    "description": "milliseconds since 1970, at most 400 days ahead",
  ]
  private static let passcode: JSONValue = [
    "type": ["string", "null"], "minLength": 4, "maxLength": 100,
  ]
  private static let shown: [String: JSONValue] = [
    "id": id, "routine": id, "part": id, "startFrame": start, "endFrame": end, "expiresAt": time,
  ]

  static let links: [String: JSONValue] = [
    "LinkRequest": [
      "type": "object", "required": ["routine", "expiresAt"],
      "properties": [
        "routine": id, "part": orNull(id), "startFrame": orNull(start), "endFrame": orNull(end),
        "expiresAt": wantedTime, "passcode": passcode,
      ],
    ],
    "LinkChange": [
      "type": "object", "properties": ["expiresAt": orNull(wantedTime)],
    ],
    "LinkOpening": [
      "type": "object", "required": ["secret"],
      "properties": ["secret": ["type": "string"], "passcode": passcode],
    ],
    "OpenedLink": [
      "type": "object", "required": ["id", "routine", "expiresAt"], "properties": .object(shown),
    ],
    "Link": [
      "type": "object",
      "required": [
        "id", "routine", "createdAt", "expiresAt", "hasPasscode", "openings", "address",
      ],
      "properties": .object(
        shown.merging([
          "createdAt": time, "hasPasscode": ["type": "boolean"],
          "openings": ["type": "integer", "minimum": 0], "lastOpenedAt": time,
          "address": [
            "type": ["string", "null"], "description": "null while the network is off",
          ],
        ]) { first, _ in first }),
    ],
    "Links": [
      "type": "object", "required": ["links"],
      "properties": ["links": ["type": "array", "items": .reference(toSchema: "Link")]],
    ],
    "LinkCode": [
      "type": "object", "required": ["qr"], "properties": ["qr": ["type": ["string", "null"]]],
    ],
    "LinkRecords": [
      "type": "object", "required": ["seq", "expiresAt", "records"],
      "properties": [
        "seq": ["type": "integer"], "expiresAt": time,
        "records": ["type": "array", "items": .reference(toSchema: "Record")],
      ],
    ],
  ]

  static func orNull(_ schema: JSONValue) -> JSONValue {
    ["anyOf": [schema, ["type": "null"]]]
  }
}
