// segmance restore

import FoundationEssentials
import Glibc
import Server
import Storage

enum RestoreCommand: Command {
  static let name = "restore"
  static let usage = "FILE [--data DIR] [--yes] [--json]"
  static let summary = "Put the library of a backup in place; the one before is kept aside"
  static let options = [
    Option.data,
    Option(name: "yes", value: nil, help: "don't ask"),
    Option.json,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else {
      throw UsageError(message: "restore takes one file.")
    }
    let file = try arguments.requireFile(arguments.operands[0])
    let folder = arguments.dataFolder
    if !arguments.has("yes"),
      DataDirectory(root: folder).hasLibrary
    {
      guard isatty(STDIN_FILENO) == 1 else {
        throw UsageError(message: "There is a library in \(folder). Say --yes to replace it.")
      }
      note("There is a library in \(folder). It will be kept aside. Replace it? [y/N]")
      guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
        note("Nothing was changed.")
        return 1
      }
    }
    let interruption = Interruption()
    let line = ProgressLine("Restoring")
    let summary = try {
      defer { line.end() }
      return try LibraryRestore.run(
        root: folder, backup: file, progress: { line.report($0) },
        isCancelled: { [flag = interruption.flag] in flag.isUp })
    }()
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(summary), as: UTF8.self))
    } else {
      say(summary.sentence)
      print("Start Segmance: it prepares the tracks for practice again.")
    }
    return 0
  }
}
