// Bytes under the name of their hash.

import Synchronization
import Testing

@testable import Media

@Suite(.serialized)
struct BlobStoreTests {
  private let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  @Test func `bytes are found under their hash`() throws {
    let workshop = try Workshop()
    let store = BlobStore(folder: workshop.folder)
    let blob = try store.add(contentsOf: Array("hello".utf8))
    #expect(blob == BlobReference(sha256: hello, size: 5))
    #expect(try Files.read(workshop.folder.blob(hello)) == Array("hello".utf8))
    #expect(workshop.folder.blob(hello).hasSuffix("/blobs/2c/" + hello))
    #expect(try store.verify(hello))
    #expect(try store.all() == [blob])
    #expect(store.contains(hello))
  }

  @Test func `the same bytes twice are one blob, however they come`() throws {
    let workshop = try Workshop()
    let store = BlobStore(folder: workshop.folder)
    let first = try store.add(contentsOf: Array("hello".utf8))
    let kept = try workshop.file(Array("hello".utf8))
    #expect(try store.add(copyOf: kept) == first)
    #expect(Files.exists(kept))
    #expect(try store.add(fileAt: kept) == first)
    #expect(!Files.exists(kept))
    #expect(try store.all() == [first])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `bytes are on the disk before they have their name, and the name before it returns`()
    throws
  {
    let workshop = try Workshop()
    let store = BlobStore(folder: workshop.folder)
    let source = try workshop.file(Array("hello".utf8))
    for add in [
      { try store.add(contentsOf: Array("hello".utf8)) }, { try store.add(copyOf: source) },
      { try store.add(fileAt: source) },
    ] {
      let journal = Mutex<[String]>([])
      _ = try FileJournal.$note.withValue({ call, path in
        journal.withLock { $0.append(call + " " + (path.split(separator: "/").last ?? "")) }
      }) { try add() }
      let calls = journal.withLock { $0 }
      #expect(calls.count == 4, "\(calls)")
      #expect(calls[0].hasPrefix("fsync blob") || calls[0].hasPrefix("fsync test"))
      #expect(Array(calls[1...]) == ["rename \(hello)", "fsync 2c", "fsync blobs"])
      try store.remove(hello)
      try Files.removeTree(workshop.folder.blobs + "/2c")
    }
  }

  @Test(arguments: ["hell", "hallo", "hello!"])
  func `a damaged blob is noticed and replaced by good bytes of the same hash`(found: String) throws
  {
    let workshop = try Workshop()
    let store = BlobStore(folder: workshop.folder)
    _ = try store.add(contentsOf: Array("hello".utf8))
    try Files.remove(workshop.folder.blob(hello))
    try Files.writeNew(workshop.folder.blob(hello), Array(found.utf8))
    #expect(try !store.verify(hello))
    _ = try store.add(contentsOf: Array("hello".utf8))
    #expect(try store.verify(hello))
  }

  @Test func `removing what is not there is no error, verifying it is`() throws {
    let workshop = try Workshop()
    let store = BlobStore(folder: workshop.folder)
    try store.remove(hello)
    #expect(code { _ = try store.verify(hello) } == .notFound)
    #expect(code { _ = try store.add(copyOf: "/nowhere/at-all") } == .notFound)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `no name from outside leads out of the folder`() throws {
    let folder = try Workshop().folder
    for name in ["../../etc", "a/b", "", ".", "a\0b", String(repeating: "a", count: 65)] {
      #expect(folder.derived(name) == folder.root + "/derived/no-such-id")
      #expect(folder.blob(name) == folder.root + "/blobs/no-such-blob")
    }
  }

  @Test func `preparing empties what a crash left and keeps the rest`() throws {
    let workshop = try Workshop()
    let store = BlobStore(folder: workshop.folder)
    let blob = try store.add(contentsOf: Array("hello".utf8))
    _ = try workshop.file([1, 2, 3])
    try Files.makeFolder(workshop.folder.tmp + "/import-1/ready")
    try workshop.folder.prepare()
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
    #expect(try store.all() == [blob])
  }

  @Test func `when the disk has less room than the reserve nothing is stored`() throws {
    let workshop = try Workshop()
    #expect(code { try workshop.folder.requireSpace(for: 1 << 60) } == .noSpace)
    try workshop.folder.requireSpace(for: 0)
  }
}
