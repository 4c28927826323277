// A body that is produced while it is sent, such as a backup. The producer waits for the reader.

import Dispatch
import Synchronization

/// A bounded pipe of bytes from a producer to one connection.
public final class ByteStream: Sendable {
  /// Thrown to the producer when the reader is gone.
  public struct ReaderIsGone: Error {}

  private enum Stage {
    case waiting, producing, ended, failed, abandoned
  }

  private struct State {
    var stage = Stage.waiting
    var pieces: [[UInt8]] = []
    var head = 0
    /// Bytes in `pieces` that were not read yet.
    var count = 0
    /// The newest piece. It is held back, as it may be the last one, which is sent only after `produce`
    /// and `end` have returned.
    var newest: [UInt8] = []
    var isProducerWaiting = false
    var wake: (@Sendable () -> Void)?

    mutating func releaseNewest() {
      guard !newest.isEmpty else { return }
      count += newest.count
      pieces.append(newest)
      newest = []
    }
  }

  private let state = Mutex(State())
  private let limit: Int
  private let room = DispatchSemaphore(value: 0)
  private let produce: @Sendable (ByteStream) throws -> Void
  private let end: @Sendable ((any Error)?) -> Void

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - limit: how many bytes may wait for the reader.
  ///   - produce: writes all bytes. It runs on its own thread from the first read on.
  ///   - end: is called exactly once after the last write, with the error if there was one.
  public init(
    limit: Int = 1 << 20, produce: @escaping @Sendable (ByteStream) throws -> Void,
    end: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.limit = limit
    self.produce = produce
    self.end = end
  }

  /// Adds bytes. Blocks while `limit` bytes are unread.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard !bytes.isEmpty else { return }
    while true {
      let (isTaken, wake) = try state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
        guard state.stage == .producing else { throw ReaderIsGone() }
        guard state.count < limit else {
          state.isProducerWaiting = true
          return (false, nil)
        }
        state.releaseNewest()
        state.newest = [UInt8](bytes)
        defer { state.wake = nil }
        return (true, state.wake)
      }
      wake?()
      if isTaken { return }
      room.wait()
    }
  }

  private func start() {
    DispatchQueue.global(qos: .utility).async { [self] in
      var failure: (any Error)?
      do {
        try produce(self)
      } catch {
        failure = error
      }
      // Before the last piece is released: its reader finds everything ended.
      end(failure)
      let wake = state.withLock { state -> (@Sendable () -> Void)? in
        if state.stage == .producing {
          // After an error the last piece is dropped, so that the body never looks complete.
          if failure == nil { state.releaseNewest() }
          state.stage = failure == nil ? .ended : .failed
        }
        defer { state.wake = nil }
        return state.wake
      }
      wake?()
    }
  }
}

extension ByteStream: BodyStream {
  func read(
    into buffer: UnsafeMutableRawBufferPointer, wait: () -> @Sendable () -> Void
  ) -> ReadResult {
    let (reading, starts, signals) = state.withLock { state -> (ReadResult, Bool, Bool) in
      let starts = state.stage == .waiting
      if starts { state.stage = .producing }
      guard let piece = state.pieces.first else {
        switch state.stage {
        case .ended: return (.ended, false, false)
        case .failed, .abandoned: return (.failed, false, false)
        case .waiting, .producing:
          state.wake = wait()
          return (.waiting, starts, false)
        }
      }
      let count = min(buffer.count, piece.count - state.head)
      buffer.copyBytes(from: piece[state.head..<state.head + count])
      state.head += count
      state.count -= count
      if state.head == piece.count {
        state.pieces.removeFirst()
        state.head = 0
      }
      let signals = state.isProducerWaiting && state.count <= limit / 2
      if signals { state.isProducerWaiting = false }
      return (.copied(count), starts, signals)
    }
    if signals { room.signal() }
    if starts { start() }
    return reading
  }

  /// Aborts the body: the reader sees that it is incomplete.
  func close() {
    let (wake, neverBegan) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
      let before = state.stage
      guard before == .waiting || before == .producing else { return (nil, false) }
      state.stage = .abandoned
      state.pieces = []
      state.newest = []
      if state.isProducerWaiting {
        state.isProducerWaiting = false
        room.signal()
      }
      defer { state.wake = nil }
      return (state.wake, before == .waiting)
    }
    wake?()
    if neverBegan { end(nil) }
  }

  func abandon() { close() }
}
