// Writes log lines without waiting long for the reader.

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Writes events as lines to a file descriptor, each with one system call, so that lines do not
/// mix.
///
/// A paused terminal or a full pipe is not an error: a write to it blocks indefinitely. So all
/// writes are done on a separate thread. Normally a line is written when `write` returns.
final class LogSink: Sendable {
  private struct State {
    var waiting = 0
    var leftOut = 0
    /// The reader is blocked. Nobody waits for it until it has read everything.
    var isStuck = false
  }

  /// The maximum number of lines that wait for a blocked reader. Later lines are dropped and
  /// counted.
  static let waitingLimit = 256
  private static let patience = DispatchTimeInterval.milliseconds(200)

  private let format: LogFormat
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "segmance.log")
  private let state = Mutex(State())

  init(_ format: LogFormat, to descriptor: Int32) {
    self.format = format
    self.descriptor = descriptor
  }

  /// Writes an event, or queues it for a blocked reader.
  func write(_ event: LogRecord) {
    let written = DispatchSemaphore(value: 0)
    let waits = state.withLock { state in
      guard state.waiting < LogSink.waitingLimit else {
        state.leftOut += 1
        return false
      }
      var events = [event]
      if state.leftOut > 0 {
        let count = LogRecord.Value.integer(state.leftOut)
        events.insert(LogRecord(.warning, "log.interrupted", ["leftOut": count]), at: 0)
        state.leftOut = 0
      }
      let text = events.map { format.line($0, at: Date()) + "\n" }.joined()
      state.waiting += 1
      // Queued under the lock, so that lines are in the order of their times.
      queue.async {
        self.put(text)
        self.state.withLock { state in
          state.waiting -= 1
          if state.waiting == 0 { state.isStuck = false }
        }
        written.signal()
      }
      return !state.isStuck
    }
    guard waits, written.wait(timeout: .now() + LogSink.patience) == .timedOut else { return }
    state.withLock { if $0.waiting > 0 { $0.isStuck = true } }
  }

  /// A line that cannot be written is dropped: a log must never stop the server.
  private func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = Glibc.write(descriptor, base, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}
