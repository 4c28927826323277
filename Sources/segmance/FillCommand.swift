// segmance fill: a large library to measure with.

import Server

enum FillCommand: Command {
  static let name = "fill"
  static let usage = "[--routines N] [--parts N] [--moves N] --data DIR [--no-sandbox]"
  static let summary = "Fill a library with made-up routines, for measurements"
  static let isHidden = true
  static let options = [
    Option(name: "routines", value: "N", help: "how many routines (default: 1000)"),
    Option(name: "parts", value: "N", help: "how many parts in all (default: 10000)"),
    Option(name: "moves", value: "N", help: "how many moves in all (default: 100000)"),
    Option(name: "data", value: "DIR", help: "the library's folder; it has to be named"),
    Option.noSandbox,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty, arguments["data"] != nil else {
      throw UsageError(message: "Say which library is to be filled: --data DIR.")
    }
    let counts = LibraryFiller.Counts(
      routines: try arguments.integer("routines", in: 1...100_000) ?? 1_000,
      parts: try arguments.integer("parts", in: 0...1_000_000) ?? 10_000,
      moves: try arguments.integer("moves", in: 0...10_000_000) ?? 100_000)
    let library = try Library(
      root: arguments.dataFolder, tools: try arguments.mediaTools(), log: .faults)
    try LibraryFiller(library: library).fill(counts)
    print("\(counts.routines) routines, \(counts.parts) parts, \(counts.moves) moves.")
    return 0
  }
}
