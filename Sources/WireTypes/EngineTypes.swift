// Writes the practice engine's interface as TypeScript.

import PracticeEngine

/// Returns the file with the engine's enumerations and the functions that its module exports.
func engineTypes(exports source: String) -> String {
  header(of: "Sources/PracticeEngine and \(exportsPath)")
    + enumeration(LoopMode.self, "LoopMode", list: "loopModes")
    + enumeration(CountdownRepeats.self, "CountdownRepeats", list: "countdownRepeats")
    + enumeration(CountIn.self, "CountIn", list: "countIns")
    + enumeration(TickSound.self, "TickSound", list: "tickSounds")
    + enumeration(EngineState.self, "EngineState", list: "engineStates")
    + enumeration(EngineEvent.Kind.self, "EngineEventKind", list: "engineEvents")
    + "\n/** The exports of engine.wasm. Every handle and address is a number. */\n"
    + "export interface EngineExports {\n  memory: WebAssembly.Memory;\n"
    + exportedFunctions(in: source, at: exportsPath).map { "  \($0)\n" }.joined() + "}\n"
}

/// Returns the file with the constants of the timeline.
func timelineConstants() -> String {
  header(of: "Sources/PracticeEngine") + """

    export const framesPerSecond = \(EngineTimeline.framesPerSecond);
    /** Frames of one chunk of a track; only a track's last chunk is shorter. */
    export const chunkFrames = \(EngineTimeline.chunkFrames);
    /** Frames of every fade of the engine. */
    export const fadeFrames = \(EngineTimeline.fadeFrames);
    /** How many chunks the engine holds at most. */
    export const chunkCapacity = \(PracticeEngine.chunkCapacity);
    /** How far the engine reads ahead of what is heard, at most, in frames of the track. */
    export const lookAheadFrames = \(Stretcher.lookAheadFrames);
    /** From how many semitones up or down voices stay natural unless chosen otherwise. */
    export const naturalVoiceSemitones = \(Stretcher.naturalVoiceSemitones);

    """
}

/// Returns a union of names, and their list in the order of the raw values.
func enumeration<Kind: CaseIterable & RawRepresentable<Int32>>(
  _: Kind.Type, _ name: String, list: String
) -> String {
  let cases = Kind.allCases.sorted { $0.rawValue < $1.rawValue }
  guard cases.map(\.rawValue).elementsEqual(0..<Int32(cases.count)) else {
    fail("The raw values of \(name) are not 0, 1, 2 and so on.")
  }
  let names = cases.map { "'\($0)'" }.joined(separator: ", ")
  return """

    /** In the order of the raw values in Swift. */
    export const \(list) = [\(names)] as const;
    export type \(name) = (typeof \(list))[number];

    """
}

/// Returns each function with `@_expose(wasm) @c(NAME)` in `source` as a method of a TypeScript interface.
func exportedFunctions(in source: String, at path: String) -> [String] {
  let mark = "@_expose(wasm) @c("
  let functions = source.split(separator: "\n@").filter { $0.contains("@c(") || $0.hasPrefix("c(") }
  return functions.map { text in
    let declaration = "@" + text
    guard let range = declaration.firstRange(of: mark), range.lowerBound == declaration.startIndex,
      let nameEnd = declaration[range.upperBound...].firstIndex(of: ")"),
      let bodyStart = declaration.firstIndex(of: "{"),
      let open = declaration[nameEnd..<bodyStart].dropFirst().firstIndex(of: "("),
      let close = declaration[..<bodyStart].lastIndex(of: ")")
    else { fail("\(path): can't read this exported function:\n\(declaration)") }
    let name = declaration[range.upperBound..<nameEnd]
    let parameters = declaration[declaration.index(after: open)..<close].split(separator: ",").map {
      let words = $0.prefix { $0 != ":" }.split(whereSeparator: \.isWhitespace)
      return "\(words.last ?? ""): number"
    }
    let returns = declaration[close..<bodyStart].contains("->") ? "number" : "void"
    return "\(name)(\(parameters.joined(separator: ", "))): \(returns);"
  }
}
