// The remote control: the list of pages, and the forwarding of commands.

import HTTPTesting
import Model
import TestSupport
import Testing

@testable import HTTP
@testable import Server

@Suite struct RemotePlayersTests {
  private static let laptop = "00000000-0000-4000-8000-00000000000a"
  private static let phone = "00000000-0000-4000-8000-00000000000b"
  private let studio: TestStudio
  private let network: ListenerClient
  private let owner: ListenerClient
  private let device: (id: String, token: String)

  init() throws {
    studio = try TestStudio()
    network = ListenerClient(.network, of: studio)
    owner = ListenerClient(.loopback, of: studio)
    device = try network.pair("Phone")
  }

  private func listenAtLaptop() throws -> EventStream {
    try #require(
      owner.send(
        .get, "/api/events?client=\(RemotePlayersTests.laptop)&name=Laptop", peer: "127.0.0.1"
      ).stream)
  }

  private func listenAtPhone() throws -> EventStream {
    try #require(
      network.send(
        .get, "/api/events?client=\(RemotePlayersTests.phone)&name=Chrome", token: device.token
      ).stream)
  }

  /// The events that a page received, including pending lists of players.
  private func heardSoFar(_ stream: EventStream) -> String {
    studio.library.players.waitForAnnouncements()
    return stream.takePending()
  }

  private func command(_ json: String) -> Response {
    network.send(.post, "/api/remote", token: device.token, json: json)
  }

  @Test func `who listens is listed, with the device`() throws {
    let laptop = try listenAtLaptop()
    let phone = try listenAtPhone()
    let list = network.send(.get, "/api/remote", token: device.token).json
    let expected: JSONValue = [
      "clients": [
        ["id": .string(RemotePlayersTests.laptop), "name": "Laptop"],
        [
          "id": .string(RemotePlayersTests.phone), "name": "Chrome",
          "device": ["id": .string(device.id), "name": "Phone"],
        ],
      ]
    ]
    #expect(list == expected)
    let heard = heardSoFar(laptop)
    #expect(heard.components(of: "event: players") == 2)
    #expect(heard.contains("\"name\":\"Chrome\""))
    phone.abandon()
    #expect(heardSoFar(laptop).contains("event: players"))
    #expect(studio.library.players.all(of: Person.owner).map(\.name) == ["Laptop"])
  }

  @Test func `a page that connects again is listed once, and stays when its old line ends`() throws
  {
    let first = try listenAtPhone()
    let second = try listenAtPhone()
    #expect(studio.library.players.all(of: Person.owner).count == 1)
    first.abandon()
    #expect(studio.library.players.all(of: Person.owner).count == 1)
    second.abandon()
    #expect(studio.library.players.all(of: Person.owner).isEmpty)
  }

  @Test func `a command goes to the player that is meant`() throws {
    let laptop = try listenAtLaptop()
    let phone = try listenAtPhone()
    _ = (heardSoFar(laptop), heardSoFar(phone))
    let answer = command(
      "{\"from\":\"\(RemotePlayersTests.phone)\",\"to\":\"\(RemotePlayersTests.laptop)\","
        + "\"command\":{\"play\":true,\"at\":[1,2.5,null]}}")
    #expect(answer.status == 204)
    #expect(
      laptop.takePending() == """
        event: remote
        data: {"command":{"at":[1,2.5,null],"play":true},"from":"\(RemotePlayersTests.phone)",\
        "to":"\(RemotePlayersTests.laptop)"}


        """)
    #expect(phone.takePending().isEmpty)
  }

  @Test func `a command to all goes to all but its sender`() throws {
    let laptop = try listenAtLaptop()
    let phone = try listenAtPhone()
    let plain = try #require(network.send(.get, "/api/events", token: device.token).stream)
    _ = (heardSoFar(laptop), heardSoFar(phone), heardSoFar(plain))
    #expect(
      command("{\"from\":\"\(RemotePlayersTests.phone)\",\"to\":null,\"command\":{}}").status == 204
    )
    #expect(laptop.takePending().contains("event: remote"))
    #expect(plain.takePending().contains("event: remote"))
    #expect(phone.takePending().isEmpty)
  }

  @Test func `what can't be passed on is refused in words`() throws {
    _ = try listenAtLaptop()
    let cases: [(String, Int)] = [
      ("{\"command\":7}", 400), ("{\"command\":[]}", 400), ("{}", 400), ("", 400),
      ("{\"to\":\"\(RemotePlayersTests.phone)\",\"command\":{}}", 404),
      // A page cannot send in another page's name.
      ("{\"from\":\"\(RemotePlayersTests.laptop)\",\"command\":{}}", 422),
      ("{\"from\":\"x\",\"command\":{}}", 422),
      ("{\"command\":{\"x\":\"\(String(repeating: "x", count: 2_048))\"}}", 413),
    ]
    for (body, status) in cases { #expect(command(body).status == status, "\(body)") }
  }

  @Test(arguments: [
    "client=x", "client=", "client=\(laptop)&name=\(String(repeating: "x", count: 61))",
  ])
  func `a player has an id and a name of moderate length`(query: String) {
    #expect(network.send(.get, "/api/events?\(query)", token: device.token).status == 400)
    #expect(studio.library.hub.subscriberCount == 0)
  }

  @Test func `no device takes another one's place`() throws {
    _ = try listenAtLaptop()
    let answer = network.send(
      .get, "/api/events?client=\(RemotePlayersTests.laptop)", token: device.token)
    #expect(answer.status == 409)
  }

  @Test func `a player of a revoked device is gone`() throws {
    let laptop = try listenAtLaptop()
    let phone = try listenAtPhone()
    _ = heardSoFar(laptop)
    try studio.library.revoke(device.id)
    #expect(phone.isClosed)
    #expect(studio.library.players.all(of: Person.owner).map(\.name) == ["Laptop"])
    #expect(heardSoFar(laptop).contains("event: players"))
  }

  @Test func `thirty commands a second, no more`() throws {
    let clock = TestClock()
    let players = RemotePlayers(
      events: studio.library.events, devices: studio.library.devices, now: clock.now)
    func send(_ caller: Caller) throws { try players.send([:], from: nil, to: nil, by: caller) }
    for _ in 0..<30 { try send(.owner) }
    #expect { try send(.owner) } throws: { ($0 as? LibraryError)?.httpError?.status == 429 }
    try send(.device("x"))
    clock.advance(1_000)
    try send(.owner)
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
