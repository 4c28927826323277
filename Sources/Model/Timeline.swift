// The practice timeline: every time in the system is a whole number of frames at one rate.

import Text

/// The one clock of the library, and how its times are written for people.
public enum Timeline {
  /// Frames in a second.
  public static let framesPerSecond = 48_000
  /// Frames in one chunk of a practice rendition: ten seconds.
  public static let chunkFrames = 480_000
  /// The longest track that is accepted, in frames: twelve hours.
  public static let longestTrackFrames = 12 * 3600 * framesPerSecond

  /// Returns the number of chunks that hold `lengthFrames` frames.
  public static func chunkCount(lengthFrames: Int) -> Int {
    (lengthFrames + chunkFrames - 1) / chunkFrames
  }

  /// Returns the frame that `text` names, or nil when it is no time.
  ///
  /// Read as `[[hh:]mm:]ss[.fff…]`, minutes and seconds below 60 unless they come first, rounded to
  /// the nearest frame; or as `frames:N`.
  public static func frame(parsing text: String) -> Int? {
    if text.hasPrefix("frames:") {
      let number = text.dropFirst("frames:".count)
      guard number.utf8.allSatisfy({ (48...57).contains($0) }), let frame = Int(number),
        frame < limitFrames
      else { return nil }
      return frame
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var whole = 0
    for (index, part) in parts.dropLast().enumerated() {
      guard let value = digits(part), index == 0 || value < 60 else { return nil }
      whole = whole * 60 + value
    }
    let last = parts[parts.count - 1].split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(last.count), let seconds = digits(last[0]),
      parts.count == 1 || seconds < 60
    else { return nil }
    whole = whole * 60 + seconds
    var frames = whole * framesPerSecond
    if last.count == 2 {
      guard let fraction = digits(last[1]), last[1].count <= 9 else { return nil }
      var scale = 1
      for _ in 0..<last[1].count { scale *= 10 }
      frames += (fraction * framesPerSecond + scale / 2) / scale
    }
    return frames < limitFrames ? frames : nil
  }

  /// Written, and so rounded to a millisecond, this frame would have a digit more than can be read.
  private static let limitFrames =
    1_000_000_000 * 3_600 * framesPerSecond - framesPerSecond / 2_000

  /// Returns `frame` as `mm:ss.fff`, with hours in front from one hour on.
  public static func text(frame: Int) -> String {
    let (whole, rest) = frame.quotientAndRemainder(dividingBy: framesPerSecond)
    let milliseconds = whole * 1000 + (rest * 1000 + framesPerSecond / 2) / framesPerSecond
    let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
    let seconds =
      "\((milliseconds / 1000 % 60).padded(to: 2)).\((milliseconds % 1000).padded(to: 3))"
    let short = "\(minutes.padded(to: 2)):\(seconds)"
    return hours > 0 ? "\(hours):\(short)" : short
  }

  /// Returns `frame` as `m:ss`, with hours in front from one hour on, rounded down: as the client's clock.
  public static func clock(frame: Int) -> String {
    let seconds = frame / framesPerSecond
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, (seconds % 60).padded(to: 2))
    return hours > 0 ? "\(hours):\(minutes.padded(to: 2)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }
}
