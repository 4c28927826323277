// segmance analyse

import Analysis
import FoundationEssentials
import Media
import Model

enum AnalyseCommand: Command {
  static let name = "analyse"
  static let usage = "FILE [--json] [--no-sandbox]"
  static let summary = "Print where sounds begin in an audio file, and where it might be cut"
  static let options = [Option.json, Option.noSandbox]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else {
      throw UsageError(message: "analyse takes one file.")
    }
    let file = try arguments.requireFile(arguments.operands[0])
    let analyser = TrackAnalyser(tools: try arguments.mediaTools())
    let analysis = try analyser.analyse(file: file)
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(analysis), as: UTF8.self))
    } else {
      print(lines(of: analysis).joined(separator: "\n"))
    }
    return 0
  }

  private static func lines(of analysis: TrackAnalysis) -> [String] {
    let cuts = analysis.changes.map { cut in
      "  \(Timeline.text(frame: cut.frame))  \(Int((cut.strength * 100).rounded())) %"
    }
    let attacks = analysis.attacks.map { "  " + Timeline.text(frame: $0) }
    return ["Suggested cuts: \(cuts.count)"] + cuts + ["Attacks: \(attacks.count)"] + attacks
  }
}
