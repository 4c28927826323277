// Validation of changes. The rules look at the change alone, never at stored records, so that the
// order in which changes arrive does not matter.

import Text

extension Change {
  /// Who made a change.
  public enum Author: Sendable {
    case person, server
  }

  /// Throws a rejection if this change is invalid, for example because its stamp is later than `latest`,
  /// in milliseconds since 1970.
  public func validate(by author: Author, stampedUntil latest: Int) throws(Rejection) {
    guard Identifier.isValid(id) else { throw rejection("The change's id is not a UUID.") }
    guard type.isValidId(record) else {
      throw rejection(
        type == .setting
          ? "“\(record.prefix(80))” can't be the name of a setting."
          : "The record's id is not a UUID.")
    }
    guard at.milliseconds <= latest else {
      throw Rejection(
        id: id, reason: "This device's clock is more than a day ahead; set it and try again.",
        code: .clock)
    }
    guard !fields.isEmpty else { throw rejection("The change sets no field.") }
    if let space, space != Person.owner, !Identifier.isValid(space) {
      throw rejection("The space is no id of a group.")
    }
    for (name, value) in fields {
      guard let field = type.field(name) else {
        throw rejection("A \(type.rawValue) has no field “\(name.prefix(80))”.")
      }
      guard author == .server || !field.isServers else {
        throw rejection("Only the server sets “\(name)”.")
      }
      if let problem = field.problem(with: value) {
        throw rejection("\(name): \(problem)")
      }
    }
    if let start = fields["startFrame"]?.integer, let end = fields["endFrame"]?.integer {
      guard start < end else { throw rejection("The start must lie before the end.") }
    }
  }

  private func rejection(_ reason: String) -> Rejection { Rejection(id: id, reason: reason) }
}

extension Field {
  /// Returns what is wrong with `value`, or nil if it is valid.
  public func problem(with value: Value) -> String? {
    if value == .null {
      return isRequired ? "This can't be empty." : nil
    }
    switch kind {
    case .line(let min, let max):
      guard let text = value.text else { return "This must be a text." }
      if text.unicodeScalars.contains(where: \.isControl) { return "This must be a single line." }
      if min > 0 && text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
        return "This can't be empty."
      }
      return text.count < min ? "At least \(min) characters." : tooLong(text, max)
    case .lines(let min, let max):
      guard let text = value.text else { return "This must be a text." }
      if text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" }) {
        return "This holds control characters."
      }
      if min > 0 && text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
        return "This can't be empty."
      }
      return tooLong(text, max)
    case .integer(let range):
      guard let integer = value.integer else { return "This must be a whole number." }
      return range.contains(integer)
        ? nil : "This must lie between \(range.lowerBound) and \(range.upperBound)."
    case .number(let range):
      guard let number = value.number else { return "This must be a number." }
      return range.contains(number)
        ? nil : "This must lie between \(range.lowerBound) and \(range.upperBound)."
    case .oneOf(let words):
      return value.text.map(words.contains) == true
        ? nil : "This must be one of \(words.joined(separator: ", "))."
    case .reference:
      return value.text.map(Identifier.isValid) == true ? nil : "This must be a record's id."
    case .position:
      return value.text.map(Position.isValid) == true ? nil : "This is no position."
    case .colour:
      return value.text.map(Field.isColour) == true
        ? nil : "This must be a colour such as #ff4f8b."
    case .scalar(let max):
      return value.text.flatMap { tooLong($0, max) }
    }
  }

  /// The limit counts user-perceived characters. Bytes are limited as well, because one such character
  /// can hold any number of combining marks.
  private func tooLong(_ text: String, _ max: Int) -> String? {
    text.utf8.count > max * 16 || text.count > max ? "At most \(max) characters." : nil
  }

  /// Whether a text is `#rrggbb` in lower case.
  public static func isColour(_ text: String) -> Bool {
    text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
      && text.utf8.dropFirst().allSatisfy(Identifier.isLowerHex)
  }
}
