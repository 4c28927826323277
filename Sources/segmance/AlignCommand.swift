// segmance align

import Analysis
import FoundationEssentials
import Media
import Model

enum AlignCommand: Command {
  static let name = "align"
  static let usage = "VIDEO AUDIO [--json] [--no-sandbox]"
  static let summary = "Find when in a song a video of it begins, by its sound"
  static let options = [Option.json, Option.noSandbox]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 2 else {
      throw UsageError(message: "align takes two files, a video and the song that is heard in it.")
    }
    let files = try arguments.operands.map(arguments.requireFile)
    let tools = try arguments.mediaTools()
    let aligner = VideoAligner(tools: tools)
    let answer = try aligner.align(recording: files[0], withMusic: files[1])
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
    } else {
      print(lines(of: answer).joined(separator: "\n"))
    }
    return 0
  }

  private static func lines(of answer: SoundAlignment) -> [String] {
    let time = Timeline.text(frame: abs(answer.offset))
    let place =
      answer.offset >= 0
      ? "The video begins \(time) into the song (frame \(answer.offset))."
      : "The video begins \(time) before the song (frame \(answer.offset))."
    let percent = Int((answer.confidence * 100).rounded())
    return [
      place,
      answer.isCertain
        ? "This is certain (\(percent) %)."
        : "This is not certain (\(percent) %). Check it by ear.",
    ]
  }
}
