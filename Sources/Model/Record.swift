// A record, and the function that merges changes into it.

/// Every field of one record with the stamp of the edit that set it.
public struct Record: Hashable, Sendable {
  /// A field's value and when it was set.
  public struct Cell: Hashable, Sendable {
    public var value: Value
    public var stamp: Stamp

    /// Makes a cell.
    public init(value: Value, stamp: Stamp) {
      self.value = value
      self.stamp = stamp
    }
  }

  public let type: RecordType
  public let id: String
  /// Whose it is: the id of a person or a group.
  public var space: String
  /// Milliseconds since 1970 of the earliest edit known.
  public var createdAt: Int
  /// `deletedAt` included.
  public var cells: [String: Cell]

  /// Makes a record from its stored parts.
  public init(
    type: RecordType, id: String, space: String = Person.owner, createdAt: Int,
    cells: [String: Cell]
  ) {
    self.type = type
    self.id = id
    self.space = space
    self.createdAt = createdAt
    self.cells = cells
  }

  /// Makes the record of `change` in a space, without fields.
  public init(before change: Change, space: String = Person.owner) {
    self.init(
      type: change.type, id: change.record, space: space, createdAt: change.at.milliseconds,
      cells: [:])
  }

  /// Merges `change` field by field, the later stamp winning, and tells whether anything changed.
  ///
  /// Any order of changes, any repetition and any split into batches ends in the same record: each
  /// cell keeps the maximum of (stamp, value) and `createdAt` the minimum, and maximum and minimum
  /// are commutative, associative and idempotent.
  @discardableResult
  public mutating func merge(_ change: Change) -> Bool {
    var hasChanged = false
    if change.at.milliseconds < createdAt {
      createdAt = change.at.milliseconds
      hasChanged = true
    }
    for (name, value) in change.fields {
      if let cell = cells[name] {
        guard
          cell.stamp < change.at
            || (cell.stamp == change.at && Value.precedes(cell.value, value))
        else { continue }
      }
      cells[name] = Cell(value: value, stamp: change.at)
      hasChanged = true
    }
    return hasChanged
  }

  /// The value of a field; null if it was never set.
  public subscript(_ field: String) -> Value { cells[field]?.value ?? .null }

  /// When it was deleted by the device's clock, in milliseconds since 1970; nil if it is not.
  public var deletedAt: Int? { self["deletedAt"].integer }

  /// How far a stamp may be ahead of the clock and still count as a time, in milliseconds.
  public static let stampTolerance = 86_400_000

  /// When it was deleted, in milliseconds since 1970; nil if it is not. This is the time of the stamp:
  /// `deletedAt` is the device's clock, which may be years off.
  ///
  /// After a clock was ahead, all later stamps stay ahead. A stamp far ahead of `now` is not used;
  /// `deletedAt` is then used, unless it is far ahead too.
  public func deletionTime(now: Int) -> Int? {
    guard let deletedAt, let stamp = cells["deletedAt"]?.stamp.milliseconds else { return nil }
    return stamp > now + Record.stampTolerance && deletedAt <= now ? deletedAt : stamp
  }

  /// Whether it is not deleted and has all required fields.
  public var isComplete: Bool {
    deletedAt == nil
      && type.fields.allSatisfy { !$0.isRequired || self[$0.name] != .null }
  }
}
