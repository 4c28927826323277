// A clock and timers that stand until a test turns them.

import Dispatch
import Synchronization
import Timing

/// A clock that a test sets. What waits for a time runs when `advance` comes to that time, and not before.
public final class TestClock: Sendable {
  private struct Work {
    let due: Int
    let queue: DispatchQueue
    let work: @Sendable () -> Void
  }

  private struct State {
    var time: Int
    /// In the order in which it was scheduled.
    var waiting: [Work] = []

    /// Takes out what is due first until `end`, and sets the clock to its time.
    mutating func next(until end: Int) -> Work? {
      let index = waiting.indices.filter { waiting[$0].due <= end }
        .min { (waiting[$0].due, $0) < (waiting[$1].due, $1) }
      guard let index else { return nil }
      let work = waiting.remove(at: index)
      // A clock that was set back finds work that has been due since.
      time = max(time, work.due)
      return work
    }
  }

  private let state: Mutex<State>

  /// Makes a clock that shows a time.
  public init(_ milliseconds: Int = 1_800_000_000_000) {
    state = Mutex(State(time: milliseconds))
  }

  /// Tells the time in milliseconds.
  public var now: @Sendable () -> Int { { self.uptime } }

  /// Turns the clock, also back, and returns when all has run that is due by then, each at its time.
  public func advance(_ milliseconds: Int) {
    let end = state.withLock { $0.time } + milliseconds
    while let next = state.withLock({ $0.next(until: end) }) { next.queue.sync(execute: next.work) }
    state.withLock { $0.time = end }
  }
}

extension TestClock: Timers {
  public var uptime: Int { state.withLock { $0.time } }

  public func after(
    _ milliseconds: Int, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) {
    // What is due at once waits for no clock.
    guard milliseconds > 0 else { return queue.async(execute: work) }
    state.withLock { state in
      state.waiting.append(Work(due: state.time + milliseconds, queue: queue, work: work))
    }
  }

  public func patience(_ milliseconds: Int) -> Int { Patience.seconds * 1_000 }
}
