// Makes the client's TypeScript from the Swift that defines it: the schema of records, the engine's
// enumerations, the functions that the WebAssembly modules export, the languages of speech, and the constants of the
// timeline.
// Use, in the repository's root: WireTypes FOLDER          writes the files
//                                WireTypes --check FOLDER  exits with 1 if a file there differs

import FoundationEssentials
import Glibc

/// The source of the exported functions. They are compiled for WebAssembly only, so it is read as text.
let exportsPath = "Sources/PracticeEngineWasm/Exports.swift"
/// The same of the counts.
let countsExportsPath = "Sources/CountsWasm/Exports.swift"
/// The folder of the sources of what the arithmetic of practice exports.
let practiceExportsPath = "Sources/PracticeWasm"

@main enum WireTypes {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let checks = arguments.first == "--check"
    if checks { arguments.removeFirst() }
    guard let folder = arguments.first, arguments.count == 1 else {
      fail("Use: WireTypes [--check] FOLDER")
    }
    let files = [
      ("records.ts", recordTypes()),
      ("engine.ts", try engineTypes(exports: String(contentsOfFile: exportsPath, encoding: .utf8))),
      (
        "counts.ts",
        try countsTypes(exports: String(contentsOfFile: countsExportsPath, encoding: .utf8))
      ),
      ("practice.ts", try practiceTypes()),
      ("speech.ts", speechTypes()),
      ("timeline.ts", timelineConstants()),
    ]
    if checks {
      for (name, text) in files {
        let found = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        guard found == text else { fail("\(folder)/\(name) differs from its source in Swift.") }
      }
      return
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
    }
  }
}

/// Prints a message and exits with 1.
func fail(_ message: String) -> Never {
  print(message)
  exit(1)
}

/// The first line of a generated file, which names its source.
func header(of source: String) -> String {
  "// Made by Sources/WireTypes from \(source). Do not edit.\n"
}
