// What is made of the originals: in the folder alone, or in a bucket with copies in the folder.

import Database
import FoundationEssentials
import HTTP
import Media
import Model
import Storage

extension Library {
  /// Runs `body`, which makes files of a record under `derived`, and sends them if a bucket has them: all of
  /// them, or those of `names`. Not under a lock.
  func makingDerived<Result>(
    _ id: String, _ names: [String]? = nil, _ body: () throws -> Result
  ) throws -> Result {
    guard let derived else { return try body() }
    // A record that was removed meanwhile keeps its objects until here.
    defer { if derived.isRemoved(id) { finishRemovals() } }
    return try derived.making(id, names, body)
  }

  /// Removes the derived files of a record; what is in a bucket is deleted by the next `finishRemovals`, or found
  /// by the next sweep of the keeper.
  func removeDerived(_ id: String) throws {
    if let derived, isKeeper { try derived.remove(id) } else { try folder.removeDerived(id) }
  }

  /// Whether a derived file is here or known to be in the bucket.
  func hasDerived(_ id: String, _ name: String) throws -> Bool {
    guard let derived else {
      return FileManager.default.fileExists(atPath: folder.derived(id) + "/" + name)
    }
    return try derived.check(id) { $0(name) }
  }

  /// Runs `body` while a derived file is here.
  func withDerived<Result>(
    _ id: String, _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    guard let derived else { return try body() }
    let local = try mending(id) { try derived.local(id, name) }
    return try withExtendedLifetime(local) { try body() }
  }

  /// Runs `body` while a derived file that not every record has is here, if there is one. With `asks`, the
  /// bucket is asked before it counts as missing.
  func withDerived<Result>(
    _ id: String, ifThere name: String, asks: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    guard let derived, try derived.check(id, asks: asks, { $0(name) }) else { return try body() }
    return try withDerived(id, name, body)
  }

  /// Runs `body` while the chunks that hold `frames` of a track are here.
  func withRendition<Result>(
    of track: String, _ frames: Range<Int>, _ body: () throws -> Result
  ) throws -> Result {
    guard let derived else { return try body() }
    let local = try mending(track) { try derived.local(track, Self.chunkNames(frames)) }
    return try withExtendedLifetime(local) { try body() }
  }

  /// Runs `body` while the chunks that hold stretches of tracks are here.
  func withRenditions<Result>(
    of stretches: [(track: String, frames: Range<Int>)], _ body: () throws -> Result
  ) throws -> Result {
    guard let derived else { return try body() }
    let local = try stretches.map { stretch in
      try mending(stretch.track) {
        try derived.local(stretch.track, Self.chunkNames(stretch.frames))
      }
    }
    return try withExtendedLifetime(local) { try body() }
  }

  private static func chunkNames(_ frames: Range<Int>) -> [String] {
    let size = Timeline.chunkFrames
    return (frames.lowerBound / size..<(max(1, frames.upperBound) - 1) / size + 1).map {
      DataDirectory.chunkName($0)
    }
  }

  /// Runs `body` with the newest waveform of a track; nil if there is none.
  func withPeaks<Result>(
    of track: String, _ body: (DerivedFile?) throws -> Result
  ) throws -> Result {
    guard let derived else { return try body(folder.peaks(track: track)) }
    let found = try mending(track) { try derived.peaks(track: track) }
    return try withExtendedLifetime(found?.hold) { try body(found?.file) }
  }

  /// Runs `body` with the newest analysis of a track; nil if there is none.
  func withAnalysis<Result>(
    of track: String, _ body: (DerivedFile?) throws -> Result
  ) throws -> Result {
    guard let derived else { return try body(folder.analysis(track: track)) }
    let found = try mending(track) { try derived.analysis(track: track, asks: true) }
    return try withExtendedLifetime(found?.hold) { try body(found?.file) }
  }

  /// Makes a response of a derived file. One in a bucket is fetched first, if it is not here.
  ///
  /// - Parameter isKept: caches never ask for it again, so that its ETag does not matter.
  func response(
    ofDerived id: String, _ name: String, contentType: String, cacheControl: String,
    isKept: Bool = false
  ) throws -> Response {
    guard let derived else {
      return .file(
        path: folder.derived(id) + "/" + name, contentType: contentType, cacheControl: cacheControl)
    }
    let local =
      try derived.atHand(id, name)
      ?? askingBucket(limit: Self.mostDerivedRequests) {
        try mending(id) { try derived.local(id, name) }
      }
    // A copy that is fetched again is another file, so its own ETag would change.
    var response = Response.file(
      path: local.path, contentType: contentType, etag: isKept ? nil : try derived.hash(id, name),
      cacheControl: cacheControl)
    // The response opens its file after this, when the copy could have been displaced.
    if let path = local.linked(in: folder) { response.body = .temporaryFile(path: path) }
    return response
  }

  /// Runs `body`, which fetches files of a record. If the bucket lost or damaged one, the record is prepared again.
  private func mending<Result>(_ id: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StorageError where error.code == .notFound || error.code == .corrupt {
      guard try renewals.addLost(id, isDamaged: error.code == .corrupt) else { throw error }
      log.error("derived.lost", error)
      throw LibraryError(
        .busy(retryAfterSeconds: 5),
        "What was prepared of this file is damaged. It is prepared again. Try again in a moment.",
        cause: error)
    }
  }
}

/// Reads derived files of tracks whole, wherever they are.
struct DerivedReader {
  let folder: DataDirectory
  let bucket: DerivedBucket?

  /// The newest analysis of a track; nil if there is none.
  func analysis(ofTrack id: String) throws -> [UInt8]? {
    guard let bucket else { return try folder.analysis(track: id)?.read() }
    return try bucket.analysisBytes(track: id)
  }

  /// The newest waveform of a track; nil if there is none.
  func peaks(ofTrack id: String) throws -> [UInt8]? {
    guard let bucket else { return try folder.peaks(track: id)?.read() }
    return try bucket.peaksBytes(track: id)
  }
}
