// How a standby takes a library on a PostgreSQL server over: `make test ONLY=postgresql` starts one.

import Model
import Synchronization
import TestSupport
import Testing

@testable import Database

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct StandbyClaimTests {
  let address = TestDatabase.newAddress() ?? ""

  /// Asks until the library is free. The server of a connection that was closed notices it a moment later.
  private func takeSoon(_ claim: StandbyClaim) throws {
    for _ in 0..<100_000 { if try claim.take() { return } }
    Issue.record("The library is not free.")
  }

  /// Ends all connections to the library, as a network that breaks does.
  private func cut() throws { try PostgreSQLConnection(address: address).endOthers() }

  @Test func `a standby takes a library when the server that has it ends`() throws {
    let claim = StandbyClaim(address: address)
    do {
      let first = try LibraryDatabase(at: .server(address))
      #expect(try !claim.take())
      #expect(try !claim.take())
      _ = first.identity
    }
    try takeSoon(claim)
    let refused = #expect(throws: DatabaseError.self) {
      try PostgreSQLEngine(address: address, patience: "50ms")
    }
    #expect(refused?.code == .busy)
    let second = try LibraryDatabase(at: .server(address), claim: claim)
    #expect(try second.keepsOthersOut(silenceMilliseconds: 10_000))
    #expect(try !StandbyClaim(address: address).take())
  }

  @Test func `of two standbys one takes a library that is not there yet`() throws {
    let claims = [StandbyClaim(address: address), StandbyClaim(address: address)]
    #expect(try claims.map { claim in try claim.take() } == [true, false])
    _ = try LibraryDatabase(at: .server(address), claim: claims[0])
    try takeSoon(claims[1])
  }

  @Test func `the earlier server answers nothing any more, and is told once`() throws {
    let first = try LibraryDatabase(at: .server(address))
    let told = Atomic(0)
    first.whenSuperseded { told.add(1, ordering: .relaxed) }
    let claim = StandbyClaim(address: address)
    #expect(try !claim.take())
    try cut()
    #expect(throws: DatabaseError.self) { try claim.take() }
    try takeSoon(claim)
    let second = try LibraryDatabase(at: .server(address), claim: claim)
    #expect(told.load(ordering: .relaxed) == 0)
    let asked = #expect(throws: DatabaseError.self) {
      try first.keepsOthersOut(silenceMilliseconds: 10_000)
    }
    #expect(asked?.code == .sealed)
    let read = #expect(throws: DatabaseError.self) { try RecordStore(database: first).latestSeq() }
    #expect(read?.code == .sealed)
    let written = #expect(throws: DatabaseError.self) { try first.isClockTrusted(at: 1) }
    #expect(written?.code == .sealed)
    #expect(told.load(ordering: .relaxed) == 1)
    #expect(try RecordStore(database: second).latestSeq() == 0)
    // Who asks later is told at once.
    first.whenSuperseded { told.add(1, ordering: .relaxed) }
    #expect(told.load(ordering: .relaxed) == 2)
  }

  @Test func `a server whose connection broke keeps standbys out again`() throws {
    let first = try LibraryDatabase(at: .server(address))
    try cut()
    #expect(try first.keepsOthersOut(silenceMilliseconds: 10_000))
    #expect(try !StandbyClaim(address: address).take())
  }

  @Test func `a server says that it does not know while another one is about to begin`() throws {
    let first = try LibraryDatabase(at: .server(address))
    let claim = StandbyClaim(address: address)
    try cut()
    try takeSoon(claim)
    #expect(try !first.keepsOthersOut(silenceMilliseconds: 10_000))
    #expect(try RecordStore(database: first).latestSeq() == 0)
  }

  @Test func `a server that is away is asked again`() throws {
    let claim = StandbyClaim(address: "postgres://segmance@/postgres?host=/nonexistent")
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { try claim.take() }
      #expect(error?.code == .unreachable)
    }
  }
}
