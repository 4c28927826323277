// A library that several servers share: each keeps people, devices and links in memory, and is told when
// another one has changed them (docs/adr/0037-several-servers.md).

import Database
import Dispatch
import FoundationEssentials
import Logging
import Synchronization
import Timing

/// Keeps this server's memory as new as the database, and speaks with the others.
final class Sharing: Sendable {
  /// How often the database is asked whether something was missed, in milliseconds.
  private static let interval = 1_000
  /// How long an edit waits until the other servers have read it, in milliseconds.
  private static let patience = 4_000
  /// After what time it tells them again, in milliseconds: one that starts is there before it listens.
  private static let repetition = 500
  /// How long this server may answer from memory without having compared it with the database, in milliseconds.
  /// Less than the others wait for it.
  private static let freshness = 3_000
  /// After what time a deletion that failed is tried again, in milliseconds.
  private static let deletionPause = 5_000
  /// After what time nothing runs any more that an earlier keeper began, in milliseconds: it finds out that it is
  /// none after `freshness`, and a deletion in the bucket ends after 15 seconds.
  private static let settling = 30_000

  private struct State {
    var known: SharedLibrary.Versions
    var reloaders: [SharedLibrary.Topic: @Sendable () throws -> Void] = [:]
    /// Who has not read an edit yet, by its id.
    var waiting: [String: Waiting] = [:]
    /// Messages of this server that have not come back yet, by their numbers.
    var ordered: [Int: DispatchSemaphore] = [:]
    /// The servers that were there when that was last asked.
    var servers: Set<Int> = []
    /// When each server was last known to be there. One that lost its connection may still answer.
    var seenAt: [Int: Int] = [:]
    /// The servers that have said that they answer nothing any more.
    var left: Set<Int> = []
    /// When memory was last compared with the database; nil before the first time.
    var comparedAt: Int?
    /// Since when this server is the keeper, and when that was last confirmed.
    var keeper: (since: Int, confirmed: Int)?
    /// From when on announced blobs may be deleted; nil while that is done.
    var deletesFrom: Int? = 0
    var counter = 0
    var isOver = false
  }

  private struct Waiting {
    var servers: Set<Int>
    let done: DispatchSemaphore

    /// A server need not be waited for any more.
    mutating func end(_ server: Int) {
      if servers.remove(server) != nil, servers.isEmpty { done.signal() }
    }
  }

  let shared: SharedLibrary
  /// Held while this server deletes blobs, so that what it claims is deleted once.
  let deleting = Mutex(())
  private let log: Logger
  private let timers: any Timers
  private let state: Mutex<State>
  /// Serial, so that messages go out in their order.
  private let announcements = DispatchQueue(label: "segmance.news")
  private let deletions = DispatchQueue(label: "segmance.deletions")
  /// Serial: what is read last is the newest.
  private let refreshing = DispatchQueue(label: "segmance.refresh")
  /// Serial, and apart from the former: it may wait for those who write.
  private let upkeep = DispatchQueue(label: "segmance.keeper")

  /// Prepares to share a library. What is read of it from now on counts as known.
  init(_ shared: SharedLibrary, log: Logger, timers: any Timers) throws(DatabaseError) {
    self.shared = shared
    self.log = log
    self.timers = timers
    state = Mutex(State(known: try shared.versions()))
  }

  /// Says how what is in memory of a topic is read again.
  func onChange(of topic: SharedLibrary.Topic, _ reload: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.reloaders[topic] = reload }
  }

  /// Begins to listen. `onNews` is called with what other servers announce and with their numbers, in order,
  /// and `onGap` when something may have been missed; neither may wait for an edit. `onLeave` is called
  /// with the numbers of servers that are gone, and `onTick` every second.
  func start(
    onGap: @escaping @Sendable () -> Void, onLeave: @escaping @Sendable (Set<Int>) -> Void,
    onTick: @escaping @Sendable () -> Void,
    onNews: @escaping @Sendable (News, _ from: Int) -> Void
  ) throws(DatabaseError) {
    try shared.listen(until: { [weak self] in self?.state.withLock { $0.isOver } ?? true }) {
      [weak self] in
      self?.refreshSoon()
      onGap()
    } onText: { [weak self] in
      self?.take($0, onNews)
    }
    refreshing.sync { refreshAll() }
    check(onLeave)
    onTick()
    tick(refreshing) { $0.refreshAll() }
    tick(upkeep) {
      $0.check(onLeave)
      onTick()
    }
  }

  /// Whether what is in memory was compared with the database so lately that no edit can have been answered since
  /// without it.
  var isFresh: Bool {
    let now = timers.uptime
    return state.withLock { $0.comparedAt.map { now - $0 < Sharing.freshness } ?? false }
  }

  /// Whether this server does what one of them does for all.
  var isKeeper: Bool { keptFor != nil }

  /// Whether it has done so for so long that nothing runs any more that an earlier keeper began.
  var isSettledKeeper: Bool { keptFor ?? 0 >= Sharing.settling }

  /// For how many milliseconds this server has been the keeper; nil if it is not, or not surely.
  private var keptFor: Int? {
    let now = timers.uptime
    return state.withLock { state in
      guard let keeper = state.keeper, now - keeper.confirmed < Sharing.freshness else {
        return nil
      }
      return now - keeper.since
    }
  }

  /// Runs `work`, which deletes announced blobs and says whether that was done, without waiting for it; unless it runs
  /// already, or has failed a moment ago.
  func deleteSoon(_ work: @escaping @Sendable () -> Bool) {
    let now = timers.uptime
    let begins = state.withLock { state in
      guard let time = state.deletesFrom, now >= time else { return false }
      state.deletesFrom = nil
      return true
    }
    guard begins else { return }
    deletions.async { [self] in
      let isDone = work()
      let next = timers.uptime + (isDone ? 0 : Sharing.deletionPause)
      state.withLock { $0.deletesFrom = next }
    }
  }

  /// Ends listening, once this server answers nothing any more. The others need not wait for it from now on.
  func stop() {
    state.withLock { $0.isOver = true }
    announce(.leave)
    announcements.sync {}
  }

  /// Tells all other servers something, soon and in order. Never blocks.
  func announce(_ news: News) { send(news) }

  /// Tells all servers something, this one as well, and returns once `onNews` has taken it here. All servers
  /// take such messages in the same order.
  ///
  /// - Throws: `busy` if that takes too long. It may still be taken.
  func order(_ news: News) throws(LibraryError) {
    let done = DispatchSemaphore(value: 0)
    let number = state.withLock { state in
      state.counter += 1
      state.ordered[state.counter] = done
      return state.counter
    }
    send(news, order: number)
    let isDone =
      done.wait(timeout: .now() + .milliseconds(timers.patience(Sharing.patience))) == .success
    state.withLock { $0.ordered[number] = nil }
    guard isDone else {
      throw LibraryError(.busy(retryAfterSeconds: 1), "The database does not answer. Try again.")
    }
  }

  private func send(_ news: News, order: Int? = nil) {
    guard let text = news.text(from: shared.number, order: order) else {
      log.warning("news.tooLong")
      return
    }
    announcements.async { [self] in
      do { try shared.announce(text) } catch { log.error("news.untold", error) }
    }
  }

  /// Runs `body` while no other server edits the topic, and waits until all have read what changed.
  func edit<Result>(
    _ topic: SharedLibrary.Topic, _ body: () throws -> Result
  ) throws -> Result {
    try shared.exclusively(topic) {
      guard topic.isInMemory else { return try body() }
      try refresh(topic)
      let result = Swift.Result { try body() }
      // What an edit that failed has changed is read by the others within a second.
      if case .success = result { try tell(topic) }
      return try result.get()
    }
  }

  /// Waits until all other servers have read what is new of a topic. That is done also if nothing was edited here:
  /// who is told that something is gone relies on it, and the server that removed it may have died before it told
  /// the others.
  private func tell(_ topic: SharedLibrary.Topic) throws {
    // Nothing counts as read here for having been edited here: if the connection with the lock was reset, another
    // server may have edited meanwhile.
    let others = see(try shared.servers()).subtracting([shared.number])
    guard !others.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    let id = state.withLock { state in
      state.counter += 1
      let id = "\(shared.number)-\(state.counter)"
      state.waiting[id] = Waiting(servers: others, done: done)
      return id
    }
    let isDone = (0..<timers.patience(Sharing.patience) / Sharing.repetition).contains { _ in
      announce(.stale(topic, id: id))
      return done.wait(timeout: .now() + .milliseconds(Sharing.repetition)) == .success
    }
    let late = state.withLock { $0.waiting.removeValue(forKey: id) }?.servers ?? []
    if !isDone {
      log.warning(
        "edit.unread", ["servers": .text(late.map(String.init).sorted().joined(separator: " "))])
    }
  }

  private func take(_ text: String, _ onNews: (News, Int) -> Void) {
    guard let envelope = try? JSONDecoder().decode(News.Envelope.self, from: Data(text.utf8)) else {
      // A later version's.
      return
    }
    guard envelope.from != shared.number else {
      guard let order = envelope.order else { return }
      onNews(envelope.news, envelope.from)
      state.withLock { $0.ordered.removeValue(forKey: order) }?.signal()
      return
    }
    switch envelope.news {
    case .stale(let topic, let id):
      refreshing.async { [self] in
        do {
          try refresh(topic)
          announce(.fresh(id: id))
        } catch {
          log.error("refresh.failed", error)
        }
      }
    case .fresh(let id):
      state.withLock { $0.waiting[id]?.end(envelope.from) }
    case .leave:
      state.withLock { state in
        state.left.insert(envelope.from)
        for id in state.waiting.keys { state.waiting[id]?.end(envelope.from) }
      }
    case let news: onNews(news, envelope.from)
    }
  }

  private func tick(_ queue: DispatchQueue, _ work: @escaping @Sendable (Sharing) -> Void) {
    timers.after(Sharing.interval, on: queue) { [weak self] in
      guard let self, !state.withLock({ $0.isOver }) else { return }
      work(self)
      tick(queue, work)
    }
  }

  /// Notes that servers are there. Returns them with those that were there so lately that they may still answer.
  private func see(_ servers: Set<Int>) -> Set<Int> {
    let now = timers.uptime
    return state.withLock { state in
      for server in servers { state.seenAt[server] = now }
      state.seenAt = state.seenAt.filter { now - $0.value < Sharing.patience }
      return Set(state.seenAt.keys).subtracting(state.left)
    }
  }

  /// Asks who is there, and whether this server is the keeper.
  private func check(_ onLeave: (Set<Int>) -> Void) {
    let now = timers.uptime
    do {
      let (servers, isKeeper) = (try shared.servers(), try shared.keeps())
      _ = see(servers)
      let gone = state.withLock { state in
        defer { state.servers = servers }
        state.keeper = isKeeper ? (state.keeper?.since ?? now, now) : nil
        return state.servers.subtracting(servers)
      }
      if !gone.isEmpty { onLeave(gone) }
    } catch {
      // Requests that need the database tell that it is away.
      state.withLock { $0.keeper = nil }
    }
  }

  private func refreshSoon() { refreshing.async { self.refreshAll() } }

  /// Reads again what is newer in the database.
  func refreshAll() {
    let now = timers.uptime
    do {
      let versions = try shared.versions()
      for topic in SharedLibrary.Topic.allCases where topic.isInMemory {
        try refresh(topic, to: versions)
      }
      state.withLock { $0.comparedAt = max(now, $0.comparedAt ?? now) }
    } catch {
      // Requests that need the database tell that it is away.
    }
  }

  private func refresh(_ topic: SharedLibrary.Topic) throws {
    try refresh(topic, to: try shared.versions())
  }

  private func refresh(
    _ topic: SharedLibrary.Topic, to versions: SharedLibrary.Versions
  ) throws {
    let reload = state.withLock { state in
      state.known.isOlder(topic, than: versions) ? state.reloaders[topic] : nil
    }
    guard let reload else { return }
    try reload()
    state.withLock { state in
      if state.known.isOlder(topic, than: versions) {
        state.known = state.known.with(topic, of: versions)
      }
    }
  }
}

extension SharedLibrary.Versions {
  private func value(_ topic: SharedLibrary.Topic) -> Int {
    switch topic {
    case .devices: devices
    case .people: people
    case .links: links
    case .credentials, .media: 0
    }
  }

  fileprivate func isOlder(_ topic: SharedLibrary.Topic, than other: Self) -> Bool {
    value(topic) < other.value(topic)
  }

  fileprivate func with(_ topic: SharedLibrary.Topic, of other: Self) -> Self {
    var result = self
    switch topic {
    case .devices: result.devices = other.devices
    case .people: result.people = other.people
    case .links: result.links = other.links
    case .credentials, .media: break
    }
    return result
  }
}
