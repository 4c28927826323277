// The named types of notifications.

import Database
import HTTP

extension Schemas {
  private static let base64url: JSONValue = [
    "type": "string", "pattern": "^[0-9A-Za-z_-]+$", "maxLength": 128,
  ]
  private static let endpoint: JSONValue = [
    "type": "string", "maxLength": .integer(PushServices.longestEndpoint),
    "description": "the address at the browser's push service",
  ]
  private static let level: JSONValue = [
    "type": "string", "enum": .array(PushSubscription.Level.allCases.map { .string($0.rawValue) }),
    "description": "which comments: those that mention the person, or all",
  ]
  private static let language: JSONValue = ["type": "string", "pattern": "^[a-z]{2,3}$"]

  static let push: [String: JSONValue] = [
    "PushStatus": [
      "type": "object", "required": ["isDevice"],
      "properties": [
        "publicKey": base64url,
        "subscription": [
          "type": "object", "required": ["endpoint", "level", "language"],
          "properties": ["endpoint": endpoint, "level": level, "language": language],
        ],
        "isDevice": [
          "type": "boolean", "description": "whether the caller can be notified at all",
        ],
      ],
    ],
    "PushSubscribing": [
      "type": "object", "required": ["endpoint", "publicKey", "authentication"],
      "properties": [
        "endpoint": endpoint, "publicKey": base64url, "authentication": base64url, "level": level,
        "language": language,
      ],
    ],
  ]
}
