// segmance beats

import Counts
import FoundationEssentials
import Media
import Model

enum BeatsCommand: Command {
  static let name = "beats"
  static let usage = "FILE [--labels | --json] [--no-sandbox]"
  static let summary = "Print the tempo, beats, bars and eights of an audio file"
  static let options = [
    Option(name: "labels", value: nil, help: "write them as a label track for Audacity"),
    Option.json, Option.noSandbox,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else {
      throw UsageError(message: "beats takes one file.")
    }
    guard !(arguments.has("labels") && arguments.has("json")) else {
      throw UsageError(message: "--labels and --json exclude each other.")
    }
    let file = try arguments.requireFile(arguments.operands[0])
    let analyser = TrackAnalyser(tools: try arguments.mediaTools())
    guard let beats = try analyser.analyse(file: file).beats else {
      throw CommandFailure(description: "No beats were found in \(arguments.operands[0]).")
    }
    if arguments.has("json") {
      print(String(decoding: try JSONEncoder().encode(BeatsDocument(beats)), as: UTF8.self))
    } else if arguments.has("labels") {
      print(LabelFile.text(labels(of: beats)), terminator: "")
    } else {
      print(lines(of: beats).joined(separator: "\n"))
    }
    return 0
  }

  /// A point for each beat: its place in the bar, with a mark where an eight begins.
  private static func labels(of beats: BeatAnalysis) -> [Label] {
    numbered(beats).map { Label(startFrame: $0.frame, endFrame: $0.frame, text: $0.text) }
  }

  private static func lines(of beats: BeatAnalysis) -> [String] {
    let tempo = (beats.tempo * 10).rounded() / 10
    let certainty = Int((beats.confidence * 100).rounded())
    return ["\(tempo) beats a minute, \(beats.metre) a bar, \(certainty) % certain"]
      + numbered(beats).map { "  \(Timeline.text(frame: $0.frame))  \($0.text)" }
  }

  private static func numbered(_ beats: BeatAnalysis) -> [(frame: Int, text: String)] {
    var eight = 0
    var rest = beats.eights[...]
    return zip(beats.frames, beats.places).map { frame, place in
      guard frame == rest.first else { return (frame, "\(place)") }
      rest = rest.dropFirst()
      eight += 1
      return (frame, "\(place) · eight \(eight)")
    }
  }
}

/// What `segmance beats --json` prints.
private struct BeatsDocument: Encodable {
  struct Beat: Encodable {
    var frame: Int
    var beat: Int
  }

  var tempo: Double
  var metre: Int
  var confidence: Double
  var beats: [Beat]
  var eights: [Int]

  init(_ analysis: BeatAnalysis) {
    tempo = analysis.tempo
    metre = analysis.metre
    confidence = analysis.confidence
    beats = zip(analysis.frames, analysis.places).map(Beat.init)
    eights = analysis.eights
  }
}
