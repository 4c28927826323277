// segmance stretch

import FoundationEssentials
import Media
import PracticeEngine
import Storage

enum StretchCommand: Command {
  static let name = "stretch"
  static let usage = "IN OUT --rate R [--semitones S] [--voice V] [--force] [--no-sandbox]"
  static let summary = "Write audio at another speed or pitch, as it sounds in practice"
  static let options = [
    Option(
      name: "rate", value: "R", help: "the speed, from 0.25 to 2.00 in hundredths (default: 1)"),
    Option(
      name: "semitones", value: "S", help: "how far to transpose, from -12 to 12 (default: 0)"),
    Option(
      name: "voice", value: "V",
      help: "natural (formants stay), moved, or auto: natural from 3 semitones (default: auto)"),
    Option.force, Option.noSandbox,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 2 else {
      throw UsageError(message: "stretch takes two files, one to read and one to write.")
    }
    let output = arguments.operands[1]
    let rate = try hundredths(arguments["rate"] ?? "1")
    let semitones = try arguments.integer("semitones", in: Stretcher.semitones) ?? 0
    let isNatural = try isNaturalVoice(arguments["voice"] ?? "auto", semitones: semitones)
    let formats = ClipFormat.allCases.map(\.fileExtension)
    let suffix = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = ClipFormat(rawValue: suffix) else {
      throw UsageError(message: "OUT must end in one of \(formats.joined(separator: ", ")).")
    }
    let input = try arguments.requireFile(arguments.operands[0])
    try arguments.requireFree(output, besides: input)
    let folder = AudioCutArguments.folder(ofFileAt: output)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw CommandFailure(description: "There is no folder \(folder). Make it first.")
    }
    let tools = try arguments.mediaTools()
    let interruption = Interruption()
    var stretching = Stretching(
      rate: rate, semitones: semitones, isNaturalVoice: isNatural,
      writer: try AudioFileWriter(output, format: format, tools: tools))
    let isCancelled = { [flag = interruption.flag] in flag.isUp }
    try AudioFile.read(input, tools: tools, isCancelled: isCancelled) { try stretching.add($0) }
    try stretching.finish()
    return 0
  }

  private static func isNaturalVoice(_ choice: String, semitones: Int) throws -> Bool {
    switch choice {
    case "natural": return true
    case "moved": return false
    case "auto": return abs(semitones) >= Stretcher.naturalVoiceSemitones
    default: throw UsageError(message: "--voice takes natural, moved or auto.")
    }
  }

  /// Reads a speed exactly, which a Double can't represent.
  private static func hundredths(_ text: String) throws -> Int {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    let digits = (fraction + "00").prefix(2)
    guard parts.count <= 2, fraction.dropFirst(2).allSatisfy({ $0 == "0" }),
      text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let value = Int((parts.first ?? "") + digits), Stretcher.rates.contains(value)
    else {
      throw UsageError(message: "--rate needs a speed from 0.25 to 2.00, such as 0.75.")
    }
    return value
  }
}

/// A stretcher that reads from one file and writes to another.
private struct Stretching: ~Copyable {
  private var stretcher = Stretcher()
  private let writer: AudioFileWriter
  private var left = [Float](repeating: 0, count: Stretcher.inputCapacity)
  private var right = [Float](repeating: 0, count: Stretcher.inputCapacity)
  private var outLeft = [Float](repeating: 0, count: 1_024)
  private var outRight = [Float](repeating: 0, count: 1_024)
  /// Rendered samples that are not yet written.
  private var output: [Int16] = []
  private static let writtenSamples = 65_536
  /// The number of frames in `left` and `right` that the stretcher has not read.
  private var waiting = 0
  private var wanted = 0

  init(rate: Int, semitones: Int, isNaturalVoice: Bool, writer: AudioFileWriter) {
    self.writer = writer
    stretcher.setRate(hundredths: rate)
    stretcher.setSemitones(semitones)
    stretcher.setNaturalVoice(isNaturalVoice)
    stretcher.reset()
    wanted = stretcher.wantedFrames
  }

  /// Stretches the next interleaved samples and writes the result.
  mutating func add(_ samples: UnsafeBufferPointer<Int16>) throws {
    var frame = 0
    while frame < samples.count / 2 {
      let count = min(wanted - waiting, samples.count / 2 - frame)
      let (first, target) = (frame, waiting)
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          for index in 0..<count {
            left[target + index] = Float(samples[2 * (first + index)]) / 32_768
            right[target + index] = Float(samples[2 * (first + index) + 1]) / 32_768
          }
        }
      }
      frame += count
      waiting += count
      if waiting == wanted {
        giveWaiting()
        try render()
        wanted = stretcher.wantedFrames
      }
    }
  }

  mutating func finish() throws {
    giveWaiting()
    stretcher.finish()
    try render()
    try writer.write(output)
    try writer.finish()
  }

  private mutating func giveWaiting() {
    stretcher.give(left: left, right: right, count: waiting)
    waiting = 0
  }

  /// Renders until more source frames are needed, and writes in large blocks.
  private mutating func render() throws {
    while true {
      let count = outLeft.withUnsafeMutableBufferPointer { left in
        outRight.withUnsafeMutableBufferPointer { right -> Int in
          guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
          return stretcher.render(frames: 1_024, left: left, right: right)
        }
      }
      if count == 0 { break }
      for frame in 0..<count {
        output.append(Self.sixteenBit(outLeft[frame]))
        output.append(Self.sixteenBit(outRight[frame]))
      }
    }
    guard output.count >= Self.writtenSamples else { return }
    try writer.write(output)
    output.removeAll(keepingCapacity: true)
  }

  private static func sixteenBit(_ sample: Float) -> Int16 {
    Int16(min(max((sample * 32_768).rounded(), -32_768), 32_767))
  }
}
