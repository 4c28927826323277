// One bucket of several servers: what one needs no other deletes, and each finds what the others sent.

import Synchronization
import Testing

@testable import Storage

@Suite struct SharedBucketTests {
  /// What the servers would have in their database.
  private final class Agreement: BlobHolds {
    struct State {
      var leaving: Set<String> = []
      var held: [String] = []
    }
    struct Refused: Error {}

    final class Hold: BlobHold {
      let agreement: Agreement
      let sha256: String
      var id: String { sha256 }

      init(_ agreement: Agreement, _ sha256: String) {
        self.agreement = agreement
        self.sha256 = sha256
        agreement.state.withLock { $0.held.append(sha256) }
      }

      deinit {
        let sha256 = sha256
        agreement.state.withLock { state in
          if let index = state.held.firstIndex(of: sha256) { state.held.remove(at: index) }
        }
      }
    }

    let state = Mutex(State())

    func hold(_ sha256: String) throws -> any BlobHold {
      if state.withLock({ $0.leaving.contains(sha256) }) { throw Refused() }
      return Hold(self, sha256)
    }

    func holdAll() -> (hold: any BlobHold, leaving: [String]) {
      (Hold(self, "all"), state.withLock { $0.leaving.sorted() })
    }

    var held: [String] { state.withLock { $0.held } }
  }

  private let workshop: Workshop
  private let bucket: FakeBucket
  private let agreement = Agreement()
  private let store: BucketBlobStore
  private let song = [UInt8](repeating: 1, count: 400)

  init() throws {
    workshop = try Workshop()
    bucket = try FakeBucket()
    store = try BucketBlobStore(
      folder: workshop.folder, client: bucket.client, cacheBytes: 1_000, holds: agreement)
  }

  /// What another server sends.
  private func sentElsewhere() throws -> BlobReference {
    let other = try Workshop()
    return try BucketBlobStore(folder: other.folder, client: bucket.client, cacheBytes: 1_000)
      .add(contentsOf: song)
  }

  @Test func `bytes are held from before they are sent until a record can refer to them`() throws {
    let staged = try store.stage(contentsOf: song)
    var sent: SentBlob? = try store.send(staged.path, staged.reference)
    #expect(agreement.held == [staged.reference.sha256])
    let blob = try store.place(staged, #require(sent))
    #expect(agreement.held == [blob.sha256])
    sent = nil
    #expect(agreement.held == [])
  }

  @Test func `bytes that are about to be deleted are not sent`() throws {
    let staged = try store.stage(contentsOf: song)
    agreement.state.withLock { $0.leaving = [staged.reference.sha256] }
    #expect(throws: Agreement.Refused.self) { try store.send(staged.path, staged.reference) }
    #expect(bucket.objects.isEmpty)
    agreement.state.withLock { $0.leaving = [] }
    _ = try store.send(staged.path, staged.reference)
    #expect(bucket.objects.count == 1)
  }

  @Test func `what another server sent is found, and deleted though it is not known`() throws {
    let blob = try sentElsewhere()
    #expect(store.storedBytes() == 0)
    #expect(try store.withLocal(blob.sha256) { try Files.read($0) } == song)
    #expect(store.storedBytes() == 400)
    try store.delete(blob.sha256)
    #expect(bucket.objects.isEmpty)
    #expect(store.storedBytes() == 0)
    #expect(!store.contains(blob.sha256))
    _ = try sentElsewhere()
    #expect(store.contains(blob.sha256))
    let fresh = try BucketBlobStore(
      folder: Workshop().folder, client: bucket.client, cacheBytes: 1_000, holds: agreement)
    try fresh.delete(blob.sha256)
    #expect(bucket.objects.isEmpty)
  }

  @Test func `a deletion is tried once, as another server may be the keeper soon`() throws {
    let blob = try sentElsewhere()
    _ = bucket.takeRequests()
    bucket.failAlways("DELETE")
    #expect(code { try store.delete(blob.sha256) } == .unreachable)
    #expect(bucket.takeRequests().count == 1)
  }

  @Test func `a backup holds all that is not about to be deleted, also of other servers`() throws {
    let blob = try sentElsewhere()
    var pins = try store.pin([blob.sha256])
    #expect(pins.map(\.reference) == [blob])
    #expect(agreement.held == ["all"])
    pins = []
    #expect(agreement.held == [])
    agreement.state.withLock { $0.leaving = [blob.sha256] }
    #expect(try store.pin([blob.sha256]).isEmpty)
  }
}
