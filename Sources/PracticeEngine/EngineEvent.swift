// The events of an engine, and the fixed queue that holds them until they are fetched.

/// An event, with its frame of the engine's clock.
public struct EngineEvent: Equatable, Sendable {
  /// The kind of event; the raw values are those of the wire.
  public enum Kind: Int32, CaseIterable, Sendable {
    /// Audio starts at this frame.
    case started
    /// A tick starts; `value` is its number: the whole seconds left, or the count.
    case tick
    /// Playback reached the loop's end; `value` is the number of repeats begun so far.
    case looped
    /// The part was played to its end.
    case ended
    /// Data is missing; `value` is the missing frame of the track.
    case starved
  }

  public var kind: Kind
  public var value: Int
  /// The frame of the engine's own clock, which counts every frame rendered since the engine was
  /// created.
  public var clock: Int64
}

/// Keeps the latest events until they are fetched; when it is full, the oldest are dropped.
struct EventRing: ~Copyable {
  static let capacity = 64

  // Unsafe so that rendering records events without reference counting. The ring alone owns it;
  // every index is taken modulo the capacity.
  private let events: UnsafeMutablePointer<EngineEvent>
  private var first = 0
  private(set) var count = 0

  init() {
    events = .allocate(capacity: Self.capacity)
    events.initialize(
      repeating: EngineEvent(kind: .started, value: 0, clock: 0), count: Self.capacity)
  }

  deinit { events.deallocate() }

  mutating func append(_ event: EngineEvent) {
    events[(first + count) % Self.capacity] = event
    if count < Self.capacity { count += 1 } else { first = (first + 1) % Self.capacity }
  }

  mutating func next() -> EngineEvent? {
    guard count > 0 else { return nil }
    let event = events[first]
    first = (first + 1) % Self.capacity
    count -= 1
    return event
  }
}
