// Time stamps of edits: hybrid logical clock stamps (Kulkarni et al., "Logical Physical Clocks",
// 2014), and the clock that makes them.

import Text

/// A time stamp of one device, ordered as text: `<13-digit ms>-<4 hex counter>-<8 hex device>`.
public struct Stamp: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The canonical text, which is also the order.
  public let description: String

  /// Reads a stamp; nil if `text` is not one.
  public init?(_ text: String) {
    guard text.utf8.count == 27 else { return nil }
    for (index, byte) in text.utf8.enumerated() {
      switch index {
      case 0..<13: guard (48...57).contains(byte) else { return nil }
      case 13, 18: guard byte == UInt8(ascii: "-") else { return nil }
      default: guard Identifier.isLowerHex(byte) else { return nil }
      }
    }
    description = text
  }

  /// Makes a stamp from its parts; `milliseconds` since 1970, below 10^13.
  public init(milliseconds: Int, counter: UInt16, device: UInt32) {
    let time = min(max(0, milliseconds), 9_999_999_999_999).padded(to: 13)
    description =
      "\(time)-\(counter.padded(to: 4, radix: 16))-\(device.padded(to: 8, radix: 16))"
  }

  /// Milliseconds since 1970.
  public var milliseconds: Int { Int(description.prefix(13)) ?? 0 }

  /// How many stamps this device had made in the same millisecond.
  public var counter: UInt16 { UInt16(description.dropFirst(14).prefix(4), radix: 16) ?? 0 }

  /// The device that made it, as eight hexadecimal digits.
  public var deviceName: String { String(description.suffix(8)) }

  public static func < (left: Stamp, right: Stamp) -> Bool {
    left.description < right.description
  }
}

/// A hybrid logical clock: each stamp is later than every one that it made or observed.
public struct HybridClock: Sendable {
  private let device: UInt32
  private var milliseconds = 0
  private var counter: UInt16 = 0

  /// Makes the clock of `device`.
  public init(device: UInt32) {
    self.device = device
  }

  /// Observes a stamp of another device, so that later ones follow it.
  public mutating func observe(_ stamp: Stamp) {
    let (time, count) = (stamp.milliseconds, stamp.counter)
    guard time > milliseconds || (time == milliseconds && count > counter) else { return }
    (milliseconds, counter) = (time, count)
  }

  /// Returns the next stamp; `now` is the wall clock in milliseconds since 1970.
  public mutating func next(now: Int) -> Stamp {
    if now > milliseconds {
      (milliseconds, counter) = (now, 0)
    } else if counter == .max {
      (milliseconds, counter) = (milliseconds + 1, 0)
    } else {
      counter += 1
    }
    return Stamp(milliseconds: milliseconds, counter: counter, device: device)
  }

  /// The latest time that a stamp from elsewhere may have, in milliseconds since 1970: one day ahead
  /// of the wall clock `now`, as a device's clock may be wrong. Where the stamps seen here are further
  /// ahead, because this machine's clock once was, those from elsewhere go on from there.
  public func latestAccepted(now: Int) -> Int {
    let tolerated = now + 86_400_000
    return milliseconds > tolerated ? milliseconds + 60_000 : tolerated
  }

  /// What the clock shows: not before the wall clock `now`, in milliseconds since 1970, nor before any
  /// stamp made or seen. Reading it makes no stamp.
  public func time(now: Int) -> Stamp {
    Stamp(
      milliseconds: max(milliseconds, now), counter: now > milliseconds ? 0 : counter,
      device: device)
  }
}
