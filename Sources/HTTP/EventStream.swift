// One subscriber's server-sent events: what waits to be sent, bounded, and who is woken by more.

import Synchronization

/// Carries events to one client until one side closes.
public final class EventStream: BodyStream {
  private struct State {
    var pending: [UInt8]
    var isClosed = false
    var wake: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  private let limit: Int
  private let onEnd: @Sendable (EventStream) -> Void

  /// Makes a stream that holds at most `limit` bytes and calls `onEnd` when its reader is gone.
  init(
    initial: [UInt8], limit: Int, onEnd: @escaping @Sendable (EventStream) -> Void = { _ in }
  ) {
    state = Mutex(State(pending: initial))
    self.limit = limit
    self.onEnd = onEnd
  }

  /// Adds bytes; closes the stream and returns false when its reader is too slow or gone.
  func append(_ bytes: [UInt8]) -> Bool {
    let (accepted, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard !state.isClosed else { return (false, nil) }
      if state.pending.count + bytes.count > limit {
        state.isClosed = true
      } else {
        state.pending += bytes
      }
      defer { state.wake = nil }
      return (!state.isClosed, state.wake)
    }
    wake?()
    return accepted
  }

  /// Ends the stream; what is pending is still sent.
  func close() {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      state.isClosed = true
      defer { state.wake = nil }
      return state.wake
    }
    wake?()
  }

  /// Tells the writer that there is no reader any more.
  func abandon() {
    close()
    onEnd(self)
  }

  /// Moves pending bytes to `buffer`. Where there are none, `wait` runs with the stream locked and
  /// returns what wakes the reader, so that no event can fall between the two.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, wait: () -> @Sendable () -> Void
  ) -> ReadResult {
    state.withLock { state in
      if state.pending.isEmpty {
        if state.isClosed { return .ended }
        state.wake = wait()
        return .waiting
      }
      let count = min(buffer.count, state.pending.count)
      buffer.copyBytes(from: state.pending[..<count])
      state.pending.removeFirst(count)
      return .copied(count)
    }
  }

  /// Tells whether the stream has ended.
  public var isClosed: Bool { state.withLock { $0.isClosed } }
}
