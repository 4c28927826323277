// Maps output frames to source frames, in integer arithmetic, so that nothing drifts.

/// A piecewise linear map, one piece for each speed that was set. Positions are in hundredths of a
/// frame, with 64 bits also where `Int` has 32, which would overflow after seven minutes. (`&*`, as
/// WebAssembly's freestanding library lacks the function for a checked 64-bit product; no product
/// comes near the limit.)
///
/// Real time: fixed memory; every call visits at most `capacity` pieces.
struct TimeMap: ~Copyable {
  static let capacity = 64

  struct Piece {
    /// The first output frame of the piece.
    var output = 0
    /// The source position there, in hundredths of a frame.
    var position: Int64 = 0
    /// Hundredths of a source frame for every output frame.
    var rate: Int64 = 100
  }

  private let pieces: UnsafeMutablePointer<Piece>
  private var count = 1

  init() {
    // Unsafe for the reason in SampleBuffer; this map alone owns and frees it.
    pieces = .allocate(capacity: Self.capacity)
    pieces.initialize(repeating: Piece(), count: Self.capacity)
  }

  deinit { pieces.deallocate() }

  /// The latest speed.
  var latestRate: Int { Int(pieces[count - 1].rate) }
  /// The slowest speed of the kept pieces.
  var slowestRate: Int {
    var slowest = pieces[0].rate
    for index in 1..<max(count, 1) { slowest = min(slowest, pieces[index].rate) }
    return Int(slowest)
  }

  /// Restarts at the latest speed: output frame 0 is source frame 0.
  mutating func reset() {
    pieces[0] = Piece(rate: pieces[count - 1].rate)
    count = 1
  }

  /// Changes the speed from an output frame on, or from the latest change if that is later.
  mutating func setRate(_ rate: Int, from earliest: Int) {
    let last = pieces[count - 1]
    let output = max(earliest, last.output)
    if rate == last.rate { return }
    if output == last.output {
      pieces[count - 1].rate = Int64(rate)
      return
    }
    if count == Self.capacity {
      // More changes than one per step within the look-ahead: drop the oldest.
      for index in 1..<count { pieces[index - 1] = pieces[index] }
      count -= 1
    }
    pieces[count] = Piece(output: output, position: position(at: output), rate: Int64(rate))
    count += 1
  }

  /// Drops the pieces that end at or before an output frame.
  mutating func forget(before output: Int) {
    while count > 1 && pieces[1].output <= output {
      for index in 1..<count { pieces[index - 1] = pieces[index] }
      count -= 1
    }
  }

  func piece(at output: Int) -> Piece {
    var index = count - 1
    while index > 0 && pieces[index].output > output { index -= 1 }
    return pieces[index]
  }

  /// The number of output frames until the next piece begins.
  func framesToNextPiece(from output: Int) -> Int {
    for index in 0..<count where pieces[index].output > output {
      return pieces[index].output - output
    }
    return Int.max
  }

  /// Returns the source position at an output frame, in hundredths of a frame.
  func position(at output: Int) -> Int64 {
    let piece = piece(at: output)
    return piece.position + Int64(output - piece.output) &* piece.rate
  }

  /// Returns the source frame at an output frame.
  func frame(at output: Int) -> Int { Int(position(at: output) / 100) }

  /// Returns the first output frame at which the source has reached `frame`.
  func output(reaching frame: Int64) -> Int {
    let position = 100 &* frame
    var index = count - 1
    while index > 0 && pieces[index].position > position { index -= 1 }
    let piece = pieces[index]
    let frames = (position - piece.position + piece.rate - 1) / piece.rate
    return Int(min(max(Int64(piece.output) + frames, 0), Int64(Int32.max)))
  }

  /// Returns the first output frame at which the source has reached `frame` or is within half a
  /// step of it.
  func output(ofFrame frame: Int) -> Int {
    let position = 100 &* Int64(frame)
    var index = count - 1
    while index > 0 && pieces[index].position > position { index -= 1 }
    let piece = pieces[index]
    return piece.output + Int((position - piece.position + piece.rate / 2) / piece.rate)
  }
}
