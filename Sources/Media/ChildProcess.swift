// Runs another program: arguments as an array and never a shell, pipes that cannot deadlock, and a
// process group of its own that is killed together with the job.

import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A program with its arguments and limits.
struct Command: Sendable {
  /// The absolute path of the program and its arguments.
  var arguments: [String]
  var hasInput = false
  var hasOutput = false
  /// The time limit in wall-clock seconds, enforced by timeout(1).
  var seconds: Int?
}

/// A running program. Not thread-safe: the thread that started it reads, writes and ends it.
final class ChildProcess {
  /// How a program ended.
  enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)

    var isSuccess: Bool { self == .exited(0) }
  }

  private static let tailLimit = 8_192

  private let processId: pid_t
  private var input: Int32
  private var output: Int32
  private var messages: Int32
  private var tail: [UInt8] = []
  /// timeout(1) uses the same clock, which stops while the computer sleeps.
  private let started = SuspendingClock.now
  private let seconds: Int?
  private(set) var ending: Ending?
  private var isGivenUp = false
  /// Whether another process killed it well before its time limit, usually the kernel when memory
  /// runs out.
  private(set) var wasKilledEarly = false

  /// The last kilobytes of what the program wrote to its standard error.
  var messageTail: String { String(decoding: tail, as: UTF8.self) }

  /// The exit status and the last messages, for the log.
  var report: String { "\(ending.map { "\($0)" } ?? "running"); " + messageTail.suffix(2_000) }

  init(_ command: Command) throws {
    let pipes = try Pipes(command)
    seconds = command.seconds
    do {
      processId = try Self.spawn(command, pipes)
    } catch {
      pipes.closeAll()
      throw error
    }
    pipes.closeTheirs()
    (input, output, messages) = (pipes.input.ours, pipes.output.ours, pipes.messages.ours)
  }

  deinit {
    if ending == nil {
      // An error path abandoned the process. Its children must not write to its folder after this
      // object is gone, so deinit waits until its pipes are closed. A deinit cannot throw the
      // error.
      kill()
      _ = try? finish(isCancelled: { false })
    }
    for descriptor in [input, output, messages] where descriptor >= 0 { close(descriptor) }
  }

  /// Reads output into `buffer`; returns 0 at the end. Polls `isCancelled` at least five times a
  /// second.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, isCancelled: () -> Bool
  ) throws -> Int {
    while true {
      if isCancelled() { throw MediaError.cancelled }
      let count = Glibc.read(output, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EAGAIN || errno == EINTR else { throw StorageError.system("read", "pipe") }
      try wait(for: output, POLLIN)
    }
  }

  /// Writes all of `bytes` to the program's input. Throws `toolFailed` when the program has closed
  /// its input.
  func write(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      if isCancelled() { throw MediaError.cancelled }
      let count = send(input, base, rest.count, Int32(MSG_NOSIGNAL))
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN || errno == EINTR {
        try wait(for: input, POLLOUT)
      } else {
        kill()
        _ = try finish(isCancelled: { false })
        throw MediaError.writingFailed(self)
      }
    }
  }

  /// Closes the program's input.
  func closeInput() {
    guard input >= 0 else { return }
    close(input)
    input = -1
  }

  /// Waits until the program has ended. Drops the remaining output and keeps the messages.
  func finish(isCancelled: () -> Bool) throws -> Ending {
    closeInput()
    if let ending { return ending }
    let scrap = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { scrap.deallocate() }
    if output >= 0 {
      while try read(into: scrap, isCancelled: isCancelled) > 0 {}
    }
    while messages >= 0 {
      if isCancelled() { throw MediaError.cancelled }
      try wait(for: -1, 0)
    }
    return try reap()
  }

  /// Kills the program's process group.
  func kill() {
    guard ending == nil else { return }
    isGivenUp = true
    Glibc.kill(-processId, SIGKILL)
  }

  /// Waits a fifth of a second for `descriptor`, and reads the program's messages meanwhile.
  private func wait(for descriptor: Int32, _ events: Int32) throws {
    var polled = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: messages, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, 2, 200) >= 0 || errno == EINTR else {
      throw StorageError.system("poll", "pipe")
    }
    if polled[1].revents != 0 { drainMessages() }
  }

  private func drainMessages() {
    var piece = [UInt8](repeating: 0, count: 4_096)
    while messages >= 0 {
      let count = Glibc.read(messages, &piece, piece.count)
      if count > 0 {
        tail.append(contentsOf: piece[..<count])
        if tail.count > 2 * Self.tailLimit { tail.removeFirst(tail.count - Self.tailLimit) }
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        close(messages)
        messages = -1
      } else {
        return
      }
    }
  }

  private func reap() throws -> Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(processId, &status, 0) < 0 {
      guard errno == EINTR else { throw StorageError.system("waitpid", "\(processId)") }
    }
    let signal = status & 0x7f
    let result = signal == 0 ? Ending.exited((status >> 8) & 0xff) : .killed(signal: signal)
    ending = result
    // timeout(1) exits with 137 when its program was killed, also when timeout(1) killed it. Two
    // threads that are busy all the time reach the CPU limit in half the wall-clock time.
    if !isGivenUp, [.exited(137), .killed(signal: 9)].contains(result), let seconds {
      wasKilledEarly = SuspendingClock.now - started < .seconds(seconds) / 2
    }
    return result
  }
}

extension ChildProcess {
  /// Whether the time limit was reached: timeout(1) exits with 124, or with 137 when it had to kill
  /// the program.
  var ranOutOfTime: Bool { [.exited(124), .exited(137), .killed(signal: 9)].contains(ending) }

  /// Whether the program did not run or was asked to end. Its failure then does not mean that the
  /// file is bad.
  var saysNothingOfTheFile: Bool {
    switch ending {
    // The launchers exit with 125 to 127; 143 is a SIGTERM in the sandbox.
    case .exited(125...127), .exited(143), .killed(signal: SIGTERM): return true
    // ffmpeg prints nothing when it is asked to end, but prints a message for a bad file.
    case .exited(255) where tail.isEmpty: return true
    default: break
    }
    let starters = ["bwrap:", "timeout:", "prlimit:", "setpriv:"]
    return messageTail.split(separator: "\n").contains { line in
      starters.contains { line.hasPrefix($0) }
        || line.contains("error while loading shared libraries")
    }
  }

  /// Reads all output; returns nil when it is longer than `limit`.
  func readAll(limit: Int, isCancelled: () -> Bool) throws -> [UInt8]? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while case let count = try read(into: buffer, isCancelled: isCancelled), count > 0 {
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= limit else { return nil }
    }
    return bytes
  }

  /// Reads all output as text. Throws an error when it is longer than `limit`.
  func readText(limit: Int, isCancelled: () -> Bool) throws -> [UInt8] {
    guard let text = try readAll(limit: limit, isCancelled: isCancelled) else {
      throw MediaError(.notAudio, ImportRefusal.notAudio.message, cause: "too much output")
    }
    return text
  }

  /// The two ends of each pipe; −1 for a missing end.
  private struct Pipes {
    var input: (ours: Int32, theirs: Int32) = (-1, -1)
    var output: (ours: Int32, theirs: Int32) = (-1, -1)
    var messages: (ours: Int32, theirs: Int32) = (-1, -1)

    init(_ command: Command) throws {
      do {
        if command.hasInput {
          // A socket instead of a pipe: a write to a program that has ended is an error, not a
          // signal.
          var ends: [Int32] = [-1, -1]
          let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
          guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw StorageError.system("socketpair", "")
          }
          input = (ends[0], ends[1])
          try Self.dontBlock(input.ours)
        }
        if command.hasOutput {
          output = try Self.pipe()
          // The largest size for an unprivileged user. A smaller pipe only costs speed.
          _ = fcntl(output.ours, 1031 /* F_SETPIPE_SZ */, Int32(1 << 20))
        }
        messages = try Self.pipe()
      } catch {
        closeAll()
        throw error
      }
    }

    func closeAll() {
      closeTheirs()
      for descriptor in [input.ours, output.ours, messages.ours] where descriptor >= 0 {
        close(descriptor)
      }
    }

    func closeTheirs() {
      for descriptor in [input.theirs, output.theirs, messages.theirs] where descriptor >= 0 {
        close(descriptor)
      }
    }

    private static func pipe() throws -> (ours: Int32, theirs: Int32) {
      var ends: [Int32] = [-1, -1]
      // A child that another thread starts at this moment would inherit these ends and hold them
      // open.
      let isMade = ChildProcess.starting.withLock { _ in
        guard Glibc.pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return true
      }
      guard isMade else { throw StorageError.system("pipe", "") }
      try dontBlock(ends[0])
      return (ends[0], ends[1])
    }

    private static func dontBlock(_ descriptor: Int32) throws {
      guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
        throw StorageError.system("fcntl", "")
      }
    }
  }

  /// Held while a child starts, and while pipes are opened, so that no child inherits them.
  private static let starting = Mutex(())

  /// Starts the program as the leader of a process group, with a clean environment, no inherited
  /// descriptors and default signals.
  private static func spawn(_ command: Command, _ pipes: Pipes) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (theirs, number) in [
      (pipes.input.theirs, STDIN_FILENO), (pipes.output.theirs, STDOUT_FILENO),
      (pipes.messages.theirs, STDERR_FILENO),
    ] {
      if theirs >= 0 {
        posix_spawn_file_actions_adddup2(&actions, theirs, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    // This server opens everything with O_CLOEXEC; this closes the descriptors that a library
    // opened without it.
    for descriptor in try Files.names(in: "/proc/self/fd").compactMap({ Int32($0) })
    where descriptor > STDERR_FILENO {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGALRM, SIGHUP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    // strdup makes the C strings for posix_spawn; they are freed after it returns.
    typealias CStrings = [UnsafeMutablePointer<CChar>?]
    let arguments: CStrings = command.arguments.map { strdup($0) } + [nil]
    let variables: [String] = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"]
    let environment: CStrings = variables.map { strdup($0) } + [nil]
    defer { for string in arguments + environment { free(string) } }
    guard let program = command.arguments.first else { preconditionFailure("no program named") }
    var processId: pid_t = 0
    let result = starting.withLock { _ in
      posix_spawn(&processId, program, &actions, &attributes, arguments, environment)
    }
    guard result == 0 else {
      let failure = StorageError.system("posix_spawn", program, number: result)
      guard result == ENOENT else { throw failure }
      let name = program.split(separator: "/").last ?? ""
      throw MediaError(
        .toolMissing, "The program \(name) is missing. Install it again.",
        cause: failure.cause.map { "\($0)" })
    }
    return processId
  }
}
