// Libraries of earlier versions (Tests/Fixtures/schemas), opened and used over the routes.

import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct UpgradeTests {
  private struct Page: Decodable {
    struct Entry: Decodable {
      var type: String
      var id: String
    }
    var records: [Entry]
    var more: Bool
  }

  @Test(arguments: 1...Migrations.all.count)
  func `a library of every schema returns its records and accepts new ones`(version: Int) throws {
    let folder = try TemporaryFolder()
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let sql = try Data(contentsOf: URL(filePath: "/\(tests)/Fixtures/schemas/v\(version).sql"))
    var written: Set<String> = []
    do {
      let connection = try SQLiteConnection(path: folder.path + "/segmance.sqlite", .copy)
      try connection.execute(String(decoding: sql, as: UTF8.self))
      try connection.query("SELECT type, id FROM record") { row in
        written.insert("\(row.text(0)) \(row.text(1))")
      }
    }
    let studio = try TestStudio(in: folder)
    let answer = studio.post("/api/sync", "{\"since\":0,\"changes\":[]}")
    let page = try answer.json(Page.self)
    #expect(!page.more)
    #expect(Set(page.records.map { "\($0.type) \($0.id)" }) == written)
    #expect(studio.send(.get, "/api/export?format=json").status == 200)
    _ = try studio.importTrack(WAV.impulses([1], frames: 100_000))
    // The fixture has only the rows, not the songs and videos.
    let problems = try LibraryCheck(root: folder.path).problems()
    #expect(
      !problems.isEmpty && problems.allSatisfy { $0.contains("missing") || $0.contains("lacks") },
      "\(problems)")
    #expect(studio.log.faults == [])
  }
}
