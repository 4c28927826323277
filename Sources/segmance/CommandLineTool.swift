// The table of commands, their help, and their exit codes: 0 done, 1 failed, 2 wrong use.

import Database
import Media
import Server
import Storage

enum CommandLineTool {
  private static var commands: [any Command.Type] {
    [
      ServeCommand.self, ImportCommand.self, ExportCommand.self, PeaksCommand.self,
      AnalyseCommand.self, BeatsCommand.self, AlignCommand.self, StretchCommand.self,
      ClipCommand.self, SplitCommand.self,
      DevicesCommand.self, BackupCommand.self, RestoreCommand.self, MigrateCommand.self,
      CheckCommand.self,
    ]
  }

  /// Runs the command that `words` name, and returns the exit code.
  static func run(_ words: [String]) -> Int32 {
    guard let name = words.first else {
      note(help)
      return 2
    }
    switch name {
    case "--help", "-h", "help":
      print(help)
      return 0
    case "--version":
      print("segmance \(SegmanceServer.version)")
      return 0
    default: break
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      note("There is no command “\(name)”. See: segmance --help")
      return 2
    }
    if words.contains("--help") || words.contains("-h") {
      print(help(of: command))
      return 0
    }
    return run(command, words.dropFirst())
  }

  private static func run(_ command: any Command.Type, _ words: ArraySlice<String>) -> Int32 {
    do {
      return try command.run(Arguments(words, options: command.options))
    } catch let error as UsageError {
      note("\(error.message) See: segmance \(command.name) --help")
      return 2
    } catch let error as MediaError {
      note(error.message)
    } catch let error as StorageError where error.code == .unreachable {
      note("\(error.message) (\(error.reason))")
    } catch let error as StorageError {
      note(error.message)
    } catch let error as LibraryError {
      note(error.message)
    } catch {
      note("\(error)")
    }
    return 1
  }

  private static var help: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let lines = commands.map { command in
      let gap = String(repeating: " ", count: width - command.name.count + 2)
      return "  \(command.name)\(gap)\(command.summary)"
    }
    return """
      Segmance, a practice studio for performers.

      Usage: segmance COMMAND [OPTION…]

      \(lines.joined(separator: "\n"))

      segmance COMMAND --help explains each; segmance --version tells the version.
      """
  }

  private static func help(of command: any Command.Type) -> String {
    let heads = command.options.map { "--\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
    let width = heads.map(\.count).max() ?? 0
    let lines = zip(heads, command.options).map { head, option in
      "  \(head)\(String(repeating: " ", count: width - head.count + 2))\(option.help)"
    }
    return """
      Usage: segmance \(command.name) \(command.usage)

      \(command.summary)

      \(lines.joined(separator: "\n"))
      """
  }
}
