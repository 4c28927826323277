// Blocking handlers run beside the connections, with a limit.

import Dispatch
import Synchronization
import Testing

@testable import HTTP

@Suite struct WorkerPoolTests {
  @Test func `jobs run on all threads, a limited number waits in order, and more are refused`() {
    let pool = WorkerPool(threads: 2, queueLimit: 3)
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    let order = Mutex<[Int]>([])
    for _ in 0..<2 {
      done.enter()
      #expect(
        pool.submit {
          started.signal()
          gate.wait()
          done.leave()
        })
    }
    started.wait()
    started.wait()
    for number in 0..<3 {
      done.enter()
      #expect(
        pool.submit {
          order.withLock { $0.append(number) }
          done.leave()
        })
    }
    #expect(!pool.submit {})
    done.enter()
    #expect(pool.submit(urgent: true) { done.leave() })
    #expect(order.withLock { $0 }.isEmpty)
    gate.signal()
    gate.signal()
    done.wait()
    #expect(order.withLock { $0.sorted() } == [0, 1, 2])
  }

  @Test func `ten thousand jobs all run`() {
    let pool = WorkerPool(threads: 4, queueLimit: 20_000)
    let done = DispatchGroup()
    let sum = Atomic(0)
    for number in 0..<10_000 {
      done.enter()
      #expect(
        pool.submit {
          sum.wrappingAdd(number, ordering: .relaxed)
          done.leave()
        })
    }
    done.wait()
    #expect(sum.load(ordering: .relaxed) == 49_995_000)
  }
}
