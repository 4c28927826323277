// A server that waits, and one whose place is taken.

import HTTP
import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct StandbyTests {
  private func ask(
    _ method: HTTP.Method, _ target: String, of router: Router
  ) -> Response {
    Application(configuration: Configuration(port: 7700), router: router).respond(
      to: Request(
        method, target,
        headers: Headers([("Host", "localhost:7700"), ("Origin", "http://localhost:7700")])))
  }

  @Test(arguments: [
    (HTTP.Method.get, "/api/health"), (.post, "/api/sync"), (.get, "/"), (.get, "/metrics"),
    (.delete, "/api/nothing"), (.options, "/api/sync"),
  ])
  func `a standby answers nothing`(method: HTTP.Method, target: String) {
    let answer = ask(method, target, of: Standby.router(hasMetrics: false))
    #expect(answer.status == 503)
    #expect(answer.headers["Retry-After"] == "1")
  }

  @Test func `a standby says that it lives, and has figures`() {
    let router = Standby.router(hasMetrics: true)
    #expect(ask(.get, "/api/health?standby", of: router).status == 200)
    #expect(ask(.get, "/metrics", of: router).status == 200)
    #expect(ask(.post, "/api/health?standby", of: router).status == 405)
  }

  @Test func `a server that can't know for fifteen seconds does not answer`() throws {
    let watched = try Watched()
    let watch = watched.watch()
    watch.begin()
    watched.clock.advance(ServingWatch.limit - 1)
    #expect(watch.isServing)
    watched.clock.advance(1)
    #expect(!watch.isServing)
    // The database answers again, so it goes on.
    watch.check()
    #expect(watch.isServing)
    #expect(watched.ends.load(ordering: .relaxed) == 0)
  }

  @Test func `a server with standbys asks every second, and answers on`() throws {
    let watched = try Watched()
    let watch = watched.watch()
    watch.start()
    watched.clock.advance(10 * ServingWatch.limit)
    #expect(watch.isServing)
    #expect(watched.ends.load(ordering: .relaxed) == 0)
  }

  @Test func `a server without standbys need not ask`() throws {
    let watched = try Watched()
    let watch = watched.watch()
    watched.clock.advance(10 * ServingWatch.limit)
    #expect(watch.isServing)
  }

  @Test func `a server that is not serving answers 503 at every address`() throws {
    let studio = try TestStudio()
    let watched = try Watched()
    let watch = watched.watch()
    let router = SegmanceServer.router(studio.library, studio.runner, nil, nil, nil, nil, watch)
    #expect(ask(.get, "/api/session", of: router).status == 200)
    watch.begin()
    watched.clock.advance(ServingWatch.limit)
    for target in ["/api/session", "/api/health", "/api/nothing", "/"] {
      #expect(ask(.get, target, of: router).status == 503, "\(target)")
    }
  }
}

/// A watch with a clock of its own.
private final class Watched: Sendable {
  let clock = TestClock()
  let ends = Atomic(0)
  let database: LibraryDatabase
  let log = TestStudio.Lines()
  private let folder: TemporaryFolder

  /// Over a database on a server, or one that always answers.
  init(_ address: String? = nil) throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(
      at: address.map { .server($0) } ?? .file(folder.path + "/library.sqlite"))
  }

  func watch() -> ServingWatch {
    ServingWatch(
      database: database, log: log.log, timers: clock, now: clock.now
    ) { self.ends.add(1, ordering: .relaxed) }
  }
}

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct ServingWatchTests {
  let address = TestDatabase.newAddress() ?? ""

  /// Breaks all connections, and lets a standby take the library.
  private func takenOver() throws -> StandbyClaim {
    try PostgreSQLConnection(address: address).run(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')
      """)
    let claim = StandbyClaim(address: address)
    for _ in 0..<100_000 { if try claim.take() { return claim } }
    Issue.record("The library is not free.")
    return claim
  }

  @Test func `a server whose library another one has opened ends`() throws {
    let watched = try Watched(address)
    let watch = watched.watch()
    watch.check()
    #expect(watch.isServing)
    let second = try LibraryDatabase(at: .server(address), claim: takenOver())
    watch.check()
    watch.check()
    #expect(!watch.isServing)
    #expect(watched.ends.load(ordering: .relaxed) == 1)
    #expect(watched.log.faults.count == 1)
    #expect(watched.log.faults.first?.contains("library.superseded") == true)
    #expect(try second.keepsOthersOut(silenceMilliseconds: 10_000))
  }

  @Test func `a server that is not told for fifteen seconds that it is the one ends`() throws {
    let watched = try Watched(address)
    let watch = watched.watch()
    watch.begin()
    // It has the library, and has not opened it yet.
    let claim = try takenOver()
    watch.check()
    #expect(watch.isServing)
    watched.clock.advance(ServingWatch.limit)
    watch.check()
    #expect(!watch.isServing)
    #expect(watched.ends.load(ordering: .relaxed) == 1)
    #expect(watched.log.faults.first?.contains("library.uncertain") == true)
    withExtendedLifetime(claim) {}
  }
}
