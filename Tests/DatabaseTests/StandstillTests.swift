// Writes behind one that stood still.

import Testing

@testable import Database

struct StandstillTests {
  private let start = ContinuousClock.now
  private let silent = DatabaseError(.unreachable, "The database server broke off: it is silent.")

  private func failure(_ standstill: Standstill, _ seconds: Int) -> DatabaseError? {
    do throws(DatabaseError) {
      try standstill.check(start + .seconds(seconds))
      return nil
    } catch {
      return error
    }
  }

  @Test func `who has waited behind a write that stood still fails like it`() {
    let standstill = Standstill()
    standstill.note(silent, from: start, to: start + .seconds(70))
    #expect(failure(standstill, 1)?.code == .unreachable)
    #expect(failure(standstill, 69)?.code == .unreachable)
  }

  @Test func `who comes later tries it`() {
    let standstill = Standstill()
    standstill.note(silent, from: start, to: start + .seconds(70))
    #expect(failure(standstill, 70)?.code == .unreachable)
    #expect(failure(standstill, 71) == nil)
  }

  @Test func `a write that failed at once keeps nobody from trying`() {
    let standstill = Standstill()
    standstill.note(silent, from: start, to: start + .seconds(5))
    #expect(failure(standstill, 0) == nil)
  }

  @Test func `a write that failed for a reason of its own keeps nobody from trying`() {
    let standstill = Standstill()
    standstill.note(DatabaseError(.other, "a rule"), from: start, to: start + .seconds(70))
    standstill.note(DatabaseError(.full, "no room"), from: start, to: start + .seconds(70))
    #expect(failure(standstill, 0) == nil)
  }
}
