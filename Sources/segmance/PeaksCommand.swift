// segmance peaks

import FoundationEssentials
import Media

enum PeaksCommand: Command {
  static let name = "peaks"
  static let usage = "FILE -o OUT.dat [--frames-per-pixel N] [--force] [--no-sandbox]"
  static let summary = "Write the waveform of an audio file as audiowaveform's .dat"
  static let options = [
    Option(name: "output", value: "OUT.dat", help: "the file to write (also: -o)"),
    Option(
      name: "frames-per-pixel", value: "N",
      help: "frames at 48 kHz in one pair of minimum and maximum (default: 256)"),
    Option.force, Option.noSandbox,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw UsageError(message: "peaks takes one file.") }
    guard let output = arguments["output"] else {
      throw UsageError(message: "Say where to write it: -o OUT.dat.")
    }
    let framesPerPixel = try arguments.integer("frames-per-pixel", in: 1...1_048_576) ?? 256
    let file = try arguments.requireFile(arguments.operands[0])
    try arguments.requireFree(output, besides: file)
    let waveform = try computePeaks(
      of: file, framesPerPixel: framesPerPixel, tools: arguments.mediaTools())
    try Data(waveform.dat()).write(to: URL(filePath: output), options: .atomic)
    return 0
  }
}
