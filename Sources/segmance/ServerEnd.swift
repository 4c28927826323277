// Why and how a server ends: a signal stops it, a restored library starts it anew.

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Waits for what ends a server: the usual signals, or a request from inside.
///
/// The signals are blocked from the start, so that one that comes early waits as well; a dispatch
/// source takes a moment to be there, and what came before was lost. Threads that start later
/// inherit this, and so does the program that a restart puts in this one's place.
struct ServerEnd {
  enum Reason { case stop, restart }

  /// Takes requests. Threads: any.
  final class Requests: Sendable {
    fileprivate let wantsRestart = Atomic(false)

    /// Asks the server to end, so that it is started again.
    func restart() {
      wantsRestart.store(true, ordering: .releasing)
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
        hearImpatience()
        return .stop
      }
      if requests.wantsRestart.load(ordering: .acquiring) { return .restart }
    }
  }
}

extension ServerEnd {
  /// Ends the process at once at the next Ctrl+C; the library bears that at any moment.
  private func hearImpatience() {
    // A queue of its own: the others' threads may all be busy with what is to end.
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

/// Starts this program again in its own place: nothing of the library before can linger in memory.
enum Restart {
  /// Replaces the process by itself with the words it was started with, at the port that it had, and
  /// with the network off if it was switched off since.
  ///
  /// - Throws: `CommandFailure` when the system does not allow it.
  static func run(port: Int, isNetworkOn: Bool) throws -> Never {
    // A browser was opened already; without --lan, the network stays as it was chosen.
    let done = isNetworkOn ? ["--open"] : ["--open", "--lan"]
    // The later word wins.
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
