// Ctrl+C during long work: the work stops and removes its files.

import Dispatch
import Glibc
import Synchronization

/// Catches interrupts from its creation on.
final class Interruption {
  /// Whether the work should stop.
  final class Flag: Sendable {
    private let isSet = Atomic(false)

    var isUp: Bool { isSet.load(ordering: .relaxed) }

    func raise() { isSet.store(true, ordering: .relaxed) }
  }

  let flag = Flag()
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [flag] in flag.raise() }
      source.resume()
      sources.append(source)
    }
  }
}
