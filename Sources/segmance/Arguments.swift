// Parses the command line with the options of a command.

import Server
import Storage

/// A sentence that says why the command line is invalid. Exit code 2.
struct UsageError: Error {
  let message: String
}

/// One option of a command.
struct Option {
  let name: String
  /// The name of its value in the help; nil for a switch.
  let value: String?
  let help: String
}

/// The words after a command's name.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]
  /// The options with a value that were given more than once. The last value counts.
  private(set) var repeated: Set<String> = []

  /// Parses `words`. `--name value` and `--name=value` are the same; `--` ends the options.
  init(_ words: some Sequence<String>, options: [Option]) throws(UsageError) {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "--" {
        operands += rest
        break
      }
      let (name, inline) = Arguments.split(word == "-o" ? "--output" : word)
      guard let option = options.first(where: { "--" + $0.name == name }) else {
        throw UsageError(message: "There is no option \(name) here.")
      }
      if option.value == nil {
        guard inline == nil else { throw UsageError(message: "\(name) takes no value.") }
        values[option.name] = ""
      } else {
        // The next option is no value. A value that begins like one can be given as `--name=value`.
        if inline == nil, rest.first?.hasPrefix("--") != false {
          throw UsageError(message: "\(name) needs a value.")
        }
        if values[option.name] != nil { repeated.insert(option.name) }
        values[option.name] = inline ?? rest.removeFirst()
      }
    }
  }

  /// The value of an option, if it was given.
  subscript(_ name: String) -> String? { values[name] }

  /// Whether a switch was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The whole number that an option holds.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw UsageError(
        message: "--\(name) needs a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// The number of bytes that an option holds: `500MB`.
  func bytes(_ name: String) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let bytes = ByteCount.parse(text) else {
      throw UsageError(message: "--\(name) needs an amount such as 500MB, 4GB or 1.5TB.")
    }
    return bytes
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }
}
