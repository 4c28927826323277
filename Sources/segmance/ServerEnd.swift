// The end of a server: a signal stops it, a restore restarts it, another server replaces it. The end of a
// standby's waiting, too.

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Waits for a signal or for a request of the server.
///
/// The signals are blocked from the start, so that an early one stays pending; a dispatch source
/// would miss it until it is active. Threads that start later inherit the mask, and so does the
/// program after a restart.
struct ServerEnd {
  enum Reason: Sendable {
    case stop
    /// A restored library is to be opened.
    case restart
    /// A standby may open the library.
    case takeOver
    /// Another server has opened the library, or may have.
    case superseded
  }

  /// Receives requests of the server.
  final class Requests: Sendable {
    fileprivate let wanted = Mutex<Reason?>(nil)

    /// Lets `wait` return. Nothing takes the place of `superseded`.
    func end(_ reason: Reason) {
      wanted.withLock { if $0 != .superseded { $0 = reason } }
      kill(getpid(), SIGUSR1)
    }
  }

  let requests = Requests()
  private var signals = sigset_t()

  init() {
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  func wait() -> Reason {
    var signals = signals
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      if number != SIGUSR1 {
        exitOnSecondInterrupt()
        return .stop
      }
      let wanted = requests.wanted.withLock { wanted in
        defer { wanted = nil }
        return wanted
      }
      if let wanted { return wanted }
    }
  }
}

extension ServerEnd {
  /// Exits at once at the next Ctrl+C. The library stays intact at any moment.
  private func exitOnSecondInterrupt() {
    // A queue of its own: all other threads may be busy.
    DispatchQueue(label: "segmance.impatience").async {
      var interrupt = sigset_t()
      sigemptyset(&interrupt)
      sigaddset(&interrupt, SIGINT)
      var number: Int32 = 0
      while sigwait(&interrupt, &number) != 0 {}
      _exit(128 + SIGINT)
    }
  }
}

/// Restarts this program by exec, so that nothing of the previous library stays in memory.
enum Restart {
  /// Executes this program again with the same arguments and port, and with the network off if it was
  /// switched off since.
  ///
  /// - Throws: `CommandFailure` when the system does not allow it.
  static func run(port: Int, isNetworkOn: Bool) throws -> Never {
    // Without --open, as a browser is open; without --lan, the network stays as it was chosen.
    let done = isNetworkOn ? ["--open"] : ["--open", "--lan"]
    // The last option wins.
    let words = CommandLine.arguments.filter { !done.contains($0) } + ["--port", "\(port)"]
    fflush(nil)
    var copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &copies)
    for copy in copies { free(copy) }
    throw CommandFailure(
      description: "The restored library is ready, but Segmance could not start itself again. "
        + "Start it.")
  }
}
