// Shared by the commands that cut files: times, fades, names, existing files.

import FoundationEssentials
import Media
import Model
import Storage

extension Option {
  static let fadeIn = Option(
    name: "fade-in", value: "S", help: "fade in over so many seconds, such as 0.02")
  static let fadeOut = Option(name: "fade-out", value: "S", help: "fade out over so many seconds")
  static let force = Option(name: "force", value: nil, help: "replace files that are there already")
}

extension Arguments {
  /// How the clips are to be written.
  func clipStyle(_ format: ClipFormat) throws(UsageError) -> ClipStyle {
    var fades: [Int] = []
    for name in ["fade-in", "fade-out"] {
      guard let word = self[name] else {
        fades.append(0)
        continue
      }
      guard let frames = Timeline.frame(parsing: word) else {
        throw UsageError(message: "--\(name) needs seconds, such as 0.02.")
      }
      fades.append(frames)
    }
    return ClipStyle(format, fadeInFrames: fades[0], fadeOutFrames: fades[1])
  }

  /// A file that the command reads.
  func requireFile(_ path: String) throws -> String {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      // Bytes that are not UTF-8 were replaced by this character.
      let hint = path.contains("\u{FFFD}") ? " If its name is not UTF-8, rename it." : ""
      throw CommandFailure(description: "There is no file \(path).\(hint)")
    }
    guard !isFolder else { throw CommandFailure(description: "\(path) is a folder, not a file.") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw CommandFailure(description: "\(path) may not be read by this user.")
    }
    return path
  }

  /// Throws if `output` exists and may not be replaced. `input` may never be, by whatever path.
  func requireFree(_ output: String, besides input: String) throws {
    try requireFree([output])
    guard !AudioFile.isSame(input, output) else {
      throw CommandFailure(
        description: "\(input) would be read and written. Write to another file, so that it stays.")
    }
  }

  /// Throws if one of `paths` exists and may not be replaced.
  func requireFree(_ paths: [String]) throws {
    guard !has("force") else { return }
    for path in paths where FileManager.default.fileExists(atPath: path) {
      throw CommandFailure(
        description: "\(path) is there already. Choose another place, or replace it with --force.")
    }
  }
}

enum AudioCutArguments {
  static let formats = ClipFormat.allCases.map(\.rawValue)
  /// What every written file has, for the help.
  static let quality = "at 48 kHz, wav and flac with 16 bits"

  /// The frame that `word` names: `mm:ss.mmm`, seconds, or `frames:N`.
  static func frame(_ word: String) throws(UsageError) -> Int {
    guard let frame = Timeline.frame(parsing: word) else {
      throw UsageError(message: "“\(word)” is no time; write \(timeForms).")
    }
    return frame
  }

  /// The forms of a time, for messages and help.
  static let timeForms = "mm:ss.mmm, seconds, or frames:N"

  /// The rising frames that `text`, times with commas between, names.
  static func cuts(_ text: String) throws(UsageError) -> [Int] {
    var cuts: [Int] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let frame = try frame(String(word.trimmingPrefix(while: \.isWhitespace)))
      guard frame > cuts.last ?? 0 else {
        throw UsageError(message: "Cuts must rise: “\(word)” does not come after the one before.")
      }
      cuts.append(frame)
    }
    return cuts
  }

  /// The name of the file at `path`, and that name without its ending.
  static func names(ofFileAt path: String) -> (name: String, stem: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, name) }
    return (name, String(name[..<dot]))
  }

  /// The folder in which the file at `path` lies.
  static func folder(ofFileAt path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A time as a person and `frame(_:)` read it, to the frame.
  static func text(_ frame: Int) -> String { "\(Timeline.text(frame: frame)) (frames:\(frame))" }
}
