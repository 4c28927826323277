// The named types of leading.

import HTTP
import Model

extension Schemas {
  private static let frames: JSONValue = [
    "type": "integer", "minimum": 0, "description": "frames at 48 kHz",
  ]
  private static let seconds: JSONValue = ["type": "number", "minimum": 0, "maximum": 86_400]

  private static func oneOf<Name: CaseIterable & RawRepresentable<String>>(_: Name.Type)
    -> JSONValue
  {
    ["type": "string", "enum": .array(Name.allCases.map { .string($0.rawValue) })]
  }

  static let leads: [String: JSONValue] = [
    "Clock": ["type": "object", "required": ["now"], "properties": ["now": ["type": "number"]]],
    "LeadState": [
      "type": "object",
      "required": [
        "part", "isRun", "state", "frame", "at", "framesLeft", "percent", "loopMode", "countIn",
        "countdownSeconds", "countdownRepeats", "restSeconds",
      ],
      "properties": [
        "part": id,
        "isRun": ["type": "boolean", "description": "the whole routine is played"],
        "state": oneOf(LeadState.Playback.self),
        "frame": frames,
        "at": [
          "type": "number", "description": "the time of /api/clock at which the frame is heard",
        ],
        "framesLeft": ["type": "integer", "minimum": 0, "description": "of a countdown or rest"],
        "percent": ["type": "integer", "minimum": 25, "maximum": 200],
        "loopMode": oneOf(LeadState.LoopMode.self),
        "markerA": orNull(frames), "markerB": orNull(frames),
        "countIn": oneOf(LeadState.CountIn.self),
        "countdownSeconds": seconds,
        "countdownRepeats": oneOf(LeadState.CountdownRepeats.self),
        "restSeconds": seconds,
      ],
    ],
    "LeadRequest": [
      "type": "object", "required": ["client", "number", "state"],
      "properties": [
        "client": id,
        "number": [
          "type": "integer", "description": "rises with each message of a page",
          "minimum": .integer(.min), "maximum": .integer(.max),
        ],
        "begins": ["type": ["boolean", "null"], "description": "in place of who leads now"],
        "note": ["type": ["string", "null"], "maxLength": .integer(Leads.noteLimit)],
        "state": .reference(toSchema: "LeadState"),
      ],
    ],
    "LeadResponse": [
      "type": "object", "required": ["followers"],
      "properties": ["followers": ["type": "integer", "minimum": 0]],
    ],
    "LeadFollower": ["type": "object", "required": ["client"], "properties": ["client": id]],
  ]
}
