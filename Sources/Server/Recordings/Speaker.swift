// Says names for the caller, a few at a time.

import Dispatch
import Media
import Speech

/// Lets the speech program say names.
final class Speaker: Sendable {
  /// How many names are said at once, and how many requests may wait for that.
  private static let mostAtOnce = 2
  private static let mostWaiting = 4

  private let tools: MediaTools
  private let turns = DispatchSemaphore(value: Speaker.mostAtOnce)
  private let requests = ConcurrencyLimit()

  init(tools: MediaTools) { self.tools = tools }

  /// Returns the voice file of a text, with one recording.
  ///
  /// - Throws: `LibraryError` `unusable` if the text can't be said; `busy` if many wait already;
  ///   `MediaError`.
  func voiceFile(of text: String, in language: SpeechLanguage) throws -> [UInt8] {
    let spoken: SpokenText
    do {
      spoken = try SpokenText(text, in: language)
    } catch {
      throw LibraryError(.unusable, error.sentence)
    }
    guard requests.begin(limit: Speaker.mostAtOnce + Speaker.mostWaiting) else {
      throw LibraryError(
        .busy(retryAfterSeconds: 1), "Many names are being said. Try again in a moment.")
    }
    defer { requests.end() }
    turns.wait()
    defer { turns.signal() }
    return Speech.voiceFile(of: [try tools.say(spoken, isCancelled: { false })])
  }
}

extension SpokenText.Refusal {
  /// What the performer is told.
  var sentence: String {
    switch self {
    case .nothingToSay: "There is nothing to say in this name: it has no letters and no digits."
    case .tooLong: "This is too long to be said: at most \(SpokenText.longest) characters."
    case .unreadable:
      "The speech program can't read some of these characters. Record the name, or write it in "
        + "other letters."
    }
  }
}
