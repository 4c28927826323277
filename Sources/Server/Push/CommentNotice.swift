// What a notification says of a comment.

import FoundationEssentials
import Model
import Network

/// The text that is encrypted for a device. The device's service worker makes sentences of it.
struct CommentNotice: Encodable, Equatable {
  /// The longest texts, in bytes of UTF-8, so that all of it fits into a message even if every character
  /// has to be escaped.
  private static let longestName = 80
  private static let longestText = 400

  /// The language of the interface on the device.
  let language: String
  let routine: String
  let part: String
  let comment: String
  /// The name of who wrote it; empty if that is the owner without a name, or somebody who left.
  let who: String
  /// The titles of the routine, the part, and perhaps the move.
  let `where`: [String]
  /// The beginning of the comment.
  let text: String
  /// Whether it mentions the person.
  let isMention: Bool

  /// Makes the notice of a comment.
  init(
    of comment: Comment, at place: CommentPlace, by author: String, isMention: Bool,
    language: String
  ) {
    self.language = language
    routine = place.routine.id
    part = place.part.id
    self.comment = comment.id
    who = Self.shortened(author, to: Self.longestName)
    `where` = [place.routine.title, place.part.title, place.move?.title].compactMap { title in
      title.map { Self.shortened($0, to: Self.longestName) }
    }
    text = Self.shortened(comment.text ?? "", to: Self.longestText)
    self.isMention = isMention
  }

  /// The message for a device.
  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// Cuts a text at whole characters, with an ellipsis in place of the rest.
  static func shortened(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var room = bytes - "…".utf8.count
    let end = text.firstIndex { character in
      room -= character.utf8.count
      return room < 0
    }
    return text[..<(end ?? text.endIndex)] + "…"
  }
}

/// Where a comment is. What is on a part or a move that was deleted is nowhere.
struct CommentPlace {
  let routine: Routine
  let part: Part
  let move: Move?
}

extension Library {
  /// Returns where a comment is; nil if it, or what it is on, is not there.
  func place(of comment: Comment) throws -> CommentPlace? {
    guard comment.isComplete,
      let routine = try present(.routine, comment.routine).map(Routine.init)
    else { return nil }
    var move: Move?
    if let id = comment.move {
      move = try present(.move, id).map(Move.init)
      if move == nil { return nil }
    }
    guard let part = try present(.part, move?.part ?? comment.part).map(Part.init),
      part.routine == routine.id
    else { return nil }
    return CommentPlace(routine: routine, part: part, move: move)
  }

  private func present(_ type: RecordType, _ id: String?) throws -> Record? {
    guard let record = try id.flatMap({ try records.record(type, $0) }) else { return nil }
    return record.isComplete ? record : nil
  }
}
