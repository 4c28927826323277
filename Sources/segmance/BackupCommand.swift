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

    var isComplete: Bool { missing.isEmpty && damaged.isEmpty }
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
    let line = ProgressLine("Backing up")
    let damaged: [String]
    do {
      defer { line.end() }
      damaged = try prepared.write(
        to: arguments.absolute(output), replaces: arguments.has("force"),
        progress: { line.report($0) }, isCancelled: isCancelled)
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
      let all = report.isComplete ? "the whole library" : "what is left of the library"
      say("\(output) holds \(all), verified (\(report.bytes) bytes).")
    }
    if !report.isComplete {
      note(
        "Files that it lacks: \(report.missing.count) were lost before, \(damaged.count) damaged. "
          + "Keep older backups. See: segmance check")
    }
    // Whoever throws an older one away after this must not take it for whole.
    return report.isComplete ? 0 : 1
  }
}
