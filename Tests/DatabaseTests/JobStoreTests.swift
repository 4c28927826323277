import TestSupport
import Testing

@testable import Database

@Suite struct JobStoreTests {
  let folder: TemporaryFolder
  let jobs: JobStore

  init() throws {
    folder = try TemporaryFolder()
    jobs = JobStore(database: try LibraryDatabase(in: folder))
  }

  @Test func `a job is found by its id and by its parameters`() throws {
    let job = JobRow(id: "1", kind: "import", parameters: "track")
    try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: 5) }
    #expect(try jobs.job("1") == job)
    #expect(try jobs.latest(withParameters: ["track"]) == job)
    #expect(try jobs.job("2") == nil)
  }

  @Test func `a job from a clock that was ahead is not the latest`() throws {
    let (now, day) = (1_700_000_000_000, 86_400_000)
    try jobs.write { writer throws(DatabaseError) in
      for (id, time) in [("ahead", now + 365 * day), ("old", now - day), ("new", now)] {
        try writer.add(JobRow(id: id, kind: "backup", parameters: "t"), now: time)
      }
    }
    #expect(try jobs.latest(withParameters: ["t"], now: now)?.id == "new")
    #expect(try jobs.latest(ofKind: "backup", now: now)?.id == "new")
    // A clock that was set back a little hides no job.
    #expect(try jobs.latest(ofKind: "backup", now: now - 1)?.id == "new")
  }

  @Test func `unfinished jobs are listed, oldest first`() throws {
    try jobs.write { writer throws(DatabaseError) in
      for (index, name) in ["c", "a", "b"].enumerated() {
        try writer.add(JobRow(id: name, kind: "import", parameters: name), now: index)
      }
      try writer.update("a", to: .failed, message: "It is empty.", now: 9)
      try writer.update("b", to: .running, now: 9)
    }
    #expect(try jobs.unfinished().map(\.id) == ["c", "b"])
    #expect(try jobs.job("a")?.message == "It is empty.")
  }

  @Test func `ended jobs are deleted after a while, other jobs never`() throws {
    try jobs.write { writer throws(DatabaseError) in
      try writer.add(JobRow(id: "old", kind: "import", parameters: "t"), now: 1)
      try writer.add(JobRow(id: "waits", kind: "import", parameters: "t"), now: 1)
      try writer.update("old", to: .done, now: 2)
    }
    try jobs.purge(endedBefore: 3)
    #expect(try jobs.job("old") == nil)
    #expect(try jobs.job("waits") != nil)
  }
}
