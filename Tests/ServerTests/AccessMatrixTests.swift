// Every route of the table × everybody who may ask, with the ids of a library that has two routines.

import FoundationEssentials
import HTTPTesting
import Media
import Model
import Network
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct AccessMatrixTests {
  private static let day = 86_400_000
  /// Words that stand in no other text of the library.
  private static let (ours, theirs) = ("swanlake", "otterfall")

  private let clock = TestClock()
  private let studio: TestStudio
  private let network: ListenerClient
  private let loopback: ListenerClient
  private let swan: StagedRoutine
  private let otter: StagedRoutine
  private let link: LinkRow

  init() throws {
    studio = try TestStudio(now: clock.now)
    network = ListenerClient(.network, of: studio)
    loopback = ListenerClient(.loopback, of: studio)
    swan = try studio.stage(Self.ours, seed: 1)
    otter = try studio.stage(Self.theirs, seed: 2)
    link = try studio.makeLink(to: swan.routine, expiresAt: clock.now() + Self.day)
  }

  /// Somebody who asks.
  private struct Visitor {
    let name: String
    let client: ListenerClient
    var token: String?
    var headers: [(String, String)] = []
    var peer = "192.168.1.77"
  }

  /// The visitors of the right link, of another one, of one that is revoked, and of one that ended.
  private func visitors() throws -> (right: Visitor, others: [Visitor]) {
    let later = clock.now() + Self.day
    let other = try studio.makeLink(to: otter.routine, expiresAt: later)
    let revoked = try studio.makeLink(to: swan.routine, expiresAt: later)
    let short = try studio.makeLink(to: swan.routine, expiresAt: clock.now() + 1_000)
    func visitor(_ name: String, _ link: LinkRow) -> Visitor {
      Visitor(name: name, client: network, headers: network.visit(link))
    }
    let right = visitor("visitor", link)
    let others = [
      visitor("visitor of another link", other), visitor("visitor of a revoked link", revoked),
      visitor("visitor of an ended link", short), Visitor(name: "stranger", client: network),
      Visitor(name: "stranger with a wrong token", client: network, token: Token().text),
    ]
    _ = try studio.library.links.revoke(revoked.id)
    clock.advance(1_000)
    return (right, others)
  }

  private func ask(_ visitor: Visitor, _ route: Route, _ target: String) -> Response {
    visitor.client.send(
      route.method, target, token: visitor.token, headers: visitor.headers,
      json: route.method.isWrite ? "{}" : nil, peer: visitor.peer)
  }

  /// What an answer tells: its header and its content.
  private func told(_ answer: Response) -> String {
    answer.headers.pairs.map { "\($0.name): \($0.value)\n" }.joined() + answer.text
  }

  /// The routes whose answer does not depend on who asks. Left out is what would end the test's own
  /// callers.
  private var routes: [Route] {
    network.router.routes.filter { $0.method != .head && $0.pattern != "/api/events" }
  }

  /// What visitors of the right link get.
  private static let open: Set<String> = [
    "GET /api/authority.crt", "GET /api/health", "GET /api/session", "GET /robots.txt",
    "GET /api/pairings/{token}", "POST /api/links/{id}/open",
    "POST /api/pairings/{token}/claim", "GET /api/sign-in", "POST /api/sign-in/challenge",
    "POST /api/sign-in/passkey", "POST /api/sign-in/password", "POST /api/sign-in/provider",
    "POST /api/sign-in/provider/departure",
  ]
  private static let shown: Set<String> = [
    "GET /api/links/{id}/records", "GET /api/recordings/{id}/voice", "GET /api/speech",
    "GET /api/tracks/{id}/analysis", "GET /api/tracks/{id}/chunks/{n}",
    "GET /api/tracks/{id}/peaks", "GET /api/videos/{id}/file", "GET /api/videos/{id}/poster",
  ]

  @Test
  func `a visitor reads what the link shows by exactly these routes, and all else is refused`()
    throws
  {
    let (right, others) = try visitors()
    for route in routes {
      let name = "\(route.method.rawValue) \(route.pattern)"
      for target in route.targets(swan, link: link.id) {
        let answer = ask(right, route, target)
        if Self.shown.contains(name) {
          #expect(answer.status == 200, "\(name): \(answer.text.prefix(200))")
        } else if !Self.open.contains(name) {
          #expect(answer.status == 401, "\(name)")
        }
        #expect(!told(answer).contains(Self.theirs), "\(name)")
        for other in others where !Self.open.contains(name) {
          #expect(ask(other, route, target).status == 401, "\(other.name): \(name)")
        }
      }
    }
  }

  @Test func `of another routine nothing reaches a visitor, not even whether it is there`() throws {
    let later = clock.now() + Self.day
    let partial = try studio.makeLink(
      to: swan.routine, part: swan.parts[0], expiresAt: later)
    let theirs = try studio.makeLink(to: otter.routine, expiresAt: later)
    let visitors = [link, partial].map {
      Visitor(name: $0.scope.part ?? "routine", client: network, headers: network.visit($0))
    }
    for visitor in visitors {
      for route in routes {
        let name = "\(route.method.rawValue) \(route.pattern)"
        guard !Self.open.contains(name) else { continue }
        let unknown = StagedRoutine(
          word: "nothing", parts: [swan.routine, swan.routine], moves: [otter.moveType],
          track: swan.routine)
        let answers = route.targets(otter, link: theirs.id).map { ask(visitor, route, $0) }
        let missing = route.targets(unknown, link: partial.id).map { ask(visitor, route, $0) }
        for answer in answers {
          #expect(answer.status == 401, "\(name)")
          for secret in otter.secrets { #expect(!told(answer).contains(secret), "\(name)") }
        }
        // What is there is refused as what is not.
        if route.pattern != "/api/links/{id}/records" {
          #expect(answers.map(told) == missing.map(told), "\(name)")
        }
      }
    }
  }

  @Test func `a part's link shows this part alone`() throws {
    let partial = try studio.makeLink(
      to: swan.routine, part: swan.parts[0], expiresAt: clock.now() + Self.day)
    let visitor = Visitor(name: "visitor", client: network, headers: network.visit(partial))
    let text = network.send(
      .get, "/api/links/\(partial.id)/records", headers: visitor.headers
    ).text
    #expect(text.contains(swan.parts[0]) && !text.contains(swan.parts[1]))
    #expect(text.contains("swanlake move 1") && !text.contains("swanlake move 2"))
    #expect(
      network.send(
        .get, "/api/speech?language=en&text=swanlake%20move%202", headers: visitor.headers
      ).status == 401)
    for (title, status) in [("part%201", 200), ("part%202", 401), ("routine", 401)] {
      let answer = network.send(
        .get, "/api/speech?language=en&text=swanlake%20\(title)", headers: visitor.headers)
      #expect(answer.status == status, "\(title)")
    }
  }

  @Test func `who is paired is refused nothing that was theirs`() throws {
    let device = try network.pair()
    let owner = Visitor(name: "owner", client: loopback, peer: "127.0.0.1")
    let phone = Visitor(name: "device", client: network, token: device.token)
    for route in routes {
      let name = "\(route.method.rawValue) \(route.pattern)"
      // They delete what the next ones name, or end the caller.
      guard route.method != .delete else { continue }
      for (staged, link) in [(swan, link), (otter, link)] {
        for target in route.targets(staged, link: link.id) {
          #expect(![401, 403].contains(ask(owner, route, target).status), "\(name)")
          let status = ask(phone, route, target).status
          if route.access == .owner {
            #expect(status == 403, "\(name)")
          } else if route.method != .patch {
            #expect(![401, 403].contains(status), "\(name)")
          }
          if Self.shown.contains(name), route.pattern != "/api/speech" {
            #expect(status == 200, "\(name)")
          }
        }
      }
    }
  }

  @Test func `what a link shows has nothing of the performer, and of files no names`() throws {
    let visitor = network.visit(link)
    let text = network.send(.get, "/api/links/\(link.id)/records", headers: visitor).text
    for word in [
      "tag", "subtitle", "plan", "missed", "clip", "comment",
      "file", "lastPractisedAt", "performanceDay",
      "pinned", "markerA", "rate", "loopMode", "semitones", "countdownSeconds", "sha256", "size",
    ] {
      let isShown = word == "subtitle"
      #expect(
        (text.contains("\(Self.ours) \(word)") || text.contains("\"\(word)\"")) == isShown,
        "\(word)")
    }
    for id in swan.own.values { #expect(!text.contains(id)) }
    for hash in swan.hashes { #expect(!text.contains(hash)) }
    struct Answer: Decodable {
      struct Entry: Decodable {
        let type: RecordType
        let seq: Int
        let deletedAt: Int?
      }
      let seq: Int
      let records: [Entry]
    }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
    let counts = Dictionary(grouping: answer.records, by: \.type).mapValues(\.count)
    #expect(
      counts == [
        .routine: 1, .part: 2, .move: 2, .spot: 2, .moveType: 1, .track: 1, .video: 1,
        .recording: 1, .gridCorrection: 1,
      ])
    #expect(answer.records.map(\.seq).max() == answer.seq)
  }

  @Test func `each field of a type that is shown was decided on`() {
    let withheld: [RecordType: Set<String>] = [
      .routine: ["lastPractisedAt", "pinned", "tags", "performanceDay", "commentsSeen"],
      .part: [
        "loopMode", "markerA", "markerB", "rate", "semitones", "naturalVoice", "countdownSeconds",
        "countdownRepeats", "restSeconds", "repeatLimit", "trainerFrom", "trainerTo",
        "trainerStep", "trainerEvery", "targetRate",
      ],
      .track: ["fileName", "sha256", "problem", "size"],
      .video: ["fileName", "sha256", "problem", "size"],
      .recording: ["title", "fileName", "sha256", "problem", "size"],
    ]
    for (type, shown) in LinkScope.shownFields {
      let all = Set(type.fields.map(\.name))
      #expect(shown.union(withheld[type] ?? []) == all, "\(type)")
      #expect(shown.isDisjoint(with: withheld[type] ?? []), "\(type)")
    }
    let private_: Set<RecordType> = [
      .clip, .comment, .practiceEntry, .runThrough, .plan, .setting,
    ]
    #expect(private_.union(LinkScope.shownFields.keys) == Set(RecordType.allCases))
  }
}
