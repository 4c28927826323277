// segmance migrate

import Server

enum MigrateCommand: Command {
  static let name = "migrate"
  static let usage = "--to ADDRESS|folder [--data DIR]"
  static let summary = "Move the records to a PostgreSQL server, or back into the library's folder"
  static let options = [
    Option(
      name: "to", value: "ADDRESS",
      help: "where to: postgres://host/database, or the word folder"),
    Option.data,
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty, let target = arguments["to"] else {
      throw UsageError(message: "Say where to: --to postgres://host/database, or --to folder.")
    }
    guard target == "folder" || isServer(target) else {
      throw UsageError(
        message: "--to takes an address such as postgres://host/database, or folder.")
    }
    let migration = try LibraryMigration(root: arguments.dataFolder)
    if target == "folder" {
      try migration.runToFolder()
      say("The records are in \(arguments.dataFolder) again. Those on the server are used no more.")
    } else {
      try migration.run(toServer: target)
      say(
        "The records are on the server. The file with those before is kept: segmance-before-move.sqlite."
      )
    }
    return 0
  }

  /// Whether an address is one of a PostgreSQL server.
  static func isServer(_ address: String) -> Bool {
    ["postgres://", "postgresql://"].contains(where: address.hasPrefix)
  }
}
