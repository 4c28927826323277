// The library that is measured with.

import Model
import Testing

@testable import Server

@Suite struct LibraryFillerTests {
  @Test func `a filled library has as many records as asked for, and is sound`() throws {
    let studio = try TestStudio()
    let filler = LibraryFiller(library: studio.library)
    try filler.fill(.init(routines: 7, parts: 30, moves: 100))
    let records = studio.library.records
    for (type, count) in [(RecordType.routine, 7), (.part, 30), (.move, 100), (.track, 1)] {
      #expect(try records.records(type).filter(\.isComplete).count == count)
    }
    #expect(try LibraryCheck(root: studio.folder.path).problems().isEmpty)
    #expect(studio.log.faults.isEmpty)
  }
}
