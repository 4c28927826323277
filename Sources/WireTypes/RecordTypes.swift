// The schema of records as TypeScript.

import Model

/// Returns the file with the types of fields, their rules, their limits and the parents of records.
func recordTypes() -> String {
  let types = RecordType.allCases.sorted { depth($0) < depth($1) }
  var text = header(of: "Sources/Model/Schema.swift")
  text += """

    /** The versions of the files that the server makes from a track. */
    export const analysisVersion = \(DerivedVersions.current.analysis);
    export const peaksVersion = \(DerivedVersions.current.peaks);

    """
  for type in types {
    text += "\n/** The fields of a \(type.rawValue) that a client may write. */\n"
    text += interface("\(capitalised(type.rawValue))Fields", type.fields.filter { !$0.isServers })
    let ofServer = type.fields.filter(\.isServers)
    if ofServer.isEmpty { continue }
    text += "\n/** The fields of a \(type.rawValue) that only the server sets. */\n"
    text += interface("\(capitalised(type.rawValue))ServerFields", ofServer)
  }
  text +=
    "\n/** The fields that a client may write, by type. */\nexport interface WritableFields {\n"
  for type in types { text += "  \(type.rawValue): \(capitalised(type.rawValue))Fields;\n" }
  text += "}\n\n/** Lists every type, parents before their children. */\n"
  let names = types.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  text += "export const recordTypes = [\(names)] as const;\n"
  text += """

    /** What a field may hold. */
    export type FieldRule =
      | { readonly kind: 'line'; readonly min: number; readonly max: number }
      | { readonly kind: 'lines'; readonly min?: number; readonly max: number }
      | { readonly kind: 'scalar'; readonly max: number }
      | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number }
      | { readonly kind: 'oneOf'; readonly words: readonly string[] }
      | { readonly kind: 'reference' | 'position' | 'colour' };

    /** The rules of all fields that a client may write. */
    export const fieldRules: {
      readonly [T in keyof WritableFields]: { readonly [F in keyof Required<WritableFields[T]>]: FieldRule }
    } = {

    """
  for type in types {
    text += "  \(type.rawValue): {\n"
    for field in type.fields where !field.isServers {
      text += "    \(field.name): { \(rule(field.kind)) },\n"
    }
    text += "  },\n"
  }
  text += "};\n\n/** Names, for each type, the fields without which a record is not shown. */\n"
  text +=
    "export const requiredFields: { readonly [T in keyof WritableFields]: readonly string[] } = {\n"
  for type in types {
    let names = type.fields.filter(\.isRequired).map { "'\($0.name)'" }
    text += "  \(type.rawValue): [\(names.joined(separator: ", "))],\n"
  }
  text += "};\n\n/** The greatest number of characters (grapheme clusters) in each text. */\n"
  text += "export const limits = {\n"
  for type in types {
    let limits = type.fields.filter { !$0.isServers }.compactMap { field in
      limit(field.kind).map { "\(field.name): \($0)" }
    }
    if !limits.isEmpty { text += "  \(type.rawValue): { \(limits.joined(separator: ", ")) },\n" }
  }
  text +=
    "} as const;\n\n/** The parent's type, and the field that holds its id, of each type that has a parent. */\n"
  text += "export const parents = {\n"
  for type in types {
    guard let parent = type.parent else { continue }
    text += "  \(type.rawValue): { field: '\(parent.field)', type: '\(parent.type.rawValue)' },\n"
  }
  return text + "} as const;\n"
}

/// How many ancestors a record of `type` has.
private func depth(_ type: RecordType) -> Int { type.parent.map { depth($0.type) + 1 } ?? 0 }

private func interface(_ name: String, _ fields: [Field]) -> String {
  var text = "export interface \(name) {\n"
  for field in fields {
    if let note = field.note { text += "  /** \(note) */\n" }
    let type = typeScript(field.kind)
    text += "  \(field.name)\(field.isRequired ? ": \(type)" : "?: \(type) | null");\n"
  }
  return text + "}\n"
}

private func typeScript(_ kind: FieldKind) -> String {
  switch kind {
  case .line, .lines, .reference, .position, .colour: "string"
  case .integer, .number: "number"
  case .oneOf(let words): words.map { "'\($0)'" }.joined(separator: " | ")
  case .scalar: "string | number | boolean"
  }
}

private func rule(_ kind: FieldKind) -> String {
  switch kind {
  case .line(let min, let max): "kind: 'line', min: \(min), max: \(max)"
  case .lines(let min, let max):
    "kind: 'lines', \(min > 0 ? "min: \(min), " : "")max: \(max)"
  case .integer(let range): "kind: 'integer', min: \(range.lowerBound), max: \(range.upperBound)"
  case .number(let range): "kind: 'number', min: \(range.lowerBound), max: \(range.upperBound)"
  case .oneOf(let words):
    "kind: 'oneOf', words: [\(words.map { "'\($0)'" }.joined(separator: ", "))]"
  case .reference: "kind: 'reference'"
  case .position: "kind: 'position'"
  case .colour: "kind: 'colour'"
  case .scalar(let max): "kind: 'scalar', max: \(max)"
  }
}

private func limit(_ kind: FieldKind) -> Int? {
  switch kind {
  case .line(_, let max), .lines(_, let max): max
  case .integer, .number, .oneOf, .reference, .position, .colour, .scalar: nil
  }
}

private func capitalised(_ name: String) -> String {
  name.prefix(1).uppercased() + name.dropFirst()
}
