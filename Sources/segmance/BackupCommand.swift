// segmance backup

import FoundationEssentials
import Server
import Storage

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
    let prepared = try BackupSnapshot(root: arguments.dataFolder, isCancelled: isCancelled)
    // An incomplete backup never replaces an older one, which may be complete.
    let isThere = FileManager.default.fileExists(atPath: output)
    let incompleteOutput = isThere ? BackupFolder.incompletePath(output) : output
    let line = ProgressLine("Backing up")
    let damaged: [String]
    do {
      defer { line.end() }
      damaged = try prepared.write(
        to: arguments.absolute(output), orIncompleteTo: arguments.absolute(incompleteOutput),
        replaces: arguments.has("force"), progress: { line.report($0) }, isCancelled: isCancelled)
    } catch {
      try prepared.remove()
      throw error
    }
    try prepared.remove()
    let isComplete = prepared.missing.isEmpty && damaged.isEmpty
    let file = isComplete ? output : incompleteOutput
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    let report = Report(
      file: file, bytes: size ?? prepared.length ?? 0, missing: prepared.missing, damaged: damaged)
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    } else {
      let all = isComplete ? "the whole library" : "what is left of the library"
      say("\(file) holds \(all), verified (\(report.bytes) bytes).")
    }
    if !isComplete {
      note(
        "Files that it lacks: \(report.missing.count) were lost before, \(damaged.count) damaged. "
          + "Keep older backups. See: segmance check")
    }
    // The exit code tells scripts not to delete an older backup after an incomplete one.
    return isComplete ? 0 : 1
  }
}
