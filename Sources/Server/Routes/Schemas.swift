// The named types of the API description. The record types are generated from the schema table.

import HTTP
import Model

enum Schemas {
  static var all: [String: JSONValue] {
    var all = [network, links, people, signIn, leads, push].reduce(fixed) { all, more in
      all.merging(more) { first, _ in first }
    }
    for type in RecordType.allCases { all[name(of: type)] = record(type) }
    all["Record"] = [
      "oneOf": .array(RecordType.allCases.map { .reference(toSchema: name(of: $0)) })
    ]
    return all
  }

  private static let stamp: JSONValue = [
    "type": "string", "pattern": "^[0-9]{13}-[0-9a-f]{4}-[0-9a-f]{8}$",
  ]
  static let id: JSONValue = ["type": "string", "format": "uuid"]

  private static let textOrNull: JSONValue = ["type": ["string", "null"]]
  /// The start and end of a range of a track, in frames.
  static let start: JSONValue = [
    "type": "integer", "minimum": 0, "maximum": .integer(Timeline.longestTrackFrames - 1),
  ]
  static let end: JSONValue = [
    "type": "integer", "minimum": 1, "maximum": .integer(Timeline.longestTrackFrames),
  ]

  private static let values: JSONValue = [
    "type": "object",
    "additionalProperties": ["type": ["string", "number", "boolean", "null"]],
  ]

  private static func bringBack(_ description: String) -> JSONValue {
    [
      "type": "array", "description": .string(description),
      "items": [
        "type": "object", "required": ["type", "record", "fields", "removes"],
        "properties": [
          "type": ["type": "string", "enum": ["routine", "part", "move"]], "record": id,
          "fields": values,
          "removes": ["type": "boolean", "description": "Whether the record is to be deleted"],
        ],
      ],
    ]
  }

  private static let fade: JSONValue = [
    "type": ["integer", "null"], "minimum": 0, "maximum": .integer(ExportOrder.longestFadeFrames),
    "description": "Frames",
  ]

  /// The schemas of path parameters.
  static let inPaths: [String: JSONValue] = [
    "id": id, "job": id, "n": ["type": "integer", "minimum": 0],
    "token": ["type": "string", "pattern": "^[0-9A-Za-z_-]+$"],
  ]

  private static let fixed: [String: JSONValue] = [
    "Health": [
      "type": "object", "required": ["status"],
      "properties": [
        "status": ["type": "string", "enum": ["ok", "degraded"]], "version": ["type": "string"],
        "problems": ["type": "array", "items": ["type": "string"]],
      ],
    ],
    "JobResponse": ["type": "object", "required": ["job"], "properties": ["job": id]],
    "BackupStatus": [
      "type": "object", "required": ["bytes"],
      "properties": [
        "bytes": ["type": "integer", "description": "About how large a backup is now"],
        "scheduled": [
          "type": "object", "required": ["folder", "keep", "count"],
          "properties": [
            "folder": ["type": "string"], "everyHours": ["type": "integer"],
            "keep": ["type": "integer"], "count": ["type": "integer"],
            "lastAt": ["type": "integer"], "lastBytes": ["type": "integer"],
            "problem": ["type": "string"], "job": id,
          ],
        ],
      ],
    ],
    "Change": [
      "type": "object", "required": ["id", "type", "record", "fields", "at"],
      "properties": [
        "id": id,
        "type": [
          "type": "string", "enum": .array(RecordType.allCases.map { .string($0.rawValue) }),
        ],
        "record": ["type": "string"],
        "fields": values,
        "at": stamp,
        "space": [
          "type": ["string", "null"],
          "description": "the group in which a routine or move type is made",
        ],
      ],
    ],
    "SyncRequest": [
      "type": "object",
      "properties": [
        "library": ["type": ["string", "null"]],
        "person": [
          "type": ["string", "null"],
          "description": "whose copy it is; if it is not the caller's, no change is taken",
        ],
        "since": [
          "type": ["integer", "null"], "minimum": .integer(.min), "maximum": .integer(.max),
        ],
        "changes": [
          "type": ["array", "null"], "maxItems": .integer(SyncRoutes.batchSize),
          "items": .reference(toSchema: "Change"),
        ],
      ],
    ],
    "SyncResponse": [
      "type": "object",
      "required": [
        "seq", "records", "rejected", "more", "clock", "library", "purged", "person", "people",
        "spaces",
      ],
      "properties": [
        "seq": ["type": "integer"],
        "records": ["type": "array", "items": .reference(toSchema: "Record")],
        "rejected": [
          "type": "array",
          "items": [
            "type": "object", "required": ["reason"],
            "properties": [
              "id": ["type": ["string", "null"]], "reason": ["type": "string"],
              "code": ["enum": ["clock", "forbidden"]],
            ],
          ],
        ],
        "more": ["type": "boolean"],
        "clock": stamp,
        "library": ["type": "string", "description": "Changes when a backup is restored"],
        "purged": [
          "type": "integer",
          "description": "A copy that reaches less far begins anew",
        ],
        "person": ["type": "string", "description": "the id of the person who asks"],
        "people": ["type": "boolean", "description": "whether there is anybody but the owner"],
        "spaces": [
          "type": "array", "description": "the person's groups",
          "items": [
            "type": "object", "required": ["id", "name", "role", "members", "since"],
            "properties": [
              "id": id, "name": ["type": "string"],
              "members": ["type": "integer", "description": "the number of people in it"],
              "since": [
                "type": "integer", "description": "the sequence number at which the person joined",
              ],
              "with": [
                "type": "array", "items": ["type": "string"],
                "description": "of a group without a name, the names of the others in it",
              ],
              "role": [
                "type": "string", "enum": .array(Role.allCases.map { .string($0.rawValue) }),
              ],
            ],
          ],
        ],
      ],
    ],
    "TrackRequest": [
      "type": "object", "required": ["upload"],
      "properties": ["upload": id, "title": textOrNull, "space": orNull(id)],
    ],
    "TrackResponse": [
      "type": "object", "required": ["id"], "properties": ["id": id, "job": id],
    ],
    "VideoRequest": [
      "type": "object", "required": ["upload"],
      "properties": ["upload": id, "title": textOrNull, "space": orNull(id)],
    ],
    "VideoResponse": [
      "type": "object", "required": ["id"], "properties": ["id": id, "job": id],
    ],
    "RecordingRequest": [
      "type": "object", "required": ["upload"],
      "properties": ["upload": id, "title": textOrNull, "space": orNull(id)],
    ],
    "RecordingResponse": [
      "type": "object", "required": ["id"], "properties": ["id": id, "job": id],
    ],
    "SampleResponse": [
      "type": "object", "required": ["routine", "track"],
      "properties": ["routine": id, "track": id, "job": id],
    ],
    "HistoryResponse": [
      "type": "object", "required": ["versions"],
      "properties": [
        "versions": [
          "type": "array", "maxItems": 100,
          "items": [
            "type": "object", "required": ["field", "value", "at"],
            "properties": [
              "field": ["type": "string"], "value": ["type": "string"],
              "at": ["type": "integer", "description": "When it was written, ms since 1970"],
            ],
          ],
        ]
      ],
    ],
    "RoutineChangesResponse": [
      "type": "object", "required": ["since", "changes", "more", "back"],
      "properties": [
        "since": [
          "type": "integer",
          "description": "Since when they are, ms since 1970: later than asked where less is known",
        ],
        "changes": [
          "type": "array", "maxItems": .integer(HistoryRoutes.mostChanges),
          "items": .reference(toSchema: "RoutineChange"),
        ],
        "more": ["type": "integer", "description": "How many more there are"],
        "back": bringBack("Brings back everything that can be"),
      ],
    ],
    "RoutineChange": [
      "type": "object",
      "required": ["kind", "type", "record", "title", "was", "now", "at", "back"],
      "properties": [
        "kind": [
          "type": "string",
          "enum": .array(ChoreographyChange.Kind.allCases.map { .string($0.rawValue) }),
        ],
        "type": ["type": "string", "enum": ["routine", "part", "move"]], "record": id,
        "title": ["type": "string"], "part": id, "partTitle": ["type": "string"],
        "was": values, "now": values,
        "at": ["type": "integer", "description": "When it was written, ms since 1970"],
        "back": bringBack("Brings it back; empty if something is missing"),
        "missing": [
          "type": "string", "description": "What it needs and is not there any more",
          "enum": .array(ChoreographyChange.Missing.allCases.map { .string($0.rawValue) }),
        ],
      ],
    ],
    "ExportOrder": [
      "type": "object", "required": ["clips", "format"],
      "properties": [
        "clips": [
          "type": "array", "minItems": 1, "maxItems": .integer(ExportOrder.clipLimit),
          "items": [
            "type": "object", "required": ["track", "start", "end"],
            "properties": [
              "track": id, "start": start, "end": end, "title": textOrNull,
            ],
          ],
        ],
        "format": ["type": "string", "enum": ["wav", "flac", "mp3", "m4a", "opus"]],
        "fadeIn": fade, "fadeOut": fade,
      ],
    ],
    "ExportResponse": ["type": "object", "required": ["job"], "properties": ["job": id]],
    "Analysis": [
      "type": "object", "required": ["attacks", "changes"],
      "properties": [
        "attacks": [
          "type": "array", "items": ["type": "integer", "description": "Frame, rising"],
        ],
        "changes": [
          "type": "array",
          "items": [
            "type": "object", "required": ["frame", "strength"],
            "properties": [
              "frame": ["type": "integer"],
              "strength": ["type": "number", "minimum": 0, "maximum": 1],
            ],
          ],
        ],
        "levels": [
          "type": "object", "required": ["stepFrames", "loudness", "peaks"],
          "properties": [
            "stepFrames": ["type": "integer", "description": "The frames of a step"],
            "loudness": [
              "type": "array", "items": ["type": "integer", "description": "Hundredths of a LUFS"],
            ],
            "peaks": [
              "type": "array", "items": ["type": "integer", "description": "Hundredths of a dBTP"],
            ],
          ],
        ],
      ],
    ],
    "AnalysisResponse": ["type": "object", "required": ["job"], "properties": ["job": id]],
    "AlignmentRequest": [
      "type": "object", "required": ["track", "start", "end"],
      "properties": [
        "track": id, "start": start, "end": end,
      ],
    ],
    "Alignment": [
      "type": "object", "required": ["offset", "confidence", "isCertain"],
      "properties": [
        "offset": ["type": "integer", "description": "Frame of the track at the video's time 0"],
        "confidence": ["type": "number", "minimum": 0, "maximum": 1],
        "isCertain": ["type": "boolean"],
      ],
    ],
    "AlignmentResponse": ["type": "object", "required": ["job"], "properties": ["job": id]],
    "Job": [
      "type": "object", "required": ["id", "kind", "state", "progress"],
      "properties": [
        "id": id, "kind": ["type": "string"],
        "state": [
          "type": "string", "enum": ["queued", "running", "done", "failed", "cancelled"],
        ],
        "progress": ["type": "number", "minimum": 0, "maximum": 1],
        "message": ["type": ["string", "null"]],
        "track": id, "video": id, "recording": id,
      ],
    ],
  ]

  private static func name(of type: RecordType) -> String {
    type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
  }

  private static func record(_ type: RecordType) -> JSONValue {
    var properties: [String: JSONValue] = [
      "type": ["const": .string(type.rawValue)], "id": ["type": "string"],
      "seq": ["type": "integer"], "createdAt": ["type": "integer"],
      "deletedAt": ["type": ["integer", "null"]],
    ]
    for field in type.fields { properties[field.name] = schema(of: field.kind) }
    return [
      "type": "object", "required": ["type", "id", "seq", "createdAt", "deletedAt"],
      "properties": .object(properties),
    ]
  }

  private static func schema(of kind: FieldKind) -> JSONValue {
    switch kind {
    case .line(_, let max), .lines(_, let max):
      ["type": "string", "description": .string("at most \(max) characters as a person sees them")]
    case .integer(let range):
      [
        "type": "integer", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .number(let range):
      [
        "type": "number", "minimum": .number(range.lowerBound),
        "maximum": .number(range.upperBound),
      ]
    case .oneOf(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
    case .reference: id
    case .position: ["type": "string", "pattern": "^[0-9A-Za-z]*[1-9A-Za-z]$"]
    case .colour: ["type": "string", "pattern": "^#[0-9a-f]{6}$"]
    case .scalar: ["type": ["string", "number", "boolean"]]
    }
  }
}
