// A part as rows of eights, with the blocks of its moves: what both forms of an eight-count sheet show.

import Counts
import Model

/// The eights of a part, and where its moves lie in them.
struct CountSheetPart {
  /// A move's share of a row.
  struct Block {
    var move: Move
    /// In halves of a count from the start of the row; at least one half.
    var halves: Range<Int>
    /// Whether the move begins in this row, and on the & after a count.
    var begins: Bool
    var isOnAnd: Bool
    /// Whether the move ends in this row.
    var ends: Bool
  }

  /// One eight, or the pick-up before the first.
  struct Row {
    /// The number of the eight in the part; below 1: the pick-up.
    var eight: Int
    /// Its first count: counts after the part's first count 1.
    var start: Int
    /// The counts of its eight that lie before the part.
    var indent: Int
    /// The counts of the part that it has.
    var length: Int
    /// The frame of the track at which it begins.
    var frame: Int
    /// In the order of the moves.
    var blocks: [Block] = []

    /// The moves that begin in it.
    var begun: [Move] { blocks.filter(\.begins).map(\.move) }

    /// The blocks in lanes: moves that sound together lie below each other.
    var lanes: [[Block]] {
      var lanes: [[Block]] = []
      for block in blocks {
        let free = lanes.firstIndex {
          ($0.last?.halves.upperBound ?? 0) <= block.halves.lowerBound
        }
        if let free { lanes[free].append(block) } else { lanes.append([block]) }
      }
      return lanes.isEmpty ? [[]] : lanes
    }
  }

  /// Empty if the part has no counts.
  var rows: [Row]
  /// The counts of the widest row, and at least those of an eight.
  var width: Int
  /// The moves that have no counts, or all moves of a part without counts.
  var unlaid: [Move]
  /// The moves whose counts lie outside the part.
  var outside: [Move]

  /// Lays out a part of `exportModel`, whose grids are known.
  init(_ part: ExportModel.ExportedPart, in exportModel: ExportModel) {
    let grid = part.track.flatMap { exportModel.grids[$0.id] }
    guard let grid, let range = part.range else {
      self.init(rows: [], width: 8, unlaid: part.moves, outside: [])
      return
    }
    var rows = grid.eights(of: range)
    guard let last = rows.last else {
      self.init(rows: [], width: 8, unlaid: part.moves, outside: [])
      return
    }
    let end = Double(last.start + last.length)
    var outside: [Move] = []
    let starts = part.moves.compactMap(\.startCount)
    for move in part.moves {
      guard let start = move.startCount else { continue }
      // Moves without a length that begin together all last until the next one.
      let stop = move.countLength.map { start + $0 } ?? starts.first { $0 > start } ?? end
      let isShown = rows.lay(move, from: start, to: max(stop, start + 0.25))
      if !isShown { outside.append(move) }
    }
    self.init(
      rows: rows,
      width: max(
        rows.map { $0.indent + $0.length }.max() ?? 0,
        grid.length(of: range)?.countsPerEight ?? 0),
      unlaid: part.moves.filter { $0.startCount == nil }, outside: outside)
  }

  private init(rows: [Row], width: Int, unlaid: [Move], outside: [Move]) {
    self.rows = rows
    self.width = width
    self.unlaid = unlaid
    self.outside = outside
  }
}

extension [CountSheetPart.Row] {
  /// Adds a block to each row that a move from `start` to `end` touches; returns whether there is one.
  fileprivate mutating func lay(_ move: Move, from start: Double, to end: Double) -> Bool {
    // The rows rise without gaps.
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Double(self[middle].start + self[middle].length) <= start {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let first = low
    while low < count, Double(self[low].start) < end {
      let row = self[low]
      let from = Swift.max(start, Double(row.start))
      let to = Swift.min(end, Double(row.start + row.length))
      let offset = Double(row.indent - row.start)
      let lower = Int((2 * (from + offset)).rounded(.down))
      let upper = Swift.max(lower + 1, Int((2 * (to + offset)).rounded(.up)))
      self[low].blocks.append(
        CountSheetPart.Block(
          move: move, halves: lower..<upper, begins: from == start,
          isOnAnd: from == start && start - start.rounded(.down) >= 0.5, ends: to == end))
      low += 1
    }
    return low > first
  }
}

extension Grid {
  /// Returns the eights of a part, with its own numbers and without blocks. A count belongs to the part
  /// in which its middle lies, so that one at a border is in one of two parts.
  func eights(of part: Range<Int>) -> [CountSheetPart.Row] {
    func middle(_ count: Int) -> Int? { frame(ofCount: Double(count) + 0.5, in: part) }
    var first = 0
    while let middle = middle(first - 1), middle > part.lowerBound,
      position(ofCount: Double(first - 1), in: part) != nil
    {
      first -= 1
    }
    var rows: [CountSheetPart.Row] = []
    var count = first
    while let middle = middle(count), middle <= part.upperBound,
      let frame = frame(ofCount: Double(count), in: part),
      let place = position(ofCount: Double(count), in: part)
    {
      if rows.last?.eight == place.eight {
        rows[rows.count - 1].length += 1
      } else {
        rows.append(
          CountSheetPart.Row(
            eight: place.eight, start: count, indent: place.count - 1, length: 1, frame: frame))
      }
      count += 1
    }
    return rows
  }
}

extension ExportModel {
  /// The abbreviation of a move's type, or its name; nil without a type.
  func typeMark(of move: Move) -> String? {
    let type = moveType(of: move)
    return type?.abbreviation.flatMap { $0.isEmpty ? nil : $0 } ?? type?.name
  }
}

extension CountSheetPart.Row {
  /// What a row is called: its number, or "Pick-up".
  var name: String { eight < 1 ? "Pick-up" : "\(eight)" }
}
