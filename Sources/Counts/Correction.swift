// What a person corrected in the counts of a track.

/// A person's correction of a track's counts. `Grid` applies corrections by rising order, then id.
///
/// Any values are safe: what can't be meant is clamped or ignored, as each kind says.
public struct Correction: Sendable, Equatable {
  /// What a correction does. A frame outside the track is clamped to it. "The nearest beat" is the
  /// nearest in the track after all earlier corrections, the earlier of two. A grid without beats
  /// ignores all but `taps`, `tempo` and `noCounts`.
  public enum Kind: Int32, CaseIterable, Sendable {
    /// A person tapped along. Taps outside `frame`…`end` don't count. The tapped tempo is a line
    /// through the taps (`TapFit`); if there is none, the correction is ignored.
    ///
    /// Where analysed beats have the tapped tempo, or half or twice of it, within 4 %, they are kept,
    /// up to the next tempo that a person set: halved or doubled, and moved by half a beat or more
    /// exactly if the taps lie more than a fifth of a beat beside them. Counts stay as they are.
    /// Elsewhere steady beats replace what follows the first tap, up to the next tempo that a person
    /// set. The first tap starts an eight there, unless a `one` says otherwise.
    case taps
    /// The beat nearest to `frame` is count 1. It rules from there to the next `one`, and back to the
    /// previous `one` or the start, but not beyond a change of metre. It replaces an earlier `one` that
    /// lies less than a bar away. What the analysis says of bars and eights no longer counts there.
    case one
    /// All counts move `value` beats later; earlier if negative. Beats stay. Clamped to ±64.
    case nudgeBeats
    /// All beats move `value` frames later; earlier if negative. Clamped to ±10 seconds.
    case nudgeFrames
    /// Every second beat is dropped, so that counts 1 stay. Ignored if the tempo fell below 20.
    case halve
    /// A beat is added halfway between two. Ignored if the tempo rose above 400.
    case double
    /// The metre is `value` (2…7, else ignored) from the beat nearest to `frame` to the next beat
    /// where a person set a metre. That beat starts an eight if eights have another length than those
    /// of the analysis, unless a `one` says otherwise.
    case metre
    /// Beats are steady, at `value` beats a minute, from the beat nearest to `frame` to the next beat
    /// where a person set a tempo; counts go on. Clamped to 20…400, ignored if not positive. In a grid
    /// without beats, the first one is at `frame`.
    case tempo
    /// There are no counts from `frame` up to, but without, `end`. Counting goes on below: what
    /// follows has the count that it had. Ignored where no beat lies between.
    case noCounts
  }

  /// The id of a correction: a UUID in two halves.
  public struct ID: Sendable, Hashable, Comparable {
    var high: UInt64
    var low: UInt64

    /// Makes an id of the halves of a UUID.
    public init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    /// Makes an id of the text of a UUID; nil if `text` has not 32 hexadecimal digits.
    public init?(utf8 text: some Sequence<UInt8>) {
      var digits = 0
      self.init(high: 0, low: 0)
      for byte in text where byte != UInt8(ascii: "-") {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: return nil
        }
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(digit)
        digits += 1
        guard digits <= 32 else { return nil }
      }
      guard digits == 32 else { return nil }
    }

    public static func < (left: ID, right: ID) -> Bool {
      (left.high, left.low) < (right.high, right.low)
    }
  }

  /// The id of its record; unique.
  public var id: ID
  /// Its place in the order in which corrections are applied.
  public var order: Int64
  /// What it does.
  public var kind: Kind
  /// The frame at which it begins.
  public var frame: Int
  /// The frame at which it ends; only of `taps` and `noCounts`.
  public var end: Int
  /// A number of beats or frames, a metre or a tempo, as the kind says.
  public var value: Double
  /// The frames of the taps, in any order. At most `mostTaps` are used: the first.
  public var taps: [Int]

  /// The largest number of taps that a correction uses.
  public static let mostTaps = 512
  /// The largest number of corrections that a grid applies: the last by order.
  public static let mostApplied = 1_000

  /// Makes a correction.
  public init(
    id: ID, order: Int64, kind: Kind, frame: Int = 0, end: Int = 0, value: Double = 0,
    taps: [Int] = []
  ) {
    self.id = id
    self.order = order
    self.kind = kind
    self.frame = frame
    self.end = end
    self.value = value
    self.taps = taps
  }

  /// Returns the frames that stand in `text` in decimal digits with spaces between: the first
  /// `mostTaps`. What is no frame of any track is left out.
  public static func taps(utf8 text: some Sequence<UInt8>) -> [Int] {
    var taps: [Int] = []
    /// The number so far; nil between two, -1 for a word that is none.
    var number: Int64?
    func end() {
      if let frame = number, frame >= 0, taps.count < mostTaps { taps.append(Int(frame)) }
      number = nil
    }
    for byte in text {
      if byte == UInt8(ascii: " ") {
        end()
      } else if number ?? 0 >= 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        // Never near an overflow, and WebAssembly has no multiplication that would notice one.
        let next = (number ?? 0) &* 10 &+ Int64(byte - UInt8(ascii: "0"))
        number = next <= Int64(Grid.longestTrackFrames) ? next : -1
      } else {
        number = -1
      }
    }
    end()
    return taps
  }

  /// Returns the corrections that count, in the order in which they are applied.
  static func applied(of corrections: [Correction]) -> ArraySlice<Correction> {
    corrections.sorted { ($0.order, $0.id) < ($1.order, $1.id) }.suffix(mostApplied)
  }
}
