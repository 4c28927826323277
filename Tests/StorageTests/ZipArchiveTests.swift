// Zips, read by an independent implementation.

import TestSupport
import Testing

@testable import Storage

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct ZipArchiveTests {
  @Test func `every file is extracted unchanged with its name in any script`() throws {
    let workshop = try Workshop()
    let names = ["01 Été.flac", "02 سماء.flac", "03 \u{1F3B5} 日本語.flac", "04 plain.flac"]
    let contents: [[UInt8]] = [[], [7], Array(repeating: 0xa5, count: 3 << 20), Array("fLaC".utf8)]
    let files = try contents.map { try workshop.file($0) }
    let path = workshop.folder.temporaryPath("zip")
    try ZipArchive.write(
      zip(names, files).map { ZipArchive.Entry(name: $0, .file(path: $1)) }
        + [.init(name: "labels.txt", .bytes(Array("0\t1\tA\n".utf8)))],
      to: path, modifiedAt: 1_699_959_600)
    let zip = try #require(ZipReader(try Files.read(path)))
    #expect(zip.members.map(\.name) == names + ["labels.txt"])
    #expect(zip.members.dropLast().map(\.bytes) == contents)
    #expect(zip.members.last?.bytes == Array("0\t1\tA\n".utf8))
    #expect(zip.members.allSatisfy { $0.method == 0 })
    for member in zip.members where !member.name.utf8.allSatisfy({ $0 < 128 }) {
      #expect(member.isMarkedUTF8, "\(member.name)")
    }
    // 14 November 2023, 11:00 UTC, is that day in almost every time zone: day, month, years since 1980.
    #expect(zip.members.allSatisfy { $0.date >> 16 == 43 << 9 | 11 << 5 | 14 })
    #expect(files.allSatisfy { !Files.exists($0) }, "what is in the zip needs no second place")
  }

  @Test func `a missing file is reported and not skipped`() throws {
    let workshop = try Workshop()
    let refusal = code {
      try ZipArchive.write(
        [.init(name: "a", .file(path: workshop.folder.tmp + "/none"))],
        to: workshop.folder.temporaryPath("zip"), modifiedAt: 0)
    }
    #expect(refusal == .notFound)
  }

  @Test func `creating a zip can be cancelled`() throws {
    let workshop = try Workshop()
    let file = try workshop.file([1, 2, 3])
    let refusal = code {
      try ZipArchive.write(
        [.init(name: "a", .file(path: file))], to: workshop.folder.temporaryPath("zip"),
        modifiedAt: 0, beforeBlock: { throw StorageError.cancelled })
    }
    #expect(refusal == .cancelled)
  }

  @Test func `a full disk is reported as such`() throws {
    let workshop = try Workshop()
    let file = try workshop.file(Array(repeating: 1, count: 3 << 20))
    // This device rejects every byte because it is full.
    let refusal = code {
      try ZipArchive.write(
        [.init(name: "a", .file(path: file))], into: OpenFile("/dev/full", O_WRONLY),
        modifiedAt: 0, beforeBlock: {})
    }
    #expect(refusal == .noSpace)
  }
}
