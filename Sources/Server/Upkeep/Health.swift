// The current problems of a running server, as sentences.

import Database
import Locking
import Storage

/// Holds the current problem of each topic.
final class Health: Sendable {
  /// The topics whose problems outlast a request.
  enum Topic: CaseIterable {
    case schedule, backup, download, renewal, room, sweep, bucket, network
  }

  private let problems = OrderedMutex<[Topic: String]>(.health, [:])

  /// Sets the problem of a topic; nil clears it. Returns whether the problem is new.
  @discardableResult
  func set(_ topic: Topic, _ problem: String?) -> Bool {
    problems.withLock { problems in
      defer { problems[topic] = problem }
      return problems[topic] != problem
    }
  }

  /// Whether the topic has a problem.
  func has(_ topic: Topic) -> Bool { problems.withLock { $0[topic] != nil } }

  /// All problems, in a fixed order.
  var all: [String] {
    problems.withLock { problems in Topic.allCases.compactMap { problems[$0] } }
  }
}

/// The response of `GET /api/health`.
struct HealthReport {
  /// `ok`, or `degraded` if a promised function does not work.
  var status: String
  var version = SegmanceServer.version
  /// The number of problems that degrade the server.
  var faults: Int
  /// One sentence each. The owner's own choices are listed too, and degrade nothing.
  var problems: [String]

  /// What failed writing means to the owner.
  fileprivate static func sentence(for problem: DatabaseError.Code) -> String {
    switch problem {
    case .full: "The disk is full: nothing can be saved."
    case .unreachable:
      "The database server can't be reached: nothing can be saved. The server's log says why."
    default: "The library's database could not be written. The server's log says why."
    }
  }
}

extension Library {
  /// Collects the problems that are known without waiting.
  func healthReport() -> HealthReport {
    var problems: [String] = []
    do {
      try folder.requireSpace(for: 0)
    } catch let error as StorageError where error.code == .noSpace {
      problems.append(
        "The disk is almost full: uploads and imports wait until there is room again.")
    } catch {
      problems.append("The library's folder can't be read.")
    }
    if let problem = database.problem {
      problems.append(HealthReport.sentence(for: problem))
    }
    problems += health.all
    let faults = problems.count
    if tools.sandbox == .none {
      problems.append("Media files are opened without a sandbox, as chosen with --no-sandbox.")
    }
    return HealthReport(
      status: faults == 0 ? "ok" : "degraded", faults: faults, problems: problems)
  }
}
