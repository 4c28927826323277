// Derived files in a bucket, with copies in the folder.

import Dispatch
import Synchronization
import Testing

@testable import Storage

@Suite struct DerivedBucketTests {
  private let workshop: Workshop
  private let bucket: FakeBucket
  private var folder: DataDirectory { workshop.folder }

  init() throws {
    workshop = try Workshop()
    bucket = try FakeBucket()
  }

  private func open(
    cacheBytes: Int = 10_000, report: @escaping @Sendable (StorageError?) -> Void = { _ in }
  ) throws -> (blobs: BucketBlobStore, derived: DerivedBucket) {
    let blobs = try BucketBlobStore(
      folder: folder, client: bucket.client, cacheBytes: cacheBytes, report: report)
    return (blobs, try DerivedBucket(blobs))
  }

  private func bytes(_ number: UInt8, count: Int = 400) -> [UInt8] {
    [UInt8](repeating: number, count: count)
  }

  /// Puts files into a record's folder, as an importer does.
  private func place(_ id: String, _ files: [String: [UInt8]]) throws {
    try Files.removeTree(folder.derived(id))
    try Files.makeFolder(folder.derived(id))
    for (name, bytes) in files { try Files.writeNew(folder.derived(id) + "/" + name, bytes) }
  }

  private func send(_ derived: DerivedBucket, _ id: String, _ files: [String: [UInt8]]) throws {
    try derived.making(id) { try place(id, files) }
  }

  private func read(_ derived: DerivedBucket, _ id: String, _ name: String) throws -> [UInt8] {
    let local = try derived.local(id, name)
    return try withExtendedLifetime(local) { try Files.read(local.path) }
  }

  private func here(_ id: String) throws -> [String] {
    Files.exists(folder.derived(id)) ? try Files.names(in: folder.derived(id)).sorted() : []
  }

  private var song: [String: [UInt8]] {
    ["00000.flac": bytes(1), "00001.flac": bytes(2), "peaks.dat": bytes(3)]
  }
  private let chunk = "studio/derived/swan/00000.flac"

  @Test func `what a job makes is in the bucket when the job ends, each file with its hash`() throws
  {
    let derived = try open().derived
    try send(derived, "swan", song)
    #expect(
      bucket.objects
        == Dictionary(
          uniqueKeysWithValues: song.map { ("studio/derived/swan/" + $0, $1) }))
    #expect(bucket.hashes.count == 3)
    #expect(derived.storedBytes == 1_200)
    #expect(derived.ids == ["swan"])
    #expect(try here("swan").count == 3)
  }

  @Test func `a job whose files can't be sent fails, and they stay until it is tried again`() throws
  {
    let derived = try open(cacheBytes: 500).derived
    bucket.failAlways("PUT")
    #expect(code { try send(derived, "swan", song) } == .unreachable)
    #expect(derived.ids.isEmpty)
    #expect(try here("swan").count == 3, "larger than the cache, but nowhere else")
    bucket.heal()
    try derived.sendFolder("swan")
    #expect(bucket.objects.count == 3)
    #expect(try here("swan").isEmpty, "more than the cache takes")
    // The same when it is made again, while other files need the room.
    let small = ["voice.wav": bytes(5, count: 300)]
    try send(derived, "turn", small)
    bucket.fail("PUT", .status(403, "AccessDenied"))
    #expect(code { try send(derived, "turn", small) } == .unreachable)
    try send(derived, "lake", song)
    #expect(try here("turn") == ["voice.wav"])
  }

  @Test func `another machine reads what the first one made, object by object`() throws {
    try send(open().derived, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    let derived = try open().derived
    try derived.refresh()
    _ = bucket.takeRequests()
    #expect(derived.has("swan", "00001.flac") && !derived.has("swan", "00002.flac"))
    #expect(bucket.takeRequests().isEmpty, "it was listed")
    #expect(try read(derived, "swan", "00000.flac") == bytes(1))
    #expect(bucket.takeRequests() == ["GET \(chunk)"])
    #expect(try here("swan") == ["00000.flac"])
    #expect(try read(derived, "swan", "00000.flac") == bytes(1))
    #expect(derived.atHand("swan", "00000.flac") != nil)
    #expect(derived.atHand("swan", "00001.flac") == nil)
    #expect(bucket.takeRequests().isEmpty, "it is here")
    #expect(try Files.names(in: folder.tmp).isEmpty)
  }

  @Test func `what is not known is asked of the bucket before it counts as missing`() throws {
    let (first, second) = (try open().derived, try open().derived)
    try second.refresh()
    try send(first, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    #expect(try second.check("swan", { $0("peaks.dat") }))
    #expect(try second.check("swan", { $0("peaks.dat") }))
    #expect(try !second.check("swan", { $0("analysis.json") }))
    // A file that another server added later.
    try first.making("swan", ["analysis.json"]) {
      try Files.makeFolder(folder.derived("swan"))
      try Files.writeNew(folder.derived("swan") + "/analysis.json", bytes(9))
    }
    try Files.removeTree(folder.derived("swan"))
    #expect(try read(second, "swan", "analysis.json") == bytes(9))
    #expect(code { _ = try second.local("lake", "00000.flac") } == .notFound)
  }

  @Test func `requests for the same file share one fetch`() throws {
    try send(open().derived, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    let derived = try open().derived
    try derived.refresh()
    _ = bucket.takeRequests()
    let (asked, arrived, answered) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    bucket.before { line in
      guard line.hasPrefix("GET") else { return }
      asked.signal()
      answered.wait()
    }
    let group = DispatchGroup()
    let read = Mutex<[[UInt8]]>([])
    let queue = DispatchQueue(label: "readers", attributes: .concurrent)
    @Sendable func begin() {
      queue.async(group: group) {
        arrived.signal()
        let bytes = try? self.read(derived, "swan", "00000.flac")
        read.withLock { $0.append(bytes ?? []) }
      }
    }
    begin()
    asked.wait()
    arrived.wait()
    for _ in 0..<3 { begin() }
    for _ in 0..<3 { arrived.wait() }
    // One for each, in case that they all ask.
    for _ in 0..<4 { answered.signal() }
    group.wait()
    #expect(read.withLock { $0 } == Array(repeating: bytes(1), count: 4))
    #expect(bucket.takeRequests() == ["GET \(chunk)"])
  }

  @Test func `a broken transfer goes on where it was, and a bucket that is away is told`() throws {
    try send(open().derived, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    let derived = try open().derived
    try derived.refresh()
    bucket.fail("GET", .broken(after: 100), .timeout)
    #expect(try read(derived, "swan", "00000.flac") == bytes(1))
    bucket.failAlways("GET")
    #expect(code { _ = try derived.local("swan", "00001.flac") } == .unreachable)
    #expect(try read(derived, "swan", "00000.flac") == bytes(1), "it is here")
    bucket.heal()
    #expect(try read(derived, "swan", "00001.flac") == bytes(2))
    #expect(try Files.names(in: folder.tmp).isEmpty)
  }

  @Test func `a damaged object is refused, and so is one that lost its hash`() throws {
    try send(open().derived, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    bucket.objects[chunk] = bytes(7)
    bucket.hashes["studio/derived/swan/00001.flac"] = nil
    let derived = try open().derived
    try derived.refresh()
    #expect(code { _ = try derived.local("swan", "00000.flac") } == .corrupt)
    #expect(code { _ = try derived.local("swan", "00001.flac") } == .corrupt)
    #expect(try read(derived, "swan", "peaks.dat") == bytes(3))
    #expect(try derived.damage("swan") == ["00000.flac", "00001.flac"])
    #expect(try here("swan") == ["peaks.dat"])
    #expect(try Files.names(in: folder.tmp).isEmpty)
  }

  @Test func `a missing object is told, and is not known any more`() throws {
    try send(open().derived, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    let derived = try open().derived
    try derived.refresh()
    bucket.objects[chunk] = nil
    #expect(derived.has("swan", "00000.flac"))
    #expect(code { _ = try derived.local("swan", "00000.flac") } == .notFound)
    #expect(!derived.has("swan", "00000.flac"))
  }

  @Test func `an object that another server replaced is read as it is now`() throws {
    let (first, second) = (try open().derived, try open().derived)
    try send(first, "swan", song)
    try second.refresh()
    try send(first, "swan", ["00000.flac": bytes(5, count: 90), "peaks.dat": bytes(6)])
    try Files.removeTree(folder.derived("swan"))
    #expect(try read(second, "swan", "00000.flac") == bytes(5, count: 90))
    #expect(code { _ = try second.local("swan", "00001.flac") } == .notFound)
  }

  @Test func `what is made again replaces all of the earlier, an analysis only its own`() throws {
    var older = folder
    older.versions.analysis = folder.versions.analysis - 1
    let derived = try open().derived
    var files = song
    files[older.analysisName] = bytes(8)
    try send(derived, "swan", files)
    try derived.making("swan", [folder.analysisName]) {
      try folder.storeAnalysis(bytes(9), track: "swan")
    }
    let names = Set(song.keys).union([folder.analysisName])
    #expect(Set(bucket.objects.keys) == Set(names.map { "studio/derived/swan/" + $0 }))
    #expect(derived.storedBytes == 1_600)
    try send(derived, "swan", ["00000.flac": bytes(4)])
    #expect(bucket.objects == [chunk: bytes(4)])
    #expect(derived.storedBytes == 400)
    #expect(!derived.has("swan", "peaks.dat"))
  }

  @Test func `a crash while files are sent leaves objects that go with the record`() throws {
    bucket.fail("PUT", after: 2, .status(403, "AccessDenied"))
    #expect(code { try send(open().derived, "swan", song) } == .unreachable)
    bucket.heal()
    #expect(bucket.objects.count == 2)
    let derived = try open().derived
    try derived.refresh()
    #expect(derived.ids == ["swan"])
    try derived.remove("swan")
    #expect(derived.ids.isEmpty)
    try derived.finishRemovals()
    #expect(bucket.objects.isEmpty)
    #expect(try here("swan").isEmpty)
  }

  @Test func `a removal also finds what was never listed, and waits for a job`() throws {
    try send(open().derived, "swan", song)
    let derived = try open().derived
    try derived.making("swan") {
      try derived.remove("swan")
      try derived.finishRemovals()
      #expect(bucket.objects.count == 3)
      try place("swan", ["00000.flac": bytes(4)])
    }
    try derived.finishRemovals()
    #expect(bucket.objects.isEmpty)
  }

  @Test func `a record that comes again is not deleted by its earlier removal`() throws {
    let derived = try open().derived
    try send(derived, "swan", song)
    try derived.remove("swan")
    #expect(try !derived.check("swan", { $0("peaks.dat") }), "its objects are still there")
    try send(derived, "swan", song)
    try derived.finishRemovals()
    #expect(bucket.objects.count == 3)
    #expect(derived.has("swan", "peaks.dat"))
  }

  @Test func `the disk keeps what was used last, originals and derived files together`() throws {
    let (blobs, derived) = try open(cacheBytes: 2_500)
    try send(derived, "swan", song)
    try send(derived, "lake", song)
    #expect(try here("swan").count == 3 && here("lake").count == 3)
    _ = try read(derived, "swan", "00000.flac")
    let blob = try blobs.add(contentsOf: bytes(9))
    #expect(try here("swan").count == 3 && here("lake").isEmpty)
    _ = try blobs.withLocal(blob.sha256) { _ in }
    // What is fetched is counted: it displaces what was unused for longest.
    for name in song.keys { _ = try read(derived, "lake", name) }
    #expect(try here("swan").isEmpty && here("lake").count == 3)
    #expect(blobs.localAtHand(blob.sha256) != nil)
  }

  @Test func `what is being read or was not sent is not displaced`() throws {
    let derived = try open(cacheBytes: 1_300).derived
    try send(derived, "swan", song)
    var reading: LocalBlob? = try derived.local("swan", "00000.flac")
    let path = try #require(reading?.path)
    try send(derived, "lake", song)
    #expect(try Files.read(path) == bytes(1))
    reading = nil
    #expect(try here("swan").isEmpty || here("lake").isEmpty)
    try place("old", song)
    _ = derived.atHand("old", "00000.flac")
    try send(derived, "duck", song)
    #expect(try here("old").count == 3, "the bucket lacks it")
    try derived.sendFolder("old")
    try send(derived, "goose", song)
    #expect(try here("old").isEmpty)
  }

  @Test func `a folder from before another server made the files again is brought in line`() throws
  {
    let derived = try open().derived
    try send(derived, "swan", song)
    try place("swan", ["00000.flac": bytes(8, count: 10), "peaks.dat": bytes(3), "old.json": []])
    try derived.reconcile("swan")
    #expect(try here("swan") == ["peaks.dat"])
    #expect(try read(derived, "swan", "00000.flac") == bytes(1))
  }

  @Test func `a copy is made within the bucket, and is not swept before its record is there`()
    throws
  {
    let derived = try open().derived
    try send(derived, "swan", song)
    _ = bucket.takeRequests()
    var copy: LocalBlob? = try derived.copy("swan", to: "twin")
    #expect(bucket.takeRequests().allSatisfy { $0.hasPrefix("PUT studio/derived/twin/") })
    #expect(copy?.path == "twin" && derived.isMaking("twin"))
    copy = nil
    #expect(!derived.isMaking("twin"))
    #expect(bucket.objects.count == 6)
    #expect(try read(derived, "twin", "00001.flac") == bytes(2), "with its hash")
    try derived.remove("swan")
    try derived.finishRemovals()
    #expect(try read(derived, "twin", "00000.flac") == bytes(1))
  }

  @Test func `a copy of what only the folder has sends it first`() throws {
    let derived = try open().derived
    try place("swan", song)
    _ = try derived.copy("swan", to: "twin")
    #expect(bucket.objects.count == 6)
  }

  @Test func `what a restore made stale is deleted, also after another start`() throws {
    try send(open().derived, "swan", song)
    try DerivedBucket.writeStale(["swan"], in: folder)
    let derived = try open().derived
    try derived.refresh()
    #expect(derived.ids.isEmpty)
    bucket.failAlways("DELETE")
    #expect(code { try derived.finishRemovals() } == .unreachable)
    bucket.heal()
    try open().derived.finishRemovals()
    #expect(bucket.objects.isEmpty)
    #expect(!Files.exists(folder.staleFile))
  }

  @Test func `what lies there and is not ours stays`() throws {
    for name in ["notes.txt", "a/b/c", "a/.x", "../x", "a_b/x"] {
      bucket.objects["studio/derived/" + name] = [1]
    }
    let derived = try open().derived
    try derived.refresh()
    #expect(derived.ids.isEmpty)
    #expect(bucket.objects.count == 5)
  }

  @Test func `another process reads into memory and leaves the folder alone`() throws {
    try send(open().derived, "swan", song)
    try Files.removeTree(folder.derived("swan"))
    let reader = DerivedBucket(reading: bucket.client, folder: folder)
    #expect(try reader.peaksBytes(track: "swan") == bytes(3))
    #expect(try reader.analysisBytes(track: "swan") == nil)
    #expect(try here("swan").isEmpty)
    #expect(try Files.names(in: folder.tmp).isEmpty)
  }

  @Test func `a file's ETag outlasts its copy`() throws {
    let derived = try open().derived
    try send(derived, "turn", ["poster.jpg": bytes(1)])
    let hash = try derived.hash("turn", "poster.jpg")
    #expect(hash == bucket.hashes["studio/derived/turn/poster.jpg"])
    try send(derived, "turn", ["poster.jpg": bytes(2)])
    #expect(try derived.hash("turn", "poster.jpg") != hash)
  }
}
