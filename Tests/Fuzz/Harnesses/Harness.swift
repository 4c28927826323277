// What a fuzzer tries: a parser of ours, where to begin, and what has to hold for any bytes at all.

/// One parser under bytes that nobody vouches for.
public struct Harness: Sendable {
  /// Takes one input; throws a `BrokenPromise` when something that must hold does not.
  public typealias Trial = (_ input: [UInt8]) throws -> Void

  /// The name by which it is chosen.
  public let name: String
  /// What has to hold, in one line.
  public let promise: String
  /// Inputs to begin with: good ones, and those that once broke something.
  public let seeds: [[UInt8]]
  /// Words that random bytes would hardly ever make.
  public let words: [String]
  /// How many changed inputs the short form tries.
  public let shortRounds: Int
  /// Makes what the trials need, such as a folder or a library, and returns the trial.
  public let prepare: @Sendable () throws -> Trial

  init(
    _ name: String, _ promise: String, seeds: [[UInt8]], words: [String] = [],
    shortRounds: Int = 3_000, prepare: @escaping @Sendable () throws -> Trial
  ) {
    self.name = name
    self.promise = promise
    self.seeds = seeds
    self.words = words
    self.shortRounds = shortRounds
    self.prepare = prepare
  }

  init(
    _ name: String, _ promise: String, texts: [String], words: [String] = [],
    shortRounds: Int = 3_000, prepare: @escaping @Sendable () throws -> Trial
  ) {
    self.init(
      name, promise, seeds: texts.map { Array($0.utf8) }, words: words, shortRounds: shortRounds,
      prepare: prepare)
  }

  /// All of them.
  public static let all: [Harness] = [
    range, host, target, caller, request, stretch, labels, times, positions, names, peaks, mp4,
    container, flac, ffprobe, manifest, backup, record, sync, exportModel, tus,
  ]
}

/// What had to hold and did not.
public struct BrokenPromise: Error, CustomStringConvertible {
  public let description: String
}

/// Throws a `BrokenPromise` unless the condition is true.
func holds(
  _ condition: @autoclosure () throws -> Bool, _ promise: @autoclosure () -> String
) throws {
  if try !condition() { throw BrokenPromise(description: promise()) }
}

extension [UInt8] {
  /// The lines of a text, `count` of them: missing ones are empty, the last holds all the rest.
  func lines(_ count: Int) -> [String] {
    var lines = split(
      separator: UInt8(ascii: "\n"), maxSplits: count - 1, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    while lines.count < count { lines.append("") }
    return lines
  }
}
