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
    let problems = try LibraryCheck(root: arguments.dataFolder).problems(
      deep: arguments.has("deep"))
    if arguments.has("json") {
      let bytes = try JSONEncoder().encode(["problems": problems])
      print(String(decoding: bytes, as: UTF8.self))
    } else if problems.isEmpty {
      say("The library in \(arguments.dataFolder) is sound.")
    } else {
      for problem in problems { say(problem) }
    }
    return problems.isEmpty ? 0 : 1
  }
}
