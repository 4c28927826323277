// What practice knows of a part: where it lies on its track, its tempo and its moves.

/// A move of a part.
public struct PracticeMove: Sendable, Equatable {
  public var id: RecordID
  /// The frame of the track at which it begins; nil if it does not lie on counts.
  public var startFrame: Int?

  /// Makes a move. A frame outside a track counts as none.
  public init(id: RecordID, startFrame: Int?) {
    self.id = id
    self.startFrame = startFrame.flatMap { (0...Limit.frames).contains($0) ? $0 : nil }
  }
}

/// A part of a routine. Frames are those of its track.
public struct PracticePart: Sendable, Equatable {
  public var id: RecordID
  /// Its frames on the track; empty if it has no audio.
  public var frames: Range<Int>
  /// The speed at which it is performed, in percent of the original.
  public var targetPercent: Int
  /// In the order of the part.
  public var moves: [PracticeMove]

  /// The speeds that can be a target, in percent.
  public static let targets = 25...200

  /// Makes a part. Values that can't be are clamped.
  public init(
    id: RecordID, startFrame: Int, endFrame: Int, targetPercent: Int = 100,
    moves: [PracticeMove] = []
  ) {
    self.id = id
    let start = min(max(startFrame, 0), Limit.frames)
    frames = start..<min(max(endFrame, start), Limit.frames)
    self.targetPercent = min(
      max(targetPercent, PracticePart.targets.lowerBound), PracticePart.targets.upperBound)
    self.moves = moves
  }

  /// Returns the index of the move that is heard at `frame`: of those on counts the last that has begun.
  /// Nil before the first.
  public func move(at frame: Int) -> Int? {
    var found: Int?
    var begun = -1
    for (index, move) in moves.enumerated() {
      guard let start = move.startFrame, start <= frame, start >= begun else { continue }
      found = index
      begun = start
    }
    return found
  }

  /// Its length at the original speed.
  var seconds: Double { Double(frames.count) / Limit.framesPerSecond }
}
