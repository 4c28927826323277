// Blobs in a bucket, with a cache on this disk.

import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite struct BucketBlobStoreTests {
  private let workshop: Workshop
  private let bucket: FakeBucket

  init() throws {
    workshop = try Workshop()
    bucket = try FakeBucket()
  }

  private func store(
    cacheBytes: Int = 1_000, report: @escaping @Sendable (StorageError?) -> Void = { _ in }
  ) throws -> BucketBlobStore {
    try BucketBlobStore(
      folder: workshop.folder, client: bucket.client, cacheBytes: cacheBytes, report: report)
  }

  /// Different bytes for each number.
  private func song(_ number: UInt8, count: Int = 400) -> [UInt8] {
    [UInt8](repeating: number, count: count)
  }

  private var cached: [String] {
    get throws { try Files.names(in: workshop.folder.blobCache).sorted() }
  }

  private func read(_ store: BucketBlobStore, _ sha256: String) throws -> [UInt8] {
    try store.withLocal(sha256) { try Files.read($0) }
  }

  @Test func `bytes are in the bucket and in the cache before a record can refer to them`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    #expect(bucket.objects == ["studio/blobs/" + blob.sha256: song(1)])
    #expect(try cached == [blob.sha256])
    #expect(store.contains(blob.sha256))
    #expect(store.storedBytes() == 400)
    #expect(store.all() == [blob])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `bytes that can't be sent are not stored, and nothing is left of them`() throws {
    let store = try store()
    bucket.failAlways("PUT")
    #expect(code { _ = try store.add(contentsOf: song(1)) } == .unreachable)
    #expect(store.all().isEmpty)
    #expect(try cached.isEmpty)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `another start finds the blobs, also without a cache, and checks what it fetches`()
    throws
  {
    let blob = try store().add(contentsOf: song(1))
    try Files.removeTree(workshop.folder.blobCache)
    let again = try store()
    #expect(again.contains(blob.sha256))
    #expect(try read(again, blob.sha256) == song(1))
    #expect(try cached == [blob.sha256])
    #expect(again.localAtHand(blob.sha256) != nil)
    _ = bucket.takeRequests()
    #expect(try read(again, blob.sha256) == song(1))
    #expect(bucket.takeRequests().isEmpty, "it is in the cache")
  }

  @Test func `a blob that changed in the bucket is damage, and is not kept`() throws {
    let blob = try store().add(contentsOf: song(1))
    try Files.removeTree(workshop.folder.blobCache)
    bucket.objects = ["studio/blobs/" + blob.sha256: song(2)]
    let store = try store()
    #expect(code { _ = try read(store, blob.sha256) } == .corrupt)
    #expect(try !store.verify(blob.sha256))
    #expect(try cached.isEmpty)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
    // Adding the same bytes again mends it.
    _ = try store.add(contentsOf: song(1))
    #expect(try store.verify(blob.sha256))
    #expect(bucket.objects["studio/blobs/" + blob.sha256] == song(1))
  }

  @Test func `a damaged copy is dropped when it is verified, and the object counts`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    let path = workshop.folder.blobCache + "/" + blob.sha256
    try Files.remove(path)
    try Files.writeNew(path, song(2))
    #expect(try store.verify(blob.sha256))
    #expect(try read(store, blob.sha256) == song(1))
  }

  @Test func `the cache keeps what was used last, within its limit`() throws {
    let store = try store(cacheBytes: 1_000)
    let (first, second) = (
      try store.add(contentsOf: song(1)), try store.add(contentsOf: song(2))
    )
    _ = try read(store, first.sha256)
    let third = try store.add(contentsOf: song(3))
    #expect(try cached == [first, third].map(\.sha256).sorted())
    #expect(try read(store, second.sha256) == song(2))
    #expect(try cached == [second, third].map(\.sha256).sorted())
  }

  @Test func `a cache that somebody deletes is filled again`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    try Files.removeTree(workshop.folder.blobCache)
    #expect(try read(store, blob.sha256) == song(1))
    #expect(try cached == [blob.sha256])
  }

  @Test func `what is being read is not displaced`() throws {
    let store = try store(cacheBytes: 1_000)
    let first = try store.add(contentsOf: song(1))
    var local: LocalBlob? = try store.local(first.sha256, isPassing: false)
    let path = try #require(local?.path)
    for number in UInt8(2)...5 { _ = try store.add(contentsOf: song(number)) }
    #expect(try Files.read(path) == song(1))
    try store.remove(first.sha256)
    #expect(try Files.read(path) == song(1), "removed, but still read")
    #expect(!store.contains(first.sha256))
    local = nil
    #expect(!Files.exists(path))
  }

  @Test func `a blob larger than the cache, or one that is passing, is read once and not kept`()
    throws
  {
    let store = try store(cacheBytes: 500)
    let large = try store.add(contentsOf: song(1, count: 600))
    let small = try store.add(contentsOf: song(2))
    #expect(try cached == [small.sha256])
    #expect(try read(store, large.sha256) == song(1, count: 600))
    #expect(try cached == [small.sha256])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
    try Files.removeTree(workshop.folder.blobCache)
    let again = try self.store(cacheBytes: 500)
    let passing = try again.local(small.sha256, isPassing: true)
    #expect(try withExtendedLifetime(passing) { try Files.read(passing.path) } == song(2))
    #expect(try cached.isEmpty)
  }

  @Test func `the least recently used goes first, also after a restart`() throws {
    let before = try store(cacheBytes: 1_000)
    let (first, second) = (
      try before.add(contentsOf: song(1)), try before.add(contentsOf: song(2))
    )
    // File times of the past, as they have no other clock: the second was used before the first.
    for (blob, seconds) in [(first, 2_000), (second, 1_000)] {
      try setTime(workshop.folder.blobCache + "/" + blob.sha256, seconds)
    }
    let after = try store(cacheBytes: 1_000)
    let third = try after.add(contentsOf: song(3))
    #expect(try cached == [first, third].map(\.sha256).sorted())
  }

  @Test func `files of the cache that are incomplete, foreign or too many go at the start`() throws
  {
    let blob = try store().add(contentsOf: song(1))
    let folder = workshop.folder.blobCache
    try Files.writeNew(folder + "/notes.txt", [1])
    try Files.remove(folder + "/" + blob.sha256)
    try Files.writeNew(folder + "/" + blob.sha256, Array(song(1).dropLast()))
    _ = try store()
    #expect(try cached.isEmpty)
    _ = try read(store(), blob.sha256)
    _ = try store(cacheBytes: 100)
    #expect(try cached.isEmpty)
  }

  @Test func `a cache that is a link is refused`() throws {
    try Files.makeFolder(workshop.folder.root + "/elsewhere")
    #expect(symlinked(workshop.folder.root + "/elsewhere", workshop.folder.blobCache))
    #expect(code { _ = try store() } == .fileSystem)
  }

  @Test func `many readers of one blob fetch it once`() throws {
    let blob = try store().add(contentsOf: song(1))
    try Files.removeTree(workshop.folder.blobCache)
    let store = try store()
    _ = bucket.takeRequests()
    let results = Mutex<[[UInt8]?]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let bytes = try? read(store, blob.sha256)
      results.withLock { $0.append(bytes) }
    }
    #expect(results.withLock { $0 } == Array(repeating: song(1), count: 8))
    #expect(bucket.takeRequests().count == 1)
  }

  @Test func `threads that add, read, remove and sweep at once agree in the end`() throws {
    let store = try store(cacheBytes: 900)
    let shared = try store.add(contentsOf: song(200))
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      do {
        for round in 0..<10 {
          let bytes = song(UInt8(thread * 10 + round))
          let blob = try store.add(contentsOf: bytes)
          guard try read(store, blob.sha256) == bytes, try read(store, shared.sha256) == song(200)
          else { throw StorageError(.corrupt, "read others") }
          if round.isMultiple(of: 2) { try store.remove(blob.sha256) }
          if thread == 0 { try store.refresh() }
          try store.finishRemovals()
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    try store.finishRemovals()
    let names = store.all().map(\.sha256)
    #expect(names.count == 6 * 5 + 1)
    #expect(bucket.objects.keys.sorted() == names.map { "studio/blobs/" + $0 })
    #expect(store.storedBytes() == names.count * 400)
    #expect(try cached.count <= 2)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `a removed blob is gone at once, and its object after the record`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    _ = bucket.takeRequests()
    try store.remove(blob.sha256)
    #expect(!store.contains(blob.sha256))
    #expect(store.storedBytes() == 0)
    #expect(try cached.isEmpty)
    #expect(bucket.takeRequests().isEmpty, "nothing waits for the network under the lock")
    try store.finishRemovals()
    #expect(bucket.objects.isEmpty)
  }

  @Test func `an object that can't be deleted is found by the next sweep`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    try store.remove(blob.sha256)
    bucket.failAlways("DELETE")
    #expect(code { try store.finishRemovals() } == .unreachable)
    bucket.heal()
    #expect(try self.store().all() == [blob], "after a restart the list tells")
    try store.finishRemovals()
    #expect(bucket.objects.isEmpty)
  }

  @Test func `bytes that are added again while they are removed stay`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    try store.remove(blob.sha256)
    _ = try store.add(contentsOf: song(1))
    try store.finishRemovals()
    #expect(bucket.objects["studio/blobs/" + blob.sha256] == song(1))
    #expect(store.contains(blob.sha256))
  }

  @Test func `other bytes are sent while a deletion takes its time`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    try store.remove(blob.sha256)
    let added = Mutex<BlobReference?>(nil)
    let bytes = song(2)
    bucket.before { line in
      guard line.hasPrefix("DELETE") else { return }
      let blob = try? store.add(contentsOf: bytes)
      added.withLock { $0 = blob }
    }
    try store.finishRemovals()
    let other = try #require(added.withLock { $0 })
    #expect(bucket.objects == ["studio/blobs/" + other.sha256: song(2)])
  }

  @Test func `the same bytes are sent once their deletion is over`() throws {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    try store.remove(blob.sha256)
    let sending = DispatchGroup()
    let bytes = song(1)
    bucket.before { line in
      guard line.hasPrefix("DELETE") else { return }
      let begun = DispatchSemaphore(value: 0)
      DispatchQueue.global().async(group: sending) {
        begun.signal()
        #expect(throws: Never.self) { try store.add(contentsOf: bytes) }
      }
      // What is not sent yet waits for the deletion, however long this waits for it. The limit decides nothing: it
      // gives one that does not wait the time to show itself.
      #expect(begun.comes())
      #expect(sending.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    }
    try store.finishRemovals()
    sending.wait()
    #expect(bucket.objects["studio/blobs/" + blob.sha256] == song(1))
    #expect(store.contains(blob.sha256))
  }

  @Test func `what is sent but not placed yet, or backed up, is not removed`() throws {
    let store = try store()
    let staged = try store.stage(contentsOf: song(1))
    var sent: SentBlob? = try store.send(staged.path, staged.reference)
    try store.remove(staged.reference.sha256)
    try store.finishRemovals()
    _ = try store.place(staged, #require(sent))
    #expect(store.contains(staged.reference.sha256))
    sent = nil
    var pins = try store.pin([staged.reference.sha256, "unknown"])
    #expect(pins.count == 1)
    try store.remove(staged.reference.sha256)
    #expect(store.contains(staged.reference.sha256))
    pins = []
    try store.remove(staged.reference.sha256)
    #expect(!store.contains(staged.reference.sha256))
  }

  @Test func `a sweep sees what the bucket holds, and deletes parts that nobody completed`() throws
  {
    let store = try store()
    let blob = try store.add(contentsOf: song(1))
    let other = String(repeating: "a", count: 64)
    bucket.objects["studio/blobs/" + other] = song(2)
    bucket.objects["studio/blobs/readme.txt"] = song(3)
    _ = try bucket.client.document(
      "POST", "blobs/x", query: [("uploads", "")], root: "InitiateMultipartUploadResult")
    #expect(store.all() == [blob])
    try store.refresh()
    #expect(store.all().map(\.sha256) == [blob.sha256, other].sorted())
    #expect(store.storedBytes() == 800)
    #expect(bucket.unfinished == 0)
    bucket.objects["studio/blobs/" + other] = nil
    try store.refresh()
    #expect(store.all() == [blob])
  }

  @Test func `what comes while the bucket is listed is not forgotten`() throws {
    let (store, folder) = (try store(), workshop.folder)
    let added = Mutex<BlobReference?>(nil)
    // The list that is answered now does not hold what is added meanwhile.
    let bytes = song(1)
    bucket.before { line in
      guard line == "GET ", added.withLock({ $0 == nil }) else { return }
      let blob = try? store.add(contentsOf: bytes)
      added.withLock { $0 = blob }
      self.bucket.objects = [:]
    }
    try store.refresh()
    let blob = try #require(added.withLock { $0 })
    #expect(store.contains(blob.sha256))
    #expect(try Files.names(in: folder.tmp).isEmpty)
  }

  @Test func `the blobs of a folder move to the bucket, and go on after an interruption`() throws {
    let folder = FolderBlobStore(folder: workshop.folder)
    let blobs = try (UInt8(1)...3).map { try folder.add(contentsOf: song($0)) }
    let damaged = try folder.add(contentsOf: song(9))
    try Files.remove(workshop.folder.blob(damaged.sha256))
    try Files.writeNew(workshop.folder.blob(damaged.sha256), song(8))
    let store = try store()
    // Two arrive; the connection is gone for the third.
    let puts = Mutex(0)
    bucket.before { line in
      guard line.hasPrefix("PUT"),
        puts.withLock({
          $0 += 1; return $0 == 2
        })
      else { return }
      self.bucket.failAlways("PUT")
    }
    #expect(code { _ = try store.takeOverFolder() } == .unreachable)
    bucket.heal()
    bucket.before { _ in }
    let left = try folder.all().count
    #expect(left == 3)
    let again = try self.store()
    let result = try again.takeOverFolder()
    #expect(result.sent == 2)
    #expect(result.damaged == [damaged.sha256])
    #expect(try folder.all().map(\.sha256) == [damaged.sha256])
    #expect(Set(again.all()) == Set(blobs))
  }

  @Test func `a store that reads leaves the server's cache alone`() throws {
    let blob = try store().add(contentsOf: song(1))
    let reader = try BucketBlobStore(reading: bucket.client, folder: workshop.folder)
    #expect(try read(reader, blob.sha256) == song(1))
    #expect(try cached == [blob.sha256])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `whether the bucket answers is reported`() throws {
    let reports = Mutex<[StorageError.Code?]>([])
    let store = try store { error in reports.withLock { $0.append(error?.code) } }
    bucket.fail("PUT", .status(403, "AccessDenied"))
    #expect(code { _ = try store.add(contentsOf: song(1)) } == .unreachable)
    _ = try store.add(contentsOf: song(1))
    #expect(reports.withLock { $0 } == [.unreachable, nil])
  }

  @Test func `a backup of a bucket fetches each blob, and marks the one that is damaged`() throws {
    let store = try store(cacheBytes: 0)
    let blobs = try (UInt8(1)...2).map { try store.add(contentsOf: song($0)) }
    bucket.objects["studio/blobs/" + blobs[1].sha256] = song(7)
    let scratch = try BackupStaging(in: workshop.folder)
    try Files.writeNew(scratch.database, [1, 2, 3])
    let sources = blobs.compactMap { store.source(of: $0.sha256, in: scratch) }
    let manifest = BackupManifest(
      schema: 1, segmance: "1", library: "l", createdAt: 0,
      files: [try scratch.databaseFile()] + sources.map(\.file), missing: [])
    let writer = try BackupWriter(
      manifest, sources: [.file(scratch.database)] + sources.map(\.source))
    var length = 0
    #expect(try writer.write(to: { length += $0.count }) == [blobs[1].sha256])
    #expect(length == writer.length)
    bucket.failAlways("GET")
    #expect(code { _ = try writer.write(to: { _ in }) } == .unreachable, "a backup is not half")
    try scratch.remove()
  }

  @Test func `a bucket belongs to one library, which finds it again`() throws {
    #expect(try BucketClaim.address(of: workshop.folder) == nil)
    try BucketClaim.make(workshop.folder, bucket.client)
    try BucketClaim.make(workshop.folder, bucket.client)
    #expect(try BucketClaim.address(of: workshop.folder) == bucket.address)
    let other = try Workshop()
    #expect(code { try BucketClaim.make(other.folder, bucket.client) } == .busy)
    #expect(!Files.exists(other.folder.bucketFile))
    let elsewhere = try FakeBucket("s3://songs/two?endpoint=http://objects.test:9000")
    #expect(code { try BucketClaim.make(workshop.folder, elsewhere.client) } == .busy)
    #expect(elsewhere.objects.isEmpty)
  }

  @Test func `a library on a database server finds its bucket from a new folder`() throws {
    // It was tied to the bucket while its records were in the folder.
    try BucketClaim.make(workshop.folder, bucket.client)
    bucket.failAlways("PUT")
    #expect(code { try claim(workshop) } == .unreachable)
    bucket.heal()
    try claim(workshop)
    let new = try Workshop()
    #expect(code { try BucketClaim.make(new.folder, bucket.client) } == .busy)
    #expect(code { try claim(new, "a copy on another server") } == .busy)
    try claim(new)
    #expect(try BucketClaim.address(of: new.folder) == bucket.address)
    // Back in the folder, it goes on under that name; on another server, under the other one.
    try BucketClaim.make(new.folder, bucket.client)
    try claim(new, "another server")
    #expect(code { try claim(workshop) } == .busy)
    #expect(bucket.objects.count == 1)
  }

  private func claim(_ workshop: Workshop, _ name: String = "a library on its server") throws {
    try BucketClaim.make(workshop.folder, bucket.client, library: name)
  }

  @Test func `a claim that was interrupted goes on`() throws {
    bucket.failAlways("PUT")
    #expect(code { try BucketClaim.make(workshop.folder, bucket.client) } == .unreachable)
    bucket.heal()
    try BucketClaim.make(workshop.folder, bucket.client)
    #expect(bucket.objects.count == 1)
  }
}
