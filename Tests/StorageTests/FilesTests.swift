// Files: a temporary folder is removed with its content, however the work in it ends.

import TestSupport
import Testing

@testable import Storage

@Suite struct FilesTests {
  private struct Failure: Error {}

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a temporary folder exists during the work and is removed after it`() throws {
    let path = folder.path + "/scratch"
    let content = try Files.withTemporaryFolder(path) {
      try Files.makeFolder(path + "/inner")
      return try Files.names(in: path)
    }
    #expect(content == ["inner"])
    #expect(!Files.exists(path))
  }

  @Test func `a temporary folder is removed after an error, which is passed on`() {
    let path = folder.path + "/scratch"
    #expect(throws: Failure.self) {
      try Files.withTemporaryFolder(path) {
        try Files.makeFolder(path + "/inner")
        throw Failure()
      }
    }
    #expect(!Files.exists(path))
  }
}
