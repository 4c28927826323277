// Notifies devices of new comments, through the push services of their browsers
// (docs/adr/0033-notifications.md).

import Database
import Dispatch
import HTTP
import HTTPClient
import Logging
import Model
import Network
import Synchronization

/// Sends notifications, one after the other, apart from what answers requests. What waits is only in
/// memory: a notification that is lost costs nothing but time, as the app shows what is new.
final class Notifier: Sendable {
  /// How many comments and how many messages may wait. What comes beyond is dropped.
  static let limit = 1_000
  /// How long to wait after each attempt that failed, in milliseconds. Then the message is dropped.
  static let delays = [30_000, 120_000, 600_000, 3_600_000]
  /// The longest wait that a push service may ask for, in milliseconds.
  static let longestWait = 6 * 3_600_000
  /// How long a push service keeps a message for a device that it does not reach, in seconds.
  static let lifeSeconds = 3 * 86_400
  /// How long a stop waits for the request under way.
  private static let stopMilliseconds = 2_000

  /// A message that waits to be sent to a device.
  private struct Message {
    let comment: String
    let device: String
    let routine: String
    let isMention: Bool
    /// How often it was tried.
    var attempts = 0
    /// When it is tried, by the clock.
    var dueAt: Int

    /// Whether a later message about the same replaces it.
    func isReplaced(by other: Message) -> Bool {
      device == other.device && routine == other.routine && isMention == other.isMention
    }
  }

  private struct State {
    var comments: [String] = []
    var messages: [Message] = []
    /// Until when nothing is sent to a push service that does not answer, by its origin.
    var pauses: [String: Int] = [:]
    /// When the timer runs that tries next.
    var timerAt: Int?
    var isStarted = false
    var isStopped = false
  }

  /// How an attempt ended.
  private enum Attempt {
    case done
    case retry(afterSeconds: Int?)
    /// The push service as a whole does not work at the moment.
    case unreachable(String, afterSeconds: Int?)
    case paused(until: Int)
  }

  private let library: Library
  private let identity: PushIdentity
  private let options: PushOptions
  private let log: Logger
  /// Milliseconds of a clock that nobody sets.
  private let clock: @Sendable () -> Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "segmance.push", qos: .utility)

  /// Makes a notifier, and the key of the installation if there is none.
  init(
    library: Library, options: PushOptions,
    clock: @escaping @Sendable () -> Int = {
      Int(DispatchTime.now().uptimeNanoseconds / 1_000_000)
    }
  ) throws {
    self.library = library
    self.options = options
    self.clock = clock
    log = library.log
    identity = PushIdentity(
      key: try PushKeyStore.key(in: library.secrets), contact: options.contact)
  }

  /// The key with which browsers subscribe, in base64url.
  var publicKey: String { identity.publicKey }

  /// Whether an address belongs to a push service that is allowed.
  func allows(_ endpoint: String) -> Bool { options.services.origin(of: endpoint) != nil }

  /// Begins to send.
  func start() {
    state.withLock { $0.isStarted = true }
    wake()
  }

  /// Ends sending. What waits is dropped.
  func stop() {
    state.withLock { $0.isStopped = true }
    let idle = DispatchSemaphore(value: 0)
    queue.async { idle.signal() }
    _ = idle.wait(timeout: .now() + .milliseconds(Self.stopMilliseconds))
  }

  /// Takes comments that came in. Never blocks.
  func announce(_ comments: [String]) {
    let dropped = state.withLock { state in
      let room = max(0, Self.limit - state.comments.count)
      state.comments += comments.prefix(room)
      return comments.count - min(room, comments.count)
    }
    if dropped > 0 { log.warning("push.dropped", ["comments": .integer(dropped)]) }
    wake()
  }

  private func wake() {
    guard state.withLock({ $0.isStarted && !$0.isStopped }) else { return }
    queue.async { [weak self] in self?.run() }
  }

  private func run() {
    guard !state.withLock({ $0.isStopped }), let next = step() else { return }
    let isFirst = state.withLock { state in
      guard next < state.timerAt ?? .max else { return false }
      state.timerAt = next
      return true
    }
    guard isFirst else { return }
    library.timers.after(max(1, next - clock()), on: queue) { [weak self] in
      guard let self else { return }
      state.withLock { if $0.timerAt == next { $0.timerAt = nil } }
      run()
    }
  }

  /// Sends what is due. Returns when the next message is due; nil if none waits.
  func step() -> Int? {
    let comments = state.withLock { state in
      defer { state.comments = [] }
      return state.comments
    }
    for comment in comments {
      do { try addMessages(of: comment) } catch { log.error("push.unsent", error) }
    }
    let now = clock()
    let due = state.withLock { state in
      let due = state.messages.filter { $0.dueAt <= now }
      state.messages.removeAll { $0.dueAt <= now }
      return due
    }
    for message in due {
      if state.withLock({ $0.isStopped }) { return nil }
      do {
        try finish(message, try attempt(message))
      } catch {
        // The database, or a text that doesn't fit: another attempt would end the same way.
        log.error("push.unsent", error)
      }
    }
    return state.withLock { $0.messages.map(\.dueAt).min() }
  }

  /// Adds a message for each device that is to hear of a comment.
  private func addMessages(of id: String) throws {
    guard let comment = try library.records.record(.comment, id).map(Comment.init),
      let routine = comment.routine
    else { return }
    for device in library.devices.all where device.push != nil {
      guard try notice(of: comment, for: device) != nil else { continue }
      let person = device.person ?? Person.owner
      add(
        Message(
          comment: id, device: device.id, routine: routine,
          isMention: comment.mentions.contains(person), dueAt: clock()))
    }
  }

  private func add(_ message: Message) {
    var message = message
    let isAdded = state.withLock { state in
      // A service that wants to be left alone by this device is so whatever there is to say.
      for waiting in state.messages where waiting.device == message.device {
        message.dueAt = max(message.dueAt, waiting.dueAt)
      }
      state.messages.removeAll { $0.isReplaced(by: message) }
      guard state.messages.count < Self.limit else { return false }
      state.messages.append(message)
      return true
    }
    if !isAdded { log.warning("push.dropped", ["device": .text(message.device)]) }
  }

  /// What a device is told of a comment at this moment; nil if nothing: the person may not read it, wrote
  /// it, has looked at it, joined the group after it, or wants to hear of mentions only.
  func notice(of comment: Comment, for device: DeviceRow) throws -> CommentNotice? {
    guard let push = device.push, library.devices.isPaired(device.id, now: library.now()) else {
      return nil
    }
    let person = device.person ?? Person.owner
    // Only who is not known any more has no place here: a device that is removed at this moment.
    guard library.people[person] != nil, let author = comment.author, author != person else {
      return nil
    }
    let isMention = comment.mentions.contains(person)
    guard isMention || push.level == .all else { return nil }
    let caller = Caller.device(device.id, of: device.person)
    guard
      try library.permissions.answer(caller, to: .read, .record(.comment, comment.id)) == .yes,
      let place = try library.place(of: comment),
      try !isKnown(comment, in: place, to: person)
    else { return nil }
    return CommentNotice(
      of: comment, at: place, by: library.people[author]?.name ?? "", isMention: isMention,
      language: push.language)
  }

  /// Whether a person has looked at a comment elsewhere, or came into the group after it.
  private func isKnown(
    _ comment: Comment, in place: CommentPlace, to person: String
  ) throws -> Bool {
    let arrived = comment.arrived ?? 0
    let since = try library.records.people.joined(person)[place.routine.record.space] ?? 0
    return try arrived <= since
      || arrived <= library.records.commentsSeen(by: person, in: place.routine.id)
  }

  /// Sends a message, unless there is nothing to say any more.
  private func attempt(_ message: Message) throws -> Attempt {
    guard let device = library.devices[message.device], let push = device.push,
      let comment = try library.records.record(.comment, message.comment).map(Comment.init),
      let notice = try notice(of: comment, for: device)
    else { return .done }
    guard let origin = options.services.origin(of: push.endpoint),
      let keys = PushKeys(publicKey: push.publicKey, authentication: push.authentication)
    else {
      // Of a service that the operator allowed before, or a damaged row.
      log.warning("push.refused", ["device": .text(device.id)])
      try library.devices.forget(push, of: device.id)
      return .done
    }
    let now = clock()
    if let until = state.withLock({ $0.pauses[origin] }), until > now {
      return .paused(until: until)
    }
    let text = try notice.json()
    guard text.count <= PushMessage.longestText else {
      throw LibraryError(.unusable, "A notification is too long.")
    }
    let request = HTTPClient.Request(
      "POST", push.endpoint,
      headers: [
        ("Authorization", try identity.authorization(for: origin, now: library.now() / 1_000)),
        ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
        ("TTL", "\(Self.lifeSeconds)"), ("Urgency", "normal"),
        ("Topic", Self.topic(message, push)),
      ], body: PushMessage.encrypt(text, for: keys))
    let response: HTTPClient.Response
    do {
      response = try options.send(request)
    } catch {
      log.warning("push.unreachable", ["service": .text(origin)])
      return .unreachable(origin, afterSeconds: nil)
    }
    let wait = response.headers["retry-after"].flatMap { Int($0) }
    switch response.status {
    case 200..<300: return .done
    case 404, 410:
      log.info("push.ended", ["device": .text(device.id)])
      try library.devices.forget(push, of: device.id)
      return .done
    case 429: return .retry(afterSeconds: wait)
    case 500...: return .unreachable(origin, afterSeconds: wait)
    default:
      // The service does not take such requests; it would refuse the next one as well.
      log.warning(
        "push.refused",
        [
          "device": .text(device.id), "service": .text(origin),
          "status": .integer(response.status),
        ])
      return .done
    }
  }

  /// Lets a message that could not be sent wait.
  private func finish(_ message: Message, _ attempt: Attempt) throws {
    var message = message
    switch attempt {
    case .done: return
    case .paused(let until): message.dueAt = until
    case .retry(let seconds), .unreachable(_, let seconds):
      guard message.attempts < Self.delays.count else {
        log.warning("push.dropped", ["device": .text(message.device)])
        return
      }
      let asked = (0...Self.longestWait / 1_000).contains(seconds ?? -1) ? (seconds ?? 0) : 0
      message.dueAt = clock() + max(Self.delays[message.attempts], asked * 1_000)
      message.attempts += 1
      if case .unreachable(let origin, _) = attempt {
        state.withLock { $0.pauses[origin] = message.dueAt }
      }
    }
    let isWaiting = state.withLock { state in
      // One about a later comment may have come meanwhile.
      guard !state.messages.contains(where: { message.isReplaced(by: $0) }) else { return true }
      guard state.messages.count < Self.limit else { return false }
      state.messages.append(message)
      return true
    }
    if !isWaiting { log.warning("push.dropped", ["device": .text(message.device)]) }
  }

  /// By which a service replaces an earlier message that it still keeps: those about one routine, and
  /// mentions apart. It tells the service nothing else.
  private static func topic(_ message: Message, _ push: PushSubscription) -> String {
    let text = "\(message.routine) \(message.isMention)"
    return String(Token.derive(from: text, salt: push.authentication).prefix(32))
  }
}
