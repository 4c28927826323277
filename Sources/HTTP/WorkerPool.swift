// Threads for handlers that use the disk or the database: a fixed number with a bounded queue.

import Dispatch
import Synchronization

/// Runs jobs in order of arrival, several at once.
final class WorkerPool: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State {
    var idle: [Int]
    /// Jobs that wait, the next one at `head`; a ring would save nothing worth its code.
    var waiting: [Job] = []
    var head = 0
  }

  private let queues: [DispatchQueue]
  private let state: Mutex<State>
  private let queueLimit: Int

  init(threads: Int, queueLimit: Int) {
    // One serial queue per worker: a concurrent queue starts too few threads while jobs block.
    queues = (0..<threads).map { DispatchQueue(label: "segmance.http.worker.\($0)") }
    state = Mutex(State(idle: Array(0..<threads)))
    self.queueLimit = queueLimit
  }

  /// The jobs that wait.
  var waitingCount: Int { state.withLock { $0.waiting.count - $0.head } }

  /// Queues a job; returns false if the queue is full and the job is not `urgent`.
  func submit(urgent: Bool = false, _ job: @escaping Job) -> Bool {
    enum Decision { case start(Int), queued, refused }
    let decision = state.withLock { state -> Decision in
      if let worker = state.idle.popLast() { return .start(worker) }
      guard urgent || state.waiting.count - state.head < queueLimit else { return .refused }
      state.waiting.append(job)
      return .queued
    }
    switch decision {
    case .refused: return false
    case .queued: return true
    case .start(let worker):
      queues[worker].async {
        job()
        while let next = self.next(for: worker) { next() }
      }
      return true
    }
  }

  private func next(for worker: Int) -> Job? {
    state.withLock { state in
      guard state.head < state.waiting.count else {
        state.idle.append(worker)
        return nil
      }
      let job = state.waiting[state.head]
      state.head += 1
      if state.head == state.waiting.count || state.head == 256 {
        state.waiting.removeFirst(state.head)
        state.head = 0
      }
      return job
    }
  }
}
