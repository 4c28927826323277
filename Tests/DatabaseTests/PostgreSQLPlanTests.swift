// How the server goes about a statement whose plan was made while the library was small, and is kept.

import Model
import TestSupport
import Testing

@testable import Database

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct PostgreSQLPlanTests {
  @Test func `records that are read many at once are looked up, and no others are read`() throws {
    let address = TestDatabase.newAddress() ?? ""
    _ = try LibraryDatabase(at: .server(address))
    let connection = try PostgreSQLConnection(address: address)
    try connection.execute(
      """
      INSERT INTO record (type, id, seq, createdAt, fields, stamps)
      SELECT 'move', CAST(number AS text), number, 0, '{}', '{}' FROM generate_series(1, 1000) number
      """)
    let places = (0..<RecordStore.batch).map { "('move', 'x\($0)')" }.joined(separator: ", ")
    var plan = ""
    try connection.query(
      """
      EXPLAIN WITH wanted(type, id) AS (VALUES \(places))
      SELECT fields FROM wanted CROSS JOIN record
      WHERE record.type = wanted.type AND record.id = wanted.id
      """, []
    ) { row in plan += row.text(0) + "\n" }
    #expect(plan.hasPrefix("Nested Loop"), "\(plan)")
    #expect(plan.contains("Index Cond: ((type = "), "\(plan)")
  }
}
