// The typed view of a correction of a track's counts.

import Counts

/// A view of a correction of a track's counts.
public struct GridCorrection: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a correction.
  public init(_ record: Record) {
    assert(record.type == .gridCorrection)
    self.record = record
  }

  /// The names of all kinds, as in the field `kind`.
  public static let kinds = Correction.Kind.allCases.map { "\($0)" }

  /// The id of its track.
  public var track: String? { record["track"].text }

  /// What a grid applies; nil if it is deleted, not complete, or of a kind that this program doesn't
  /// know.
  public var correction: Correction? {
    guard isComplete, let id = Correction.ID(utf8: id.utf8),
      let kind = Correction.Kind.allCases.first(where: { .text("\($0)") == record["kind"] }),
      let order = record["order"].integer
    else { return nil }
    return Correction(
      id: id, order: Int64(order), kind: kind, frame: record["startFrame"].integer ?? 0,
      end: record["endFrame"].integer ?? 0, value: record["value"].number ?? 0,
      taps: Correction.taps(utf8: (record["taps"].text ?? "").utf8))
  }
}
