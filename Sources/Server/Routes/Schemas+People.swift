// The named types of people and groups.

import HTTP
import Model

extension Schemas {
  private static let person: JSONValue = [
    "type": "string", "description": "a person's id: a UUID, or owner",
  ]
  private static let group: JSONValue = ["type": "string", "format": "uuid"]
  private static let name: JSONValue = [
    "type": "string", "maxLength": .integer(Person.nameLimit),
  ]
  private static let colour: JSONValue = ["type": "string", "pattern": "^#[0-9a-f]{6}$"]
  private static let role: JSONValue = [
    "type": "string", "enum": .array(Role.allCases.map { .string($0.rawValue) }),
  ]
  private static let members: JSONValue = [
    "type": "array",
    "items": [
      "type": "object", "required": ["person", "role"],
      "properties": ["person": person, "role": role],
    ],
  ]

  static let people: [String: JSONValue] = [
    "Person": [
      "type": ["object", "null"], "required": ["id", "name", "colour"],
      "properties": ["id": person, "name": name, "colour": colour],
    ],
    "People": [
      "type": "object", "required": ["people"],
      "properties": ["people": ["type": "array", "items": .reference(toSchema: "Person")]],
    ],
    "PersonDescription": [
      "type": "object", "required": ["name", "colour"],
      "properties": ["name": name, "colour": colour],
    ],
    "PersonChange": ["type": "object", "properties": ["name": name, "colour": colour]],
    "Group": [
      "type": "object", "required": ["id", "name", "role", "members"],
      "properties": [
        "id": group, "name": name, "role": role, "members": members,
      ],
    ],
    "Groups": [
      "type": "object", "required": ["groups"],
      "properties": ["groups": ["type": "array", "items": .reference(toSchema: "Group")]],
    ],
    "GroupDescription": [
      "type": "object", "required": ["name"],
      "properties": ["name": name, "members": members],
    ],
    "GroupNaming": ["type": "object", "required": ["name"], "properties": ["name": name]],
    "Membership": ["type": "object", "required": ["role"], "properties": ["role": role]],
    "RoutineSpace": [
      "type": "object", "required": ["space"],
      "properties": [
        "space": [
          "type": ["string", "null"], "description": "a group's id; null: the caller's own space",
        ]
      ],
    ],
  ]
}
