// Uploads in a bucket: pieces, another server that goes on, and all that can break off.

import Synchronization
import Testing

@testable import Storage

@Suite struct BucketUploadStoreTests {
  private let workshop: Workshop
  private let bucket: FakeBucket
  private let time = Clock()
  private let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  /// Seconds after midnight, for the stores.
  private final class Clock: Sendable {
    private let seconds = Mutex(0)
    var second: Int {
      get { seconds.withLock { $0 } }
      set { seconds.withLock { $0 = newValue } }
    }
  }

  init() throws {
    workshop = try Workshop()
    bucket = try FakeBucket()
  }

  /// A server: what it knows, it knows from the bucket.
  private func store(
    limits: UploadLimits = UploadLimits(), pieceBytes: Int = 1_000,
    report: @escaping @Sendable (StorageError?) -> Void = { _ in }
  ) throws -> BucketUploadStore {
    try BucketUploadStore(
      folder: workshop.folder, client: bucket.client, limits: limits, pieceBytes: pieceBytes,
      report: report, now: { [time] in FakeBucket.midnight + time.second })
  }

  private func add(_ text: String, at offset: Int, to id: String, _ store: BucketUploadStore) throws
  {
    let appender = try store.append(id, offset: offset)
    try appender.write(Array(text.utf8))
    #expect(try appender.finish() == offset + text.utf8.count)
  }

  /// Puts a piece into the bucket, as another server would.
  private func lay(_ text: String, at offset: Int, of id: String) {
    let bytes = Array(text.utf8)
    bucket.objects["studio/" + UploadObjects.name(id, piece(bytes, offset))] = bytes
  }

  private func piece(_ bytes: [UInt8], _ offset: Int) -> UploadPiece {
    var hasher = SHA256Hasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    return UploadPiece(offset: offset, length: bytes.count, sha256: hasher.digest())
  }

  /// Takes an upload as a server does, and returns its hash and bytes.
  private func take(_ id: String, _ store: BucketUploadStore) throws -> (
    sha256: String, text: String
  ) {
    let (size, prepared) = try store.prepareToTake(id) { (try Files.size(of: $0), $1) }
    #expect(size == prepared.size)
    let taken = try store.take(id)
    #expect(taken.reference == prepared)
    let text = String(decoding: try Files.read(taken.path), as: UTF8.self)
    try taken.discard()
    store.end(id, isRecorded: true)
    try store.finishRemovals()
    return (taken.reference.sha256, text)
  }

  private var scraps: [String] { get throws { try Files.names(in: workshop.folder.tmp) } }

  @Test func `an upload in three pieces has the hash of the whole, and nothing of it is left`()
    throws
  {
    let store = try store()
    let id = try store.create(length: 5, fileName: "Swan 🦢/../x.mp3").id
    for (offset, text) in [(0, "he"), (2, "ll"), (4, "o")] {
      try add(text, at: offset, to: id, store)
    }
    #expect(try store.upload(id).isComplete)
    #expect(try store.upload(id).fileName == "Swan 🦢/../x.mp3")
    #expect(bucket.objects.count == 4)
    #expect(bucket.objects.keys.contains("studio/uploads/\(id)/upload-5.json"))
    _ = bucket.takeRequests()
    let taken = try take(id, store)
    #expect(taken == (hello, "hello"))
    #expect(!bucket.takeRequests().contains { $0.hasPrefix("GET studio/") }, "it is on this disk")
    #expect(bucket.objects.isEmpty)
    #expect(try scraps.isEmpty)
    #expect(code { _ = try store.upload(id) } == .notFound)
  }

  @Test func `another server goes on at the acknowledged byte, and the bytes are the same`() throws
  {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("hel", at: 0, to: id, first)
    // The first one is gone, with its disk.
    let second = try store()
    #expect(second.all().map(\.offset) == [3])
    #expect(try second.promisedBytes() == 5)
    #expect(try second.receivedBytes() == 3)
    #expect(try second.upload(id) == Upload(id: id, length: 5, offset: 3, fileName: "a.mp3"))
    try add("lo", at: 3, to: id, second)
    #expect(try take(id, second) == (hello, "hello"))
    #expect(bucket.objects.isEmpty)
  }

  @Test func `two servers take the pieces in turns`() throws {
    let (first, second) = (try store(), try store())
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("h", at: 0, to: id, first)
    try add("e", at: 1, to: id, second)
    try add("ll", at: 2, to: id, first)
    #expect(code { _ = try second.append(id, offset: 1) } == .offsetMismatch)
    try add("o", at: 4, to: id, second)
    #expect(try take(id, first) == (hello, "hello"))
    // It is over for the other one, too.
    #expect(code { _ = try second.upload(id) } == .notFound)
    try second.refresh { _ in false }
    #expect(second.all().isEmpty)
  }

  @Test func `one large request is stored in pieces, and a broken one loses less than a piece`()
    throws
  {
    let first = try store(pieceBytes: 4)
    let id = try first.create(length: 11, fileName: "a.mp3").id
    let appender = try first.append(id, offset: 0)
    for text in ["hell", "o wo", "rl"] {
      try appender.write(Array(text.utf8))
      if appender.isPieceFull { try appender.send() }
    }
    #expect(appender.offset == 8)
    // Killed here, the server has acknowledged nothing of it; the bucket has two pieces.
    #expect(try store().all().map(\.offset) == [8])
    appender.abort()
    let second = try store()
    try add("rld", at: 8, to: id, second)
    #expect(try take(id, second).text == "hello world")
  }

  @Test func `what arrived before the connection broke is sent`() throws {
    let store = try store()
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let appender = try store.append(id, offset: 0)
    try appender.write(Array("hel".utf8))
    try appender.send()
    appender.abort()
    #expect(code { try appender.write([1]) } == .busy)
    #expect(try store.upload(id).offset == 3)
    try add("lo", at: 3, to: id, store)
    #expect(try take(id, store) == (hello, "hello"))
  }

  @Test func `bytes that the bucket did not take are not acknowledged, and nothing is lost`() throws
  {
    let problems = Mutex<[Bool]>([])
    let store = try store(report: { problem in problems.withLock { $0.append(problem != nil) } })
    let id = try store.create(length: 5, fileName: "a.mp3").id
    try add("he", at: 0, to: id, store)
    bucket.failAlways("PUT")
    let appender = try store.append(id, offset: 2)
    try appender.write(Array("ll".utf8))
    #expect(code { _ = try appender.finish() } == .unreachable)
    #expect(problems.withLock { $0.last } == true)
    bucket.heal()
    #expect(try store.upload(id).offset == 2)
    #expect(problems.withLock { $0.last } == false)
    try add("llo", at: 2, to: id, store)
    #expect(try take(id, store) == (hello, "hello"))
  }

  @Test func `an upload that the bucket does not hear of is refused, and promises nothing`() throws
  {
    let store = try store()
    bucket.failAlways("PUT")
    #expect(code { _ = try store.create(length: 5, fileName: "a.mp3") } == .unreachable)
    #expect(store.all().isEmpty)
    bucket.heal()
    try store.finishRemovals()
    #expect(bucket.objects.isEmpty)
  }

  @Test func `a bucket that is away while an upload is taken keeps all of it`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("hel", at: 0, to: id, first)
    try add("lo", at: 3, to: id, first)
    let second = try store()
    bucket.failAlways("GET")
    #expect(code { _ = try take(id, second) } == .unreachable)
    bucket.heal()
    #expect(try take(id, second) == (hello, "hello"))
  }

  @Test func `what was fetched before the bucket went away is not fetched again`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("hel", at: 0, to: id, first)
    try add("lo", at: 3, to: id, first)
    let second = try store()
    let name = "GET studio/" + UploadObjects.name(id, piece(Array("lo".utf8), 3))
    bucket.before { [bucket] line in if line == name { bucket.failAlways("GET") } }
    #expect(code { _ = try take(id, second) } == .unreachable)
    bucket.before { _ in }
    bucket.heal()
    _ = bucket.takeRequests()
    #expect(try take(id, second) == (hello, "hello"))
    #expect(bucket.takeRequests().filter { $0.hasPrefix("GET studio/") } == [name])
  }

  @Test func `a record that could not be made leaves the upload`() throws {
    let store = try store()
    let id = try store.create(length: 5, fileName: "a.mp3").id
    try add("hello", at: 0, to: id, store)
    try store.prepareToTake(id) { _, _ in }
    let taken = try store.take(id)
    #expect(store.all().isEmpty, "it counts as an original now")
    #expect(code { _ = try store.take(id) } == .busy)
    #expect(code { _ = try store.append(id, offset: 5) } == .busy)
    try taken.discard()
    store.end(id, isRecorded: false)
    #expect(store.all().count == 1)
    #expect(try take(id, store) == (hello, "hello"))
  }

  @Test func `the pieces of a taken upload go when the record was made before a crash`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    let other = try first.create(length: 5, fileName: "b.mp3").id
    try add("hello", at: 0, to: id, first)
    let before = bucket.objects
    for isHalfDeleted in [false, true] {
      bucket.objects = before
      if isHalfDeleted { bucket.objects["studio/uploads/\(id)/upload-5.json"] = nil }
      let second = try store()
      try second.refresh { $0 == id }
      try second.finishRemovals()
      #expect(second.all().map(\.id) == [other])
      #expect(bucket.objects.keys.sorted() == ["studio/uploads/\(other)/upload-5.json"])
    }
  }

  @Test func `a deletion that broke off is no upload, and its pieces expire`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("hello", at: 0, to: id, first)
    _ = bucket.takeRequests()
    bucket.before { [bucket] line in
      if line.hasPrefix("DELETE"), !line.hasSuffix(".json") { bucket.failAlways("DELETE") }
    }
    #expect(code { try first.delete(id) } == .unreachable)
    #expect(code { try first.delete(id) } == .notFound)
    bucket.before { _ in }
    bucket.heal()
    let second = try store()
    #expect(second.all().isEmpty)
    #expect(code { _ = try second.upload(id) } == .notFound)
    #expect(second.expire(olderThan: 60).isEmpty)
    time.second = 60
    #expect(second.expire(olderThan: 60) == [id])
    try second.finishRemovals()
    #expect(bucket.objects.isEmpty)
  }

  @Test func `an abandoned upload expires by its last piece`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    bucket.setTime(50)
    time.second = 50
    try add("he", at: 0, to: id, first)
    for store in [first, try store()] {
      time.second = 109
      #expect(store.expire(olderThan: 60).isEmpty)
      time.second = 110
      let appender = try store.append(id, offset: 2)
      #expect(store.expire(olderThan: 60).isEmpty, "somebody is writing")
      appender.abort()
      #expect(store.expire(olderThan: 60) == [id])
      #expect(store.all().isEmpty)
    }
    try first.finishRemovals()
    #expect(bucket.objects.isEmpty)
    #expect(try scraps.isEmpty)
  }

  @Test func `an upload that another server goes on with does not expire here`() throws {
    let (first, second) = (try store(), try store())
    let id = try first.create(length: 5, fileName: "a.mp3").id
    bucket.setTime(100)
    time.second = 100
    try add("he", at: 0, to: id, second)
    try first.refresh { _ in false }
    time.second = 120
    #expect(first.expire(olderThan: 60).isEmpty)
  }

  @Test func `an abandoned upload does not block a new one`() throws {
    let limits = UploadLimits(fileBytes: 100, totalBytes: 150)
    let store = try store(limits: limits)
    let id = try store.create(length: 100, fileName: "a").id
    #expect(code { _ = try store.create(length: 101, fileName: "a") } == .tooLarge)
    #expect(code { _ = try store.create(length: 51, fileName: "b") } == .noSpace)
    #expect(
      code { _ = try self.store(limits: limits).create(length: 51, fileName: "b") } == .noSpace)
    time.second = Upload.lifeSeconds
    _ = try store.create(length: 51, fileName: "b")
    #expect(code { _ = try store.upload(id) } == .notFound)
  }

  @Test func `more bytes than announced are refused, and those before are kept`() throws {
    let store = try store()
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let appender = try store.append(id, offset: 0)
    try appender.write(Array("hell".utf8))
    #expect(code { try appender.write(Array("oo".utf8)) } == .tooLarge)
    #expect(try appender.finish() == 4)
    #expect(try store.upload(id).offset == 4)
  }

  @Test func `only one writer of a server at a time has an upload`() throws {
    let store = try store()
    let id = try store.create(length: 5, fileName: "a.mp3").id
    let appender = try store.append(id, offset: 0)
    #expect(code { _ = try store.append(id, offset: 0) } == .busy)
    #expect(code { try store.delete(id) } == .busy)
    #expect(code { _ = try take(id, store) } == .busy)
    appender.abort()
    appender.abort()
    #expect(try store.append(id, offset: 0).finish() == 0)
    try store.delete(id)
    #expect(bucket.objects.isEmpty)
    #expect(code { try store.delete(id) } == .notFound)
  }

  @Test func `an incomplete upload can't be taken and an empty one is refused`() throws {
    let store = try store()
    let id = try store.create(length: 5, fileName: "a.mp3").id
    #expect(code { _ = try take(id, store) } == .incomplete)
    let empty = try store.create(length: 0, fileName: "b.mp3").id
    #expect(code { _ = try take(empty, store) } == .empty)
    #expect(code { _ = try store.upload(empty) } == .notFound)
    #expect(code { _ = try take("nobody", store) } == .notFound)
  }

  @Test func `a gap ends what has arrived, until it is filled`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    lay("he", at: 0, of: id)
    lay("o", at: 4, of: id)
    let second = try store()
    #expect(try second.upload(id).offset == 2)
    #expect(code { _ = try take(id, second) } == .incomplete)
    try add("ll", at: 2, to: id, second)
    #expect(try second.upload(id).offset == 5)
    #expect(try take(id, second) == (hello, "hello"))
  }

  @Test func `pieces that overlap give each byte once`() throws {
    let first = try store()
    let id = try first.create(length: 11, fileName: "a.mp3").id
    lay("he", at: 0, of: id)
    lay("hello", at: 0, of: id)
    lay("hell", at: 0, of: id)
    lay("lo w", at: 3, of: id)
    lay("o", at: 4, of: id)
    lay(" worl", at: 5, of: id)
    lay("world", at: 6, of: id)
    let second = try store()
    #expect(try second.upload(id).offset == 11)
    #expect(try take(id, second).text == "hello world")
  }

  @Test func `a damaged piece is sent again`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("he", at: 0, to: id, first)
    try add("llo", at: 2, to: id, first)
    let name = "studio/" + UploadObjects.name(id, piece(Array("llo".utf8), 2))
    bucket.objects[name] = Array("lxo".utf8)
    let second = try store()
    #expect(code { _ = try take(id, second) } == .incomplete)
    #expect(bucket.objects[name] == nil)
    #expect(try second.upload(id).offset == 2)
    try add("llo", at: 2, to: id, second)
    #expect(try take(id, second) == (hello, "hello"))
  }

  @Test func `a piece that vanishes is sent again`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("he", at: 0, to: id, first)
    try add("llo", at: 2, to: id, first)
    let second = try store()
    let name = "studio/" + UploadObjects.name(id, piece(Array("he".utf8), 0))
    bucket.objects[name] = nil
    #expect(code { _ = try take(id, second) } == .incomplete)
    #expect(try second.upload(id).offset == 0)
    try add("hello", at: 0, to: id, second)
    #expect(try take(id, second) == (hello, "hello"))
  }

  @Test func `what else lies beside the pieces is no part of an upload`() throws {
    let first = try store()
    let id = try first.create(length: 5, fileName: "a.mp3").id
    try add("he", at: 0, to: id, first)
    let whole = piece(Array("llo".utf8), 2)
    let place = "studio/uploads/\(id)/"
    let hostile = [
      place + whole.name: 2,  // of another size
      place + piece(Array("lloo".utf8), 2).name: 4,  // beyond the end
      place + whole.name.uppercased(): 3,
      place + "2-3-" + whole.sha256: 3,
      place + "+000000000002-0000000000003-" + whole.sha256: 3,
      place + "0000000000002-0000000000000-" + whole.sha256: 0,
      place + "9223372036854775807-9223372036854775807-" + whole.sha256: 3,
      place + "upload-05.json": 1, place + "upload--5.json": 1, place + "upload-.json": 1,
      place + "notes.txt": 1, place + "a/b": 1, "studio/uploads/../upload-5.json": 1,
      "studio/uploads/a b/upload-5.json": 1, "studio/uploads/upload-5.json": 1,
      "studio/uploads//upload-5.json": 1,
    ]
    for (name, size) in hostile { bucket.objects[name] = [UInt8](repeating: 1, count: size) }
    let second = try store()
    #expect(second.all().map(\.id) == [id])
    #expect(try second.upload(id).offset == 2)
    for id in ["../tmp/x", "", "a/b", ".", "nobody"] {
      #expect(code { _ = try second.upload(id) } == .notFound)
      #expect(code { _ = try second.append(id, offset: 0) } == .notFound)
      #expect(code { try second.delete(id) } == .notFound)
    }
    try add("llo", at: 2, to: id, second)
    #expect(try take(id, second) == (hello, "hello"))
  }

  @Test func `a name that can't be read costs no bytes`() throws {
    let id = try store().create(length: 5, fileName: "a.mp3").id
    bucket.objects["studio/uploads/\(id)/upload-5.json"] = Array("{\"fil".utf8)
    let second = try store()
    #expect(try second.upload(id).fileName == "Untitled")
    try add("hello", at: 0, to: id, second)
    #expect(try take(id, second) == (hello, "hello"))
  }

  @Test func `thousands of pieces are one upload, over several pages of a list`() throws {
    let id = try store().create(length: 3_000, fileName: "a.mp3").id
    let text = (0..<3_000).map { String($0 % 10) }.joined()
    for (offset, digit) in text.enumerated().shuffled() { lay(String(digit), at: offset, of: id) }
    let second = try store()
    #expect(try second.upload(id).isComplete)
    #expect(try take(id, second).text == text)
    #expect(bucket.objects.isEmpty)
  }

  @Test func `an upload that begins while a list is read is not forgotten`() throws {
    let store = try store()
    // One that the bucket does not hold yet, and one that begins after the list was asked for.
    let early = try store.create(length: 5, fileName: "a.mp3") { _ in }
    let made = Mutex<String?>(nil)
    bucket.before { line in
      guard line == "GET ", made.withLock({ $0 == nil }) else { return }
      // The list is answered without it: it is asked for before this one is stored.
      made.withLock { $0 = "" }
      let id = try? store.create(length: 5, fileName: "a.mp3") { _ in }.id
      made.withLock { $0 = id }
    }
    try store.refresh { _ in false }
    bucket.before { _ in }
    let late = try #require(made.withLock { $0 })
    for id in [early.id, late] {
      try store.keep(Upload(id: id, length: 5, offset: 0, fileName: "a.mp3"))
      try add("hello", at: 0, to: id, store)
      #expect(try take(id, store) == (hello, "hello"))
    }
  }

  @Test func `uploads in the folder move to the bucket when the library does`() throws {
    let before = FolderUploadStore(folder: workshop.folder)
    let ids = try [("a.mp3", "hel"), ("b.mp3", "")].map { name, text in
      let id = try before.create(length: 5, fileName: name).id
      let appender = try before.append(id, offset: 0)
      try appender.write(Array(text.utf8))
      _ = try appender.finish()
      return id
    }
    try Files.writeNew(workshop.folder.uploads + "/half.part", [1])
    // It breaks off at the second piece, and goes on with the next start.
    let broken = try store(pieceBytes: 2)
    bucket.before { [bucket] line in
      if line.contains("/0000000000002-") { bucket.failAlways("PUT") }
    }
    #expect(code { _ = try broken.takeOverFolder() } == .unreachable)
    bucket.before { _ in }
    bucket.heal()
    let after = try store(pieceBytes: 2)
    #expect(try (1...2).contains(after.takeOverFolder()))
    #expect(try Files.names(in: workshop.folder.uploads).isEmpty)
    #expect(try ids.map { try after.upload($0).fileName } == ["a.mp3", "b.mp3"])
    #expect(try ids.map { try after.upload($0).offset } == [3, 0])
    try add("lo", at: 3, to: ids[0], after)
    #expect(try take(ids[0], after) == (hello, "hello"))
    #expect(try after.takeOverFolder() == 0)
  }
}
