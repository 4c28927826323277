// Why and how a server ends: a signal stops it, a restored library starts it anew.

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Waits for what ends a server: the usual signals, or a request from inside.
final class ServerEnd {
  enum Reason { case stop, restart }

  /// Takes requests. Threads: any.
  final class Requests: Sendable {
    fileprivate let semaphore = DispatchSemaphore(value: 0)
    fileprivate let reason = Mutex(Reason.stop)

    /// Asks the server to end; of several reasons the last counts.
    func add(_ reason: Reason) {
      self.reason.withLock { $0 = reason }
      semaphore.signal()
    }
  }

  let requests = Requests()
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [requests] in requests.add(.stop) }
      source.resume()
      sources.append(source)
    }
  }

  func wait() -> Reason {
    requests.semaphore.wait()
    return requests.reason.withLock { $0 }
  }
}

/// Starts this program again in its own place: nothing of the library before can linger in memory.
enum Restart {
  /// Replaces the process by itself with the words it was started with, at the port that it had.
  ///
  /// - Throws: `CommandFailure` when the system does not allow it.
  static func run(port: Int) throws -> Never {
    // The later word wins; a browser was opened already.
    let words = CommandLine.arguments.filter { $0 != "--open" } + ["--port", "\(port)"]
    fflush(nil)
    var copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &copies)
    for copy in copies { free(copy) }
    throw CommandFailure(
      description: "The restored library is ready, but Segmance could not start itself again. "
        + "Start it.")
  }
}
