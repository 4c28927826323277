// The table of links: kept across restarts, replaced by a restore, and checked.

import Model
import TestSupport
import Testing

@testable import Database

@Suite struct LinkStoreTests {
  private let folder: TemporaryFolder
  private let database: LibraryDatabase
  private let store: LinkStore
  private let routine = Identifier.make(milliseconds: 1)
  private let part = Identifier.make(milliseconds: 2)

  init() throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(in: folder)
    store = LinkStore(database: database)
    _ = try RecordStore(database: database).apply([
      change(.routine, routine, ["title": "Swan"]),
      change(.part, part, ["routine": .text(routine), "title": "One", "position": "V"]),
    ])
  }

  private func change(_ type: RecordType, _ id: String, _ fields: [String: Value]) -> Change {
    Change(
      id: Identifier.make(milliseconds: 5), type: type, record: id, fields: fields,
      at: Stamp(milliseconds: 1_700_000_000_000, counter: 0, device: 1))
  }

  private func link(_ number: Int, to scope: LinkScope? = nil) -> LinkRow {
    func text(_ letter: String, _ count: Int) -> String {
      letter + String(repeating: "x", count: count - letter.utf8.count)
    }
    return LinkRow(
      id: Identifier.make(milliseconds: number), secret: text("s", 43), salt: text("t", 43),
      tokenHash: text("\(number)", 64), passcodeHash: number == 2 ? "$y$j9T$x$y" : nil,
      scope: scope ?? LinkScope(routine: routine, part: part), frames: 5..<9,
      createdAt: number, expiresAt: number + 1_000)
  }

  @Test func `links come back as they were saved, the newest first`() throws {
    var (first, second) = (link(1), link(2))
    try store.save([first, second])
    #expect(try store.all() == [second, first])
    first.isOver = true
    first.openings = 3
    first.lastOpenedAt = 7
    second.scope = LinkScope(routine: routine)
    second.frames = nil
    try store.save([first, second])
    #expect(try LinkStore(database: database).all() == [second, first])
    #expect(try store.problems() == [])
    try store.remove([first.id])
    #expect(try store.all() == [second])
  }

  @Test func `links whose routine or part is not there are not taken over`() throws {
    let nowhere = Identifier.make(milliseconds: 9)
    let (whole, of) = (link(1, to: LinkScope(routine: routine)), link(2))
    try store.save([link(7)])
    try store.replaceAll(with: [
      whole, of, link(3, to: LinkScope(routine: nowhere)),
      link(4, to: LinkScope(routine: routine, part: nowhere)),
      link(5, to: LinkScope(routine: nowhere, part: part)),
    ])
    #expect(try store.all() == [of, whole])
  }

  @Test func `a damaged link is found`() throws {
    let faults: [(inout LinkRow) -> Void] = [
      { $0.secret = "x" }, { $0.salt = "" }, { $0.tokenHash = "x" }, { $0.passcodeHash = "plain" },
      { $0.scope.routine = "../x" }, { $0.scope.part = "x" }, { $0.scope.part = nil },
      { $0.expiresAt = 0 }, { $0.openings = -1 },
    ]
    for (number, fault) in faults.enumerated() {
      var row = link(number + 10)
      try store.save([row])
      #expect(try store.problems() == [])
      fault(&row)
      try store.save([row])
      #expect(try store.problems().count == 1, "fault \(number)")
      try store.remove([row.id])
    }
  }
}
