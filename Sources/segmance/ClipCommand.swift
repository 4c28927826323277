// segmance clip

import FoundationEssentials
import Media
import Storage

enum ClipCommand: Command {
  static let name = "clip"
  static let usage =
    "FILE START END -o OUT [--fade-in S] [--fade-out S] [--force] [--no-sandbox], "
    + "or: FILE --start T --end T -o OUT"
  static let summary = "Cut a stretch out of an audio file, exact to the frame"
  static let options = [
    Option(
      name: "start", value: "T", help: "where the stretch begins: \(AudioCutArguments.timeForms)"),
    Option(name: "end", value: "T", help: "where it ends, in the same forms"),
    Option(
      name: "output", value: "OUT",
      help: "the file to write (also: -o); its ending says how: "
        + "\(AudioCutArguments.formats.joined(separator: ", ")); \(AudioCutArguments.quality)"),
    Option.fadeIn, Option.fadeOut, Option.force, Option.noSandbox,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    let (start, end) = try times(arguments)
    guard let output = arguments["output"] else {
      throw UsageError(message: "Say where to write it: -o OUT.")
    }
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard output.contains("."), let format = ClipFormat(rawValue: ending) else {
      throw UsageError(
        message: "-o must end in one of \(AudioCutArguments.formats.joined(separator: ", ")).")
    }
    let style = try arguments.clipStyle(format)
    let file = try arguments.requireFile(arguments.operands[0])
    try arguments.requireFree(output, besides: file)
    let interruption = Interruption()
    try FileCutter(tools: try arguments.mediaTools()).cut(
      file, style, workingIn: AudioCutArguments.folder(ofFileAt: output),
      isCancelled: { [flag = interruption.flag] in flag.isUp }
    ) { lengthFrames in
      guard end <= lengthFrames else {
        throw CommandFailure(
          description:
            "END lies after the end of the file: \(AudioCutArguments.text(lengthFrames)).")
      }
      let tags = ClipTags(
        title: AudioCutArguments.names(ofFileAt: output).stem,
        album: AudioCutArguments.names(ofFileAt: file).stem,
        number: 1, count: 1)
      return [FileCut(path: output, range: start..<end, tags: tags)]
    }
    return 0
  }

  /// The frames of the stretch, from two operands or from `--start` and `--end`.
  private static func times(
    _ arguments: Arguments
  ) throws(UsageError) -> (start: Int, end: Int) {
    let bare = arguments.operands.dropFirst()
    for name in ["start", "end"] where arguments[name] != nil {
      guard bare.isEmpty else {
        throw UsageError(message: "Give both times bare, or both by --start and --end.")
      }
      guard !arguments.repeated.contains(name) else {
        throw UsageError(message: "--\(name) is given twice.")
      }
    }
    let options = [arguments["start"], arguments["end"]].compactMap(\.self)
    let words = bare.isEmpty ? options : Array(bare)
    guard !arguments.operands.isEmpty, words.count == 2 else {
      throw UsageError(
        message: "clip takes a file and two times: \(AudioCutArguments.timeForms).")
    }
    let (start, end) = (
      try AudioCutArguments.frame(words[0]), try AudioCutArguments.frame(words[1])
    )
    guard start < end else { throw UsageError(message: "END must come after START.") }
    return (start, end)
  }
}
