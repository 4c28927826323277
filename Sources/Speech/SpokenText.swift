// From a name that a person typed to a text that the speech program may get.

/// A text without anything that the speech program takes for an instruction, and the voice that reads it.
public struct SpokenText: Sendable, Equatable {
  /// Why a text can't be said.
  public enum Refusal: Error, Sendable {
    /// It has neither a letter nor a digit.
    case nothingToSay
    /// It is longer than `longest`.
    case tooLong
    /// It has characters that no voice can read.
    case unreadable
  }

  /// The most characters that are said: enough for every title of a move or a part.
  public static let longest = 130
  /// Of how many Unicode scalars they may consist.
  private static let mostScalars = 4 * longest
  /// What is said at most, in seconds. A longer name would be of no use while music plays.
  public static let longestSeconds = 10
  /// The pace of names, in words per minute.
  public static let wordsPerMinute = 175
  /// Of the sound that is made of a text. Raise it when the same text would give another one.
  public static let version = 1

  /// The text: letters, digits and a few signs, with single spaces.
  public let words: String
  /// The speech program's voice.
  public let voice: String

  /// Cleans a text. A sign that is not said, an emoji, a bracket or a control character separates words.
  public init(_ text: String, in language: SpeechLanguage) throws(Refusal) {
    guard text.unicodeScalars.count <= SpokenText.mostScalars else { throw .tooLong }
    var cleaned = String.UnicodeScalarView()
    var letters: [SpeechLanguage.Script: Int] = [:]
    var isSaid = false
    for given in text.unicodeScalars {
      let scalar = SpokenText.narrow(given)
      switch SpokenText.kind(of: scalar) {
      case .letter(let script):
        guard let script else { throw .unreadable }
        letters[script, default: 0] += 1
        isSaid = true
        cleaned.append(scalar)
      case .digit:
        isSaid = true
        cleaned.append(scalar)
      case .mark: if let last = cleaned.last, last != " " { cleaned.append(scalar) }
      case .sign: cleaned.append(scalar)
      case .nothing: break
      case .separator: if let last = cleaned.last, last != " " { cleaned.append(" ") }
      }
    }
    guard isSaid else { throw .nothingToSay }
    if cleaned.last == " " { cleaned.removeLast() }
    words = String(cleaned)
    guard words.count <= SpokenText.longest else { throw .tooLong }
    // A text without a letter of the language is in the words of another one, as English names of steps
    // are everywhere.
    let script =
      letters.isEmpty || letters[language.script] != nil
      ? language.script
      : SpeechLanguage.Script.allCases.max { letters[$0, default: 0] < letters[$1, default: 0] }
        ?? language.script
    // All voices know Latin letters; other foreign ones they would spell.
    guard letters.keys.allSatisfy({ $0 == script || $0 == .latin }) else { throw .unreadable }
    voice =
      script == language.script
      ? language.voice : SpeechLanguage.voice(reading: script) ?? language.voice
  }

  private enum Kind {
    /// A letter, of no script that a voice reads if nil.
    case letter(SpeechLanguage.Script?)
    case digit
    /// A mark of the letter before it.
    case mark
    /// A sign that is said, or that makes a pause.
    case sign
    /// It is dropped without separating words.
    case nothing
    case separator
  }

  /// Signs that every voice says or that shape its speech. Hyphens are not among them: between digits
  /// they would be said.
  private static let signs: Set<Unicode.Scalar> = [
    "'", "’", ",", ".", "!", "?", "&", "+", "%", "°", "×", "、", "。",
  ]

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    if signs.contains(scalar) { return .sign }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      return .letter(script(of: scalar))
    case .decimalNumber: return scalar.isASCII ? .digit : .letter(nil)
    // Of the other numbers the voices know the fractions.
    case .otherNumber, .letterNumber:
      return "½¼¾".unicodeScalars.contains(scalar) ? .digit : .separator
    case .nonspacingMark: return isVariation(scalar) ? .nothing : .mark
    case .spacingMark: return .mark
    case .format: return .nothing
    default: return .separator
    }
  }

  /// Whether it chooses the look of the emoji or character before it.
  private static func isVariation(_ scalar: Unicode.Scalar) -> Bool {
    (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
  }

  private static func script(of scalar: Unicode.Scalar) -> SpeechLanguage.Script? {
    switch scalar.value {
    case 0x41...0x24F, 0x1E00...0x1EFF: .latin
    // A modifier of several scripts, as an apostrophe in Ukrainian or Catalan.
    case 0x2B0...0x2FF: .latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
    case 0x400...0x52F: .cyrillic
    case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: .kana
    case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: .hangul
    default: nil
    }
  }

  /// Returns the plain form of a letter, digit or sign as wide as a Japanese one.
  private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }
}
