// segmance split

import FoundationEssentials
import Media
import Model
import Storage

enum SplitCommand: Command {
  static let name = "split"
  static let usage =
    "FILE --labels FILE.txt | --cuts T,T,… -o DIR [--format F] [--fade-in S] [--fade-out S] "
    + "[--cue] [--json] [--force] [--no-sandbox]"
  static let summary = "Cut an audio file into several, at times or by Audacity's labels"
  static let options = [
    Option(
      name: "labels", value: "FILE.txt", help: "an Audacity label file: a file for each label"),
    Option(
      name: "cuts", value: "TIMES",
      help: "where the file is cut, such as 0:31.5,1:02.250 (each time: "
        + "\(AudioCutArguments.timeForms)): one file more than cuts"),
    Option(name: "output", value: "DIR", help: "the folder to write into (also: -o)"),
    Option(
      name: "format", value: "F",
      help: "one of \(AudioCutArguments.formats.joined(separator: ", ")) (default: flac); "
        + AudioCutArguments.quality),
    Option.fadeIn, Option.fadeOut,
    Option(name: "cue", value: nil, help: "write a .cue file for the original as well"),
    Option.json, Option.force, Option.noSandbox,
  ]

  /// The JSON output.
  private struct Outcome: Encodable {
    struct Clip: Encodable {
      var file: String
      var title: String
      var startFrame: Int
      var endFrame: Int
    }
    var lengthFrames = 0
    var clips: [Clip] = []
    var cue: String?
  }

  /// Where the file is to be cut.
  private enum Places {
    case cuts([Int])
    case labels([Label])
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw UsageError(message: "split takes one file.") }
    guard let folder = arguments["output"] else {
      throw UsageError(message: "Say where to write the files: -o DIR.")
    }
    guard let format = ClipFormat(rawValue: arguments["format"] ?? "flac") else {
      throw UsageError(
        message: "--format must be one of \(AudioCutArguments.formats.joined(separator: ", ")).")
    }
    let style = try arguments.clipStyle(format)
    let places = try places(arguments)
    let file = try arguments.requireFile(arguments.operands[0])
    let names = AudioCutArguments.names(ofFileAt: file)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let interruption = Interruption()
    var outcome = Outcome()
    var cue: CueFile?
    try FileCutter(tools: try arguments.mediaTools()).cut(
      file, style, workingIn: folder,
      isCancelled: { [flag = interruption.flag] in flag.isUp }
    ) { lengthFrames in
      let labels = try stretches(places, lengthFrames: lengthFrames, title: names.stem)
      let fileNames = NamedClip.fileNames(titles: labels.map(\.text), format: format)
      outcome.lengthFrames = lengthFrames
      outcome.clips = zip(labels, fileNames).map { label, name in
        Outcome.Clip(
          file: "\(folder)/\(name)", title: label.text, startFrame: label.startFrame,
          endFrame: label.endFrame)
      }
      if arguments.has("cue") {
        cue = try cueFile(for: names.name, title: names.stem, labels)
        outcome.cue = "\(folder)/\(FileName.safe(names.stem, fallback: "Track")).cue"
      }
      try arguments.requireFree(outcome.clips.map(\.file) + [outcome.cue].compactMap(\.self))
      return outcome.clips.enumerated().map { index, clip in
        FileCut(
          path: clip.file, range: clip.startFrame..<clip.endFrame,
          tags: ClipTags(
            title: clip.title, album: names.stem, number: index + 1, count: outcome.clips.count))
      }
    }
    if let cue, let path = outcome.cue {
      try Data(cue.text.utf8).write(to: URL(filePath: path), options: .atomic)
    }
    if arguments.has("json") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      print(String(decoding: try encoder.encode(outcome), as: UTF8.self))
    } else {
      for path in outcome.clips.map(\.file) + [outcome.cue].compactMap(\.self) { print(path) }
    }
    return 0
  }

  private static func places(_ arguments: Arguments) throws -> Places {
    switch (arguments["labels"], arguments["cuts"]) {
    case (nil, let cuts?): return .cuts(try AudioCutArguments.cuts(cuts))
    case (let path?, nil):
      let path = try arguments.requireFile(path)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      guard size <= LabelFile.byteLimit else {
        throw CommandFailure(description: "\(path) is larger than 1 MB: no label file.")
      }
      do {
        let labels = try LabelFile.labels(in: Array(try Data(contentsOf: URL(filePath: path))))
        guard !labels.isEmpty else {
          throw CommandFailure(description: "\(path) holds no label.")
        }
        return .labels(labels)
      } catch let problem as LabelProblem {
        throw CommandFailure(description: "\(path): \(problem.description)")
      }
    default: throw UsageError(message: "Say where to cut: --labels FILE.txt or --cuts T,T,…")
    }
  }

  /// The ranges that become files, in order of time. A point label extends to the next label, or to the
  /// end.
  private static func stretches(
    _ places: Places, lengthFrames: Int, title: String
  ) throws(CommandFailure) -> [Label] {
    let labels: [Label]
    switch places {
    case .cuts(let cuts):
      labels = ([0] + cuts).map { Label(startFrame: $0, endFrame: $0, text: "") }
    case .labels(let read):
      labels = read.sorted { $0.startFrame < $1.startFrame }
    }
    var result: [Label] = []
    for (index, label) in labels.enumerated() {
      var stretch = label
      if label.isPoint {
        let next = labels[index...].first { $0.startFrame > label.startFrame }
        stretch.endFrame = next?.startFrame ?? lengthFrames
      }
      // Other programs round the end of the last label up.
      stretch.endFrame = min(stretch.endFrame, lengthFrames)
      guard stretch.startFrame < stretch.endFrame else {
        let name = label.text.isEmpty ? "The cut at" : "The label “\(label.text)” at"
        throw CommandFailure(
          description:
            "\(name) \(AudioCutArguments.text(label.startFrame)) does not lie before the end of "
            + "the file: \(AudioCutArguments.text(lengthFrames)).")
      }
      if stretch.text.allSatisfy(\.isWhitespace) { stretch.text = title }
      result.append(stretch)
    }
    return result
  }

  private static func cueFile(
    for name: String, title: String, _ labels: [Label]
  ) throws(CommandFailure) -> CueFile {
    let tracks = labels.map { CueFile.Track(title: $0.text, startFrame: $0.startFrame) }
    guard let cue = CueFile(fileName: name, title: title, tracks: tracks) else {
      throw CommandFailure(
        description: "A .cue file holds at most \(CueFile.trackLimit) pieces, not \(labels.count). "
          + "Leave --cue out.")
    }
    return cue
  }
}
