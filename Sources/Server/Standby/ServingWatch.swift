// Whether this server is still the one that has the library open.

import Database
import Dispatch
import HTTP
import Logging
import Synchronization
import Timing

/// Ends a server whose library another one has opened.
///
/// Each transaction finds that out by itself. What is answered from memory does not, so where a standby waits,
/// the database is asked every second.
final class ServingWatch: Sendable {
  /// How long a server answers without having been told that it is still the one, in milliseconds. Less than
  /// the 25 seconds after which PostgreSQL ends the session of a machine that vanished.
  static let limit = 15_000
  private static let interval = 1_000
  private static let silence: Int32 = 10_000

  private struct State {
    var confirmedAt: Int
    var isWatching = false
    var hasEnded = false
  }

  private let database: LibraryDatabase
  private let log: Logger
  private let timers: any Timers
  private let now: @Sendable () -> Int
  private let onEnd: @Sendable () -> Void
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "segmance.serving", qos: .userInitiated)

  /// Makes a watch that calls `onEnd` when this server has to end. `now` returns milliseconds that only
  /// increase.
  init(
    database: LibraryDatabase, log: Logger, timers: any Timers,
    now: @escaping @Sendable () -> Int = ServingWatch.now, onEnd: @escaping @Sendable () -> Void
  ) {
    self.database = database
    self.log = log
    self.timers = timers
    self.now = now
    self.onEnd = onEnd
    state = Mutex(State(confirmedAt: now()))
    database.whenSuperseded { [weak self] in self?.end("library.superseded") }
  }

  /// Whether this server may answer.
  var isServing: Bool {
    let now = now()
    return state.withLock { state in
      !state.hasEnded && (!state.isWatching || now - state.confirmedAt < ServingWatch.limit)
    }
  }

  /// Begins to ask every second.
  func start() {
    begin()
    ask()
  }

  /// Requires from now on that the database is asked.
  func begin() {
    let now = now()
    state.withLock { state in
      state.isWatching = true
      state.confirmedAt = now
    }
  }

  /// Ends asking.
  func stop() { state.withLock { $0.isWatching = false } }

  private func ask() {
    timers.after(ServingWatch.interval, on: queue) { [weak self] in
      guard let self, state.withLock({ $0.isWatching && !$0.hasEnded }) else { return }
      check()
      ask()
    }
  }

  /// Asks once.
  func check() {
    let asked = now()
    var isKept = false
    do {
      isKept = try database.keepsOthersOut(silenceMilliseconds: ServingWatch.silence)
    } catch {
      // That the server is away is told by the requests that fail. It counts as not confirmed.
    }
    if isKept { state.withLock { $0.confirmedAt = asked } }
    if !isServing { end("library.uncertain") }
  }

  private func end(_ event: StaticString) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    guard isFirst else { return }
    log.write(LogRecord(.error, event))
    onEnd()
  }

  /// Milliseconds since the machine's start.
  static func now() -> Int { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
}
