// segmance backup

import FoundationEssentials
import Server

enum BackupCommand: Command {
  static let name = "backup"
  static let usage = "-o FILE [--data DIR] [--force] [--json]"
  static let summary = "Write everything into one file and verify it, also while the server runs"
  static let options = [
    Option(name: "output", value: "FILE", help: "the file to write (also: -o)"),
    Option.data, Option.force, Option.json,
  ]

  private struct Report: Encodable {
    var file: String
    var bytes: Int
    var missing: [String]
    var damaged: [String]
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty else {
      throw UsageError(message: "backup takes no file; name the one to write with -o FILE.")
    }
    guard let output = arguments["output"] else {
      throw UsageError(message: "Say where to write it: -o FILE.")
    }
    try arguments.requireFree([output])
    let interruption = Interruption()
    let isCancelled = { [flag = interruption.flag] in flag.isUp }
    let prepared = try PreparedBackup(root: arguments.dataFolder, isCancelled: isCancelled)
    let damaged: [String]
    do {
      damaged = try prepared.write(
        to: arguments.absolute(output), replaces: arguments.has("force"), isCancelled: isCancelled)
    } catch {
      try prepared.remove()
      throw error
    }
    try prepared.remove()
    let size = try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int
    let report = Report(
      file: output, bytes: size ?? prepared.length ?? 0, missing: prepared.missing,
      damaged: damaged)
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    } else {
      print("\(output) holds the whole library, verified (\(report.bytes) bytes).")
      if !report.missing.isEmpty {
        note("\(report.missing.count) files were lost before. See: segmance check")
      }
      if !damaged.isEmpty {
        note(
          "\(damaged.count) files were damaged before, so they can't be restored from it. "
            + "Keep older backups. See: segmance check")
      }
    }
    return 0
  }
}
