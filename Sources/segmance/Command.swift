// The protocol of subcommands, and what they share.

import FoundationEssentials
import Glibc
import Logging
import Media
import Server
import Storage

/// One subcommand of `segmance`.
protocol Command {
  static var name: String { get }
  /// The usage line after the name.
  static var usage: String { get }
  static var summary: String { get }
  static var options: [Option] { get }

  /// Runs the command.
  ///
  /// - Returns: the exit code.
  /// - Throws: `UsageError` (exit code 2) or anything else (exit code 1).
  static func run(_ arguments: Arguments) throws -> Int32
}

/// A failure with a sentence for the person. Exit code 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
}

extension Option {
  static let data = Option(
    name: "data", value: "DIR", help: "the library's folder (default: \(defaultDataFolder))")
  static let noSandbox = Option(
    name: "no-sandbox", value: nil,
    help: "run ffmpeg without bubblewrap, where the system forbids it")
  static let json = Option(name: "json", value: nil, help: "write JSON, for other programs")

  /// `$XDG_DATA_HOME/segmance`, or its default.
  static var defaultDataFolder: String {
    let environment = ProcessInfo.processInfo.environment
    if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return home + "/segmance" }
    return (environment["HOME"] ?? "/var/lib") + "/.local/share/segmance"
  }
}

extension Arguments {
  /// The library's folder, absolute.
  var dataFolder: String { absolute(self["data"] ?? Option.defaultDataFolder) }

  /// The absolute form of a path.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// ffmpeg and its sandbox, according to the options.
  func mediaTools() throws -> MediaTools {
    try MediaTools.locate(sandbox: has("no-sandbox") ? .none : .required)
  }
}

/// Replaces control and direction characters by �. Titles, keys and names in untrusted files may
/// contain terminal escape sequences.
private func harmless(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        switch scalar.value {
        case 9, 10: scalar
        case 0..<32, 127..<160, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
          "\u{FFFD}"
        default: scalar
        }
      }))
}

extension Logger {
  /// Logs faults to standard error, for commands other than `serve`.
  static let faults: Logger = {
    let lines = Logger.lines(.text, to: STDERR_FILENO)
    return Logger { if $0.level == .error { lines.write($0) } }
  }()
}

/// Writes a line for a person to standard output.
func say(_ line: String) { print(harmless(line)) }

/// Writes a line for a person to standard error.
@Sendable func note(_ line: String) {
  var text = harmless(line) + "\n"
  // If standard error is closed, the line is lost.
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
