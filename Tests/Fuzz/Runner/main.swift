// One program for all harnesses: libFuzzer's own, with the harness's name before its words.
//
// fuzz --list | fuzz --seeds NAME FOLDER | fuzz --short NAME | fuzz NAME [libFuzzer's words]

import CLibFuzzer
import FoundationEssentials
import Fuzzing
import Glibc

/// What libFuzzer's callback, which can capture nothing, gives its inputs to.
enum Chosen {
  /// Set once, before libFuzzer starts; it calls on one thread.
  nonisolated(unsafe) static var trial: Harness.Trial = { _ in }
}

/// Writes a line where libFuzzer writes its own.
func say(_ line: String) {
  // There is nobody to tell that there is nobody to tell.
  _ = Array((line + "\n").utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Ends the program as a crash, so that libFuzzer keeps the input.
func fail(_ error: any Error) -> Never {
  say("Broken promise: \(error)")
  abort()
}

func harness(_ name: String) -> Harness {
  guard let harness = Harness.all.first(where: { $0.name == name }) else {
    say("There is no harness \(name).")
    exit(2)
  }
  return harness
}

/// Writes a harness's seeds, and its words as a dictionary of libFuzzer's.
func writeSeeds(of harness: Harness, to folder: String) throws {
  try FileManager.default.createDirectory(
    atPath: folder + "/seeds", withIntermediateDirectories: true)
  for (index, seed) in harness.seeds.enumerated() {
    try Data(seed).write(to: URL(filePath: "\(folder)/seeds/\(index)"))
  }
  let lines = harness.words.map { word in
    let digits = word.utf8.map { ($0 < 16 ? "\\x0" : "\\x") + String($0, radix: 16) }
    return "\"\(digits.joined())\"\n"
  }
  try Data(lines.joined().utf8).write(to: URL(filePath: folder + "/words"))
}

let words = CommandLine.arguments.dropFirst()
switch (words.first, words.count) {
case ("--list", 1):
  for harness in Harness.all { print("\(harness.name)\t\(harness.promise)") }
case ("--seeds", 3):
  try writeSeeds(of: harness(words[2]), to: words[3])
case ("--short", 2):
  do {
    try harness(words[2]).runShortForm { error, _ in fail(error) }
  } catch {
    fail(error)
  }
case (let name?, _) where !name.hasPrefix("-"):
  do {
    Chosen.trial = try harness(name).prepare()
  } catch {
    fail(error)
  }
  // They live as long as the program.
  var pointers = ([CommandLine.arguments[0]] + words.dropFirst()).map { strdup($0) } + [nil]
  var count = Int32(pointers.count - 1)
  let status = pointers.withUnsafeMutableBufferPointer { buffer in
    var start = buffer.baseAddress
    return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
      do {
        try Chosen.trial(Array(UnsafeBufferPointer(start: bytes, count: count)))
      } catch {
        fail(error)
      }
      return 0
    }
  }
  exit(status)
default:
  say("Use: fuzz --list | --seeds NAME FOLDER | --short NAME | NAME [libFuzzer's words]")
  exit(2)
}
