// What is wrong with a running Segmance, in sentences.

import Database
import Locking
import Storage

/// Remembers the last trouble of each kind. Threads: any.
final class Health: Sendable {
  /// What can be in trouble for longer than a request.
  enum Topic: CaseIterable {
    case schedule, backup, download, renewal, room, sweep, network
  }

  private let problems = OrderedMutex<[Topic: String]>(.health, [:])

  /// Notes what is wrong, or with nil that nothing is any more; returns whether that is new.
  @discardableResult
  func set(_ topic: Topic, _ problem: String?) -> Bool {
    problems.withLock { problems in
      defer { problems[topic] = problem }
      return problems[topic] != problem
    }
  }

  /// Tells whether something of this kind is wrong.
  func has(_ topic: Topic) -> Bool { problems.withLock { $0[topic] != nil } }

  /// Everything that is wrong, in a fixed order.
  var all: [String] {
    problems.withLock { problems in Topic.allCases.compactMap { problems[$0] } }
  }
}

/// How the server is, as `GET /api/health` answers it.
struct HealthReport {
  /// ok, or degraded: something that Segmance promises does not work.
  var status: String
  var version = SegmanceServer.version
  /// How many of the problems degrade it.
  var faults: Int
  /// A sentence each. What the owner chose stands here too, and degrades nothing.
  var problems: [String]
}

extension Library {
  /// Looks at what can be looked at without waiting.
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
      problems.append(
        problem == .full
          ? "The disk is full: nothing can be saved."
          : "The library's database could not be written. The server's log says why.")
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
