// Interrupted and resumed uploads.

import Testing

@testable import Storage

@Suite(.serialized)
struct FolderUploadStoreTests {
  private let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  @Test func `an upload in three pieces has the hash of the whole`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let upload = try store.create(length: 5, fileName: "Swan 🦢/../x.mp3")
    for (offset, piece) in [(0, "he"), (2, "ll"), (4, "o")] {
      let appender = try store.append(upload.id, offset: offset)
      try appender.write(Array(piece.utf8))
      #expect(try appender.finish() == offset + piece.utf8.count)
    }
    #expect(try store.upload(upload.id).isComplete)
    #expect(try store.upload(upload.id).fileName == "Swan 🦢/../x.mp3")
    let taken = try store.take(upload.id)
    #expect(taken.reference == BlobReference(sha256: hello, size: 5))
    #expect(try Files.read(taken.path) == Array("hello".utf8))
    #expect(code { _ = try store.take(upload.id) } == .notFound)
    #expect(try Files.names(in: workshop.folder.uploads).isEmpty)
    let blob = try FolderBlobStore(folder: workshop.folder).place(taken)
    #expect(blob == BlobReference(sha256: hello, size: 5))
  }

  @Test func `an upload continues after a restart`() throws {
    let workshop = try Workshop()
    var store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let appender = try store.append(id, offset: 0)
    try appender.write(Array("hel".utf8))
    appender.abort()

    try workshop.folder.prepare()
    store = FolderUploadStore(folder: workshop.folder)
    #expect(try store.upload(id).offset == 3)
    let rest = try store.append(id, offset: 3)
    try rest.write(Array("lo".utf8))
    #expect(try rest.finish() == 5)
    #expect(try store.take(id).reference.sha256 == hello)
  }

  @Test func `bytes that were not written are requested again completely`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let broken = try store.append(id, offset: 0)
    try broken.write(Array("he".utf8))
    broken.abort()
    let appender = try store.append(id, offset: 2)
    try appender.write(Array("llo".utf8))
    FileJournal.$note.withValue({ call, _ in
      if call == "fsync" { throw StorageError(.fileSystem, "failed") }
    }) {
      #expect(code { _ = try appender.finish() } == .fileSystem)
    }
    #expect(try store.upload(id).offset == 0)
    let again = try store.append(id, offset: 0)
    try again.write(Array("hello".utf8))
    #expect(try again.finish() == 5)
    #expect(try store.take(id).reference.sha256 == hello)
  }

  @Test func `bytes are accepted only at the end of the stored ones`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    #expect(code { _ = try store.append(id, offset: 1) } == .offsetMismatch)
    let appender = try store.append(id, offset: 0)
    try appender.write(Array("he".utf8))
    _ = try appender.finish()
    #expect(code { _ = try store.append(id, offset: 0) } == .offsetMismatch)
    #expect(try store.upload(id).offset == 2)
  }

  @Test func `more bytes than announced are refused`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let appender = try store.append(id, offset: 0)
    try appender.write(Array("hell".utf8))
    #expect(code { try appender.write(Array("oo".utf8)) } == .tooLarge)
    #expect(try appender.finish() == 4)
    #expect(try store.upload(id).offset == 4)
  }

  @Test func `only one writer at a time has an upload`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let appender = try store.append(id, offset: 0)
    #expect(code { _ = try store.append(id, offset: 0) } == .busy)
    #expect(code { try store.delete(id) } == .busy)
    #expect(code { _ = try store.take(id) } == .busy)
    appender.abort()
    appender.abort()
    #expect(code { try appender.write([1]) } == .busy)
    _ = try store.append(id, offset: 0).finish()
    try store.delete(id)
    #expect(try store.all().isEmpty)
  }

  @Test func `a released appender unlocks its upload`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    try store.append(id, offset: 0).write([1])
    _ = try store.append(id, offset: 1)
  }

  @Test func `an incomplete upload can't be taken and an empty one is refused`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    #expect(code { _ = try store.take(id) } == .incomplete)
    #expect(try store.upload(id).length == 5)
    let empty = try store.create(length: 0, fileName: "b.mp3").id
    #expect(code { _ = try store.take(empty) } == .empty)
    #expect(code { _ = try store.upload(empty) } == .notFound)
  }

  @Test func `a file that is too large and too many bytes are refused at once`() throws {
    let workshop = try Workshop()
    let limits = UploadLimits(fileBytes: 100, totalBytes: 150)
    let store = FolderUploadStore(folder: workshop.folder, limits: limits)
    #expect(code { _ = try store.create(length: 101, fileName: "a") } == .tooLarge)
    #expect(code { _ = try store.create(length: -1, fileName: "a") } == .tooLarge)
    _ = try store.create(length: 100, fileName: "a")
    #expect(code { _ = try store.create(length: 51, fileName: "b") } == .noSpace)
    _ = try store.create(length: 50, fileName: "b")
    let wide = FolderUploadStore(
      folder: workshop.folder, limits: UploadLimits(fileBytes: 1 << 60, totalBytes: 1 << 61))
    #expect(code { _ = try wide.create(length: 1 << 59, fileName: "c") } == .noSpace)
  }

  @Test func `an abandoned upload is deleted`() throws {
    let workshop = try Workshop()
    let store = FolderUploadStore(folder: workshop.folder)
    let id = try store.create(length: 5, fileName: "a.mp3").id
    #expect(try store.expire(olderThan: 60).isEmpty)
    let appender = try store.append(id, offset: 0)
    #expect(try store.expire(olderThan: -60).isEmpty, "somebody is writing")
    appender.abort()
    #expect(try store.expire(olderThan: -60) == [id])
    #expect(try Files.names(in: workshop.folder.uploads).isEmpty)
  }

  @Test func `an upload that was half created at a crash is ignored and expires`() throws {
    let workshop = try Workshop()
    try Files.writeNew(workshop.folder.uploads + "/one.part", [1])
    try Files.writeNew(workshop.folder.uploads + "/two.part", [])
    try Files.writeNew(workshop.folder.uploads + "/two.json", Array("{\"len".utf8))
    try Files.writeNew(workshop.folder.uploads + "/three.json", Array("{}".utf8))
    let store = FolderUploadStore(folder: workshop.folder)
    #expect(try store.all().isEmpty)
    #expect(code { _ = try store.upload("two") } == .notFound)
    #expect(try store.expire(olderThan: -60) == ["one", "three", "two"])
    #expect(try Files.names(in: workshop.folder.uploads).isEmpty)
  }

  @Test func `no external id leads out of the folder`() throws {
    let store = FolderUploadStore(folder: try Workshop().folder)
    for id in ["../tmp/x", "", "a/b", ".", "nobody"] {
      #expect(code { _ = try store.upload(id) } == .notFound)
      #expect(code { try store.delete(id) } == .notFound)
    }
  }
}
