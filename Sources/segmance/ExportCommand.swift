// segmance export

import FoundationEssentials
import Server

enum ExportCommand: Command {
  static let name = "export"
  static let usage =
    "--format F [--routine TITLE] [-o FILE] [--paper a4|letter] [--force] [--data DIR]"
  static let summary = "Write routines as a file to read, print or import again"
  static let options = [
    Option(
      name: "format", value: "F", help: "one of \(LibraryExport.formats.joined(separator: ", "))"),
    Option(
      name: "routine", value: "TITLE", help: "only the routine of this title or id (default: all)"),
    Option(
      name: "output", value: "FILE",
      help: "the file to write (also: -o; default: one named after the routine)"),
    Option(
      name: "paper", value: "NAME", help: "the paper of a cue or eight-count sheet: a4 or letter"),
    Option.force, Option.data,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty else {
      throw UsageError(message: "export takes no file; name the one to write with -o FILE.")
    }
    guard let format = arguments["format"], LibraryExport.formats.contains(format) else {
      throw UsageError(
        message: "--format must be one of \(LibraryExport.formats.joined(separator: ", ")).")
    }
    let paper = arguments["paper"]
    guard paper.map(LibraryExport.papers.contains) ?? true else {
      throw UsageError(
        message: "--paper must be one of \(LibraryExport.papers.joined(separator: ", ")).")
    }
    let file = try LibraryExport(root: arguments.dataFolder).export(
      routine: arguments["routine"], format: format, paper: paper)
    let path = arguments["output"] ?? file.name
    try arguments.requireFree([path])
    try Data(file.bytes).write(to: URL(filePath: path), options: .atomic)
    if arguments["output"] == nil { print(path) }
    return 0
  }
}
