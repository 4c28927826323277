// segmance check

import FoundationEssentials
import Server

enum CheckCommand: Command {
  static let name = "check"
  static let usage = "[--deep] [--data DIR] [--json]"
  static let summary = "Check the database and the files; exit 1 with a list of what is wrong"
  static let options = [
    Option(
      name: "deep", value: nil,
      help: "also read every chunk: its length, and the checksum of each of its frames"),
    Option.data, Option.json,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty else {
      throw UsageError(message: "check takes no file.")
    }
    let findings = try LibraryCheck(root: arguments.dataFolder).findings(
      deep: arguments.has("deep"))
    let isSound = findings.problems.isEmpty
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(findings), as: UTF8.self))
    } else {
      for problem in findings.problems { say(problem) }
      if !findings.unprepared.isEmpty {
        let titles = findings.unprepared.map { "“\($0)”" }.joined(separator: ", ")
        say("The next start of the server prepares again: \(titles).")
      }
      if isSound { say("The library in \(arguments.dataFolder) is sound.") }
    }
    return isSound ? 0 : 1
  }
}
