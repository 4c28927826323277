// Locks are taken in one order, and a debug build traps on a violation.

import Locking
import Testing

@Suite struct OrderedMutexTests {
  @Test func `a later lock may be taken while an earlier one is held, and again afterwards`() {
    let media = OrderedMutex(.media, 1)
    let database = OrderedMutex(.database, 2)
    for _ in 1...2 {
      let sum = media.withLock { a in database.withLock { b in a + b } }
      #expect(sum == 3)
    }
    // After the first lock is released, the order starts again.
    #expect(database.withLock { $0 } == 2)
    #expect(media.withLockIfAvailable { $0 } == 1)
  }

  @Test func `a lock whose body threw is released`() {
    struct Failure: Error {}
    let database = OrderedMutex(.database, 2)
    #expect(throws: Failure.self) { try database.withLock { _ throws(Failure) in throw Failure() } }
    #expect(OrderedMutex(.media, 1).withLock { $0 } == 1)
  }

  #if DEBUG
    @Test func `an earlier lock taken under a later one stops the program`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let database = OrderedMutex(.database, 2)
        let media = OrderedMutex(.media, 1)
        database.withLock { _ in media.withLock { _ in } }
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("Lock order: media was taken while database was held"), "\(said)")
    }

    @Test func `a lock taken twice by one thread stops the program instead of waiting for ever`()
      async
    {
      await #expect(processExitsWith: .failure) {
        let first = OrderedMutex(.jobs, 1)
        let second = OrderedMutex(.jobs, 1)
        first.withLock { _ in second.withLock { _ in } }
      }
    }
  #endif
}
