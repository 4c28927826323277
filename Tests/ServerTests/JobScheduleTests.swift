// Which job may run next.

import Media
import Storage
import Testing

@testable import Database
@testable import Server

@Suite struct JobScheduleTests {
  private typealias Rules = JobSchedule.Rules
  private let isFull = StorageError(.noSpace, "The disk is full.")

  private func job(_ id: String, on track: String? = nil, kind: String = "import") -> JobRow {
    JobRow(id: id, kind: kind, parameters: track.map { "{\"track\":\"\($0)\"}" } ?? "{}")
  }

  private func next(_ schedule: inout JobSchedule) -> String? {
    schedule.next { _ in JobContext { _ in } }?.row.id
  }

  private func stopped(_ id: String, in schedule: inout JobSchedule) -> Bool {
    schedule.stopped(id)
  }

  private func cancel(_ id: String, in schedule: inout JobSchedule) -> Bool {
    schedule.cancel(job(id), Rules())
  }

  @Test func `jobs run in the order of addition, a limited number at a time`() {
    var schedule = JobSchedule(width: 2)
    for id in ["1", "2", "3"] { schedule.add(job(id), Rules()) }
    #expect([next(&schedule), next(&schedule), next(&schedule)] == ["1", "2", nil])
    #expect(schedule.counts.running == ["import": 2] && schedule.counts.waiting == ["import": 1])
    #expect(!stopped("2", in: &schedule))
    #expect(next(&schedule) == "3")
  }

  @Test func `a job that is added twice runs once`() {
    var schedule = JobSchedule(width: 2)
    schedule.add(job("1"), Rules())
    schedule.add(job("1"), Rules())
    #expect(next(&schedule) == "1")
    schedule.add(job("1"), Rules())
    #expect(next(&schedule) == nil)
    _ = schedule.stopped("1")
    #expect(next(&schedule) == nil && schedule["1"] == nil)
  }

  @Test func `background jobs run one at a time if no other job waits`() {
    var schedule = JobSchedule(width: 3)
    let background = Rules(isBackground: true)
    schedule.add(job("1", kind: "analyse"), background)
    schedule.add(job("2", kind: "analyse"), background)
    schedule.add(job("3"), Rules())
    #expect([next(&schedule), next(&schedule), next(&schedule)] == ["3", "1", nil])
  }

  @Test func `a kind with a limit leaves the other slots to other kinds`() {
    var schedule = JobSchedule(width: 3)
    for id in ["1", "2"] { schedule.add(job(id, kind: "convert"), Rules(limit: 1)) }
    schedule.add(job("3"), Rules())
    #expect([next(&schedule), next(&schedule), next(&schedule)] == ["1", "3", nil])
  }

  @Test func `two jobs on one track do not run together`() {
    var schedule = JobSchedule(width: 3)
    schedule.add(job("1", on: "a"), Rules())
    schedule.add(job("2", on: "a", kind: "renew"), Rules())
    schedule.add(job("3", on: "b"), Rules())
    #expect([next(&schedule), next(&schedule), next(&schedule)] == ["1", "3", nil])
    _ = schedule.stopped("1")
    #expect(next(&schedule) == "2")
  }

  @Test func `a job that waits for a retry is not run before it is added again`() {
    var schedule = JobSchedule(width: 1)
    schedule.add(job("1"), Rules())
    _ = next(&schedule)
    let attempts = schedule.retryLater(job("1"), Rules(), "It waits.", after: isFull)
    #expect(attempts.count == 1)
    // The job still runs: adding it must neither start it twice nor drop its retry.
    schedule.add(job("1"), Rules())
    #expect(!stopped("1", in: &schedule))
    #expect(next(&schedule) == nil)
    #expect(schedule["1"]?.retryMessage == "It waits.")
    schedule.add(job("1"), Rules())
    #expect(schedule["1"]?.retryMessage == nil && next(&schedule) == "1")
    #expect(schedule["1"]?.attempts.count == 1)
  }

  @Test func `a running cancelled job that is retried is cancelled again`() {
    var schedule = JobSchedule(width: 1)
    schedule.add(job("1"), Rules())
    let context = schedule.next { _ in JobContext { _ in } }?.context
    #expect(!cancel("1", in: &schedule) && context?.isCancelled == true)
    _ = schedule.retryLater(job("1"), Rules(), "It waits.", after: isFull)
    #expect(stopped("1", in: &schedule))
    #expect(cancel("1", in: &schedule))
    schedule.cancelled("1")
    #expect(schedule["1"] == nil)
  }

  @Test func `a waiting job is cancelled by one caller and leaves the queue`() {
    var schedule = JobSchedule(width: 1)
    schedule.add(job("1"), Rules())
    #expect(cancel("1", in: &schedule))
    #expect(!cancel("1", in: &schedule))
    #expect(next(&schedule) == nil && schedule["1"]?.isCancelling == true)
    #expect(cancel("unknown", in: &schedule))
  }

  @Test func `an end that could not be written is kept until it is`() {
    var schedule = JobSchedule(width: 1)
    schedule.add(job("1"), Rules())
    _ = next(&schedule)
    let end = JobSchedule.PendingEnd(state: .failed, message: "It failed.")
    schedule.keepEnd(end, of: job("1"), Rules())
    _ = schedule.stopped("1")
    #expect(schedule["1"]?.pendingEnd == end)
    schedule.ended("1")
    #expect(schedule["1"] == nil)
  }

  @Test func `a stop interrupts running jobs, drops waiting ones and starts none`() {
    var schedule = JobSchedule(width: 2)
    schedule.add(job("1"), Rules())
    let context = schedule.next { _ in JobContext { _ in } }?.context
    schedule.add(job("2"), Rules())
    schedule.stop()
    #expect(context?.shouldStop == true && context?.isCancelled == false)
    #expect(schedule["2"] == nil && schedule.isStopping)
    schedule.add(job("3"), Rules())
    #expect(next(&schedule) == nil)
    _ = schedule.retryLater(job("1"), Rules(), "It waits.", after: isFull)
    #expect(schedule["1"]?.retryMessage == nil)
  }
}
