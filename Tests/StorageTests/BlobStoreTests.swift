// Blobs, named by their hash.

import Synchronization
import Testing

@testable import Storage

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized)
struct BlobStoreTests {
  private let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  @Test func `bytes are found under their hash`() throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    let blob = try store.add(contentsOf: Array("hello".utf8))
    #expect(blob == BlobReference(sha256: hello, size: 5))
    #expect(try Files.read(workshop.folder.blob(hello)) == Array("hello".utf8))
    #expect(workshop.folder.blob(hello).hasSuffix("/blobs/2c/" + hello))
    #expect(try store.verify(hello))
    #expect(try store.all() == [blob])
    #expect(store.contains(hello))
  }

  @Test func `a blob that is removed during the listing is not listed`() throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    let blob = try store.add(contentsOf: Array("hello".utf8))
    // Listed, but missing, like a file that is removed right after the listing.
    let gone = workshop.folder.blob("2c" + String(repeating: "0", count: 62))
    #expect(symlink("nowhere", gone) == 0)
    #expect(try store.all() == [blob])
  }

  @Test func `equal bytes are one blob for every way of adding`() throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    let first = try store.add(contentsOf: Array("hello".utf8))
    let kept = try workshop.file(Array("hello".utf8))
    #expect(try store.place(store.stage(copyOf: kept)) == first)
    #expect(Files.exists(kept))
    try Files.remove(kept)
    #expect(try store.all() == [first])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `bytes are synced before the rename, and the folder before the return`()
    throws
  {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    let source = try workshop.file(Array("hello".utf8))
    for add in [
      { try store.add(contentsOf: Array("hello".utf8)) },
      { try store.place(store.stage(copyOf: source)) },
    ] {
      let journal = Mutex<[String]>([])
      _ = try FileJournal.$note.withValue({ call, path in
        journal.withLock { $0.append(call + " " + (path.split(separator: "/").last ?? "")) }
      }) { try add() }
      let calls = journal.withLock { $0 }
      #expect(calls.count == 4, "\(calls)")
      #expect(calls[0].hasPrefix("fsync blob"))
      #expect(Array(calls[1...]) == ["rename \(hello)", "fsync 2c", "fsync blobs"])
      try store.remove(hello)
      try Files.removeTree(workshop.folder.blobs + "/2c")
    }
  }

  /// Calls `body` while every call of `failing` fails, and returns the names of the calls.
  private func journal(
    failing: String? = nil, _ body: () throws -> Void
  ) rethrows -> [String] {
    let journal = Mutex<[String]>([])
    try FileJournal.$note.withValue({ call, path in
      let line = call + " " + (path.split(separator: "/").last ?? "")
      journal.withLock { $0.append(line) }
      if line == failing { throw StorageError.system(call, path, number: EIO) }
    }) { try body() }
    return journal.withLock { $0 }
  }

  @Test func `an existing blob is not reported before its name is synced`()
    throws
  {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    // The state after a server was killed before it could sync the name.
    try Files.makeFolder(workshop.folder.blobs + "/2c")
    try Files.writeNew(workshop.folder.blob(hello), Array("hello".utf8))
    let calls = try journal { _ = try store.add(contentsOf: Array("hello".utf8)) }
    #expect(calls.suffix(2) == ["fsync 2c", "fsync blobs"], "\(calls)")
  }

  @Test(arguments: ["fsync 2c", "fsync blobs"])
  func `a blob whose name could not be synced is not stored`(call: String) throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    #expect(try store.storedBytes() == 0)
    _ = journal(failing: call) {
      #expect(code { _ = try store.add(contentsOf: Array("hello".utf8)) } == .fileSystem)
    }
    #expect(!store.contains(hello))
    #expect(try store.storedBytes() == 0)
    // Damaged bytes that were replaced by good ones: the good ones stay.
    try Files.writeNew(workshop.folder.blob(hello), Array("hallo".utf8))
    _ = journal(failing: call) {
      #expect(code { _ = try store.add(contentsOf: Array("hello".utf8)) } == .fileSystem)
    }
    #expect(try store.verify(hello))
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `a shard folder whose first name failed is synced with the next one`() throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    _ = journal(failing: "rename \(hello)") {
      #expect(code { _ = try store.add(contentsOf: Array("hello".utf8)) } == .fileSystem)
    }
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
    let calls = try journal { _ = try store.add(contentsOf: Array("hello".utf8)) }
    #expect(calls.suffix(2) == ["fsync 2c", "fsync blobs"], "\(calls)")
  }

  @Test(arguments: ["hell", "hallo", "hello!"])
  func `a damaged blob is detected and replaced by intact bytes`(found: String) throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    _ = try store.add(contentsOf: Array("hello".utf8))
    try Files.remove(workshop.folder.blob(hello))
    try Files.writeNew(workshop.folder.blob(hello), Array(found.utf8))
    #expect(try !store.verify(hello))
    _ = try store.add(contentsOf: Array("hello".utf8))
    #expect(try store.verify(hello))
  }

  @Test func `removing a missing blob is no error and verifying it is one`() throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    try store.remove(hello)
    #expect(code { _ = try store.verify(hello) } == .notFound)
    #expect(code { _ = try store.stage(copyOf: "/nowhere/at-all") } == .notFound)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `no external name leads out of the folder`() throws {
    let folder = try Workshop().folder
    for name in ["../../etc", "a/b", "", ".", "a\0b", String(repeating: "a", count: 65)] {
      #expect(folder.derived(name) == folder.root + "/derived/no-such-id")
      #expect(folder.blob(name) == folder.root + "/blobs/no-such-blob")
    }
  }

  @Test func `preparing deletes the files of a crash and keeps the rest`() throws {
    let workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    let blob = try store.add(contentsOf: Array("hello".utf8))
    _ = try workshop.file([1, 2, 3])
    try Files.makeFolder(workshop.folder.tmp + "/import-1/ready")
    try workshop.folder.prepare()
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
    #expect(try store.all() == [blob])
  }

  @Test func `nothing is stored if the disk has less free space than the reserve`() throws {
    let workshop = try Workshop()
    #expect(code { try workshop.folder.requireSpace(for: 1 << 60) } == .noSpace)
    try workshop.folder.requireSpace(for: 0)
  }
}
