// One edit: the fields that were set on one record, and when.

/// The fields of a record that were set at one moment.
public struct Change: Hashable, Sendable {
  /// The change's own UUID.
  public var id: String
  public var type: RecordType
  /// The record's UUID; of a setting, its name.
  public var record: String
  /// New values by field name; null clears a field. `deletedAt` is a field like the others.
  public var fields: [String: Value]
  public var at: Stamp
  /// The group in whose space a routine or move type is made; nil for the author's own space. It means
  /// nothing for records that are there already, and for those with a parent: they go where it is.
  public var space: String?

  /// Makes a change without validating it; see `validate`.
  public init(
    id: String, type: RecordType, record: String, fields: [String: Value], at: Stamp,
    space: String? = nil
  ) {
    self.id = id
    self.type = type
    self.record = record
    self.fields = fields
    self.at = at
    self.space = space
  }
}

/// Why a change was rejected, in a sentence that the interface shows.
public struct Rejection: Error, Hashable, Sendable, Codable {
  /// Rejections that a client can tell from others.
  public enum Code: String, Hashable, Sendable, Codable {
    /// The stamp is too far ahead of the server's clock. The change is accepted with a new stamp.
    case clock
    /// The author may not edit this record.
    case forbidden
  }

  /// The change's id; nil if it could not be read.
  public var id: String?
  public var reason: String
  public var code: Code?

  /// Makes a rejection of the change `id`.
  public init(id: String?, reason: String, code: Code? = nil) {
    self.id = id
    self.reason = reason
    self.code = code
  }
}

/// A received change: decoded, or already rejected.
///
/// Decoding an element never throws, so that one bad change does not affect the others in a list.
public enum IncomingChange: Sendable, Decodable {
  case change(Change)
  case rejected(Rejection)

  private enum CodingKeys: String, CodingKey { case id, type, record, fields, at, space }

  public init(from decoder: any Decoder) {
    var id: String?
    do {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      let typeName = try container.decode(String.self, forKey: .type)
      let stampText = try container.decode(String.self, forKey: .at)
      guard let type = RecordType(rawValue: typeName) else {
        self = .rejected(Rejection(id: id, reason: "There is no record type “\(typeName)”."))
        return
      }
      guard let at = Stamp(stampText) else {
        self = .rejected(Rejection(id: id, reason: "The stamp of this change can't be read."))
        return
      }
      self = .change(
        Change(
          id: id ?? "", type: type, record: try container.decode(String.self, forKey: .record),
          fields: try container.decode([String: Value].self, forKey: .fields), at: at,
          space: try container.decodeIfPresent(String.self, forKey: .space)))
    } catch {
      self = .rejected(
        Rejection(
          id: id,
          reason: "This change can't be read: it needs id, type, record, fields and at, "
            + "and fields may hold texts, numbers, true, false and null."))
    }
  }
}

extension Change: Encodable {
  private enum CodingKeys: String, CodingKey { case id, type, record, fields, at, space }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(type, forKey: .type)
    try container.encode(record, forKey: .record)
    try container.encode(fields, forKey: .fields)
    try container.encode(at.description, forKey: .at)
    try container.encodeIfPresent(space, forKey: .space)
  }
}
