// segmance import

import FoundationEssentials
import Server

enum ImportCommand: Command {
  static let name = "import"
  static let usage =
    "FILE… --routine TITLE [--cuts T,T,…] [--data DIR] [--no-sandbox], or: EXPORT.json"
  static let summary =
    "Make a routine of audio files, or of one file cut into parts; or read a JSON export back"
  static let options = [
    Option(name: "routine", value: "TITLE", help: "the title of the new routine"),
    Option(name: "subtitle", value: "TEXT", help: "its subtitle"),
    Option(
      name: "cuts", value: "TIMES",
      help: "where one file is cut, such as 0:31.5,1:02.250 (each time: "
        + "\(AudioCutArguments.timeForms)): one part more than cuts"),
    Option.data, Option.noSandbox, Option.json,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    let files = arguments.operands
    guard !files.isEmpty else { throw UsageError(message: "Name at least one audio file.") }
    if files.count == 1, files[0].lowercased().hasSuffix(".json") {
      return try importDocument(files[0], arguments)
    }
    guard let title = arguments["routine"] else {
      throw UsageError(message: "Name the routine: --routine TITLE.")
    }
    let cuts = try arguments["cuts"].map(AudioCutArguments.cuts)
    guard cuts == nil || files.count == 1 else {
      throw UsageError(message: "--cuts cuts one file; name only one.")
    }
    for file in files { _ = try arguments.requireFile(file) }
    let library = try Library(
      root: arguments.dataFolder, tools: try arguments.mediaTools(), log: .faults)
    let importer = LibraryImporter(library: library)
    let result = try importer.importFiles(
      files, routine: title, subtitle: arguments["subtitle"] ?? "", cuts: cuts)
    for skip in result.skipped {
      note("“\(skip.file)” is the same song as “\(skip.sameAs)”, so it was skipped.")
    }
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    } else {
      say("“\(title)”: \(result.parts) \(result.parts == 1 ? "part" : "parts").")
    }
    return 0
  }

  private static func importDocument(_ file: String, _ arguments: Arguments) throws -> Int32 {
    for option in ["routine", "subtitle", "cuts"] where arguments[option] != nil {
      throw UsageError(message: "--\(option) is for audio files; an export holds its routines.")
    }
    _ = try arguments.requireFile(file)
    let library = try Library(root: arguments.dataFolder, tools: try arguments.mediaTools())
    let outcome = try JSONImporter(library: library).importDocument(file)
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
      return 0
    }
    let made = [
      counted(outcome.routines, "routine"), counted(outcome.parts, "part"),
      counted(outcome.moves, "move"),
    ]
    say(made.joined(separator: ", ") + ".")
    if outcome.partsWithoutAudio > 0 {
      say(
        "Without audio: \(counted(outcome.partsWithoutAudio, "part")), because the library does not "
          + "hold the track. Add the file and choose it again in the part.")
    }
    if outcome.partsWithoutBorders > 0 {
      say(
        "Without borders: \(counted(outcome.partsWithoutBorders, "part")), because nothing of the "
          + "track lies between those of the file. Set them in the clipper.")
    }
    return 0
  }

  private static func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
