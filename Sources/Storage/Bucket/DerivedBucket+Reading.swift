// Reading derived files of a bucket: each is fetched when it is needed, and kept on this disk.

#if canImport(Glibc)
  import Glibc
#endif

extension DerivedBucket {
  /// Returns a file of a record, if it is here. It stays as long as the object lives.
  public func atHand(_ id: String, _ name: String) -> LocalBlob? {
    guard isHere(id, name), let hold = holdFolder(id), isHere(id, name) else { return nil }
    return LocalBlob(path: folder.derived(id) + "/" + name) { withExtendedLifetime(hold) {} }
  }

  /// Returns a file of a record; waits until it is fetched, if it is not here.
  ///
  /// - Throws: `notFound` if the bucket does not have it; `corrupt`; `unreachable`.
  public func local(_ id: String, _ name: String) throws -> LocalBlob {
    let hold = holdFolder(id)
    try fetch(id, name)
    return LocalBlob(path: folder.derived(id) + "/" + name) { withExtendedLifetime(hold) {} }
  }

  /// Fetches the files of a record that are not here, and keeps all as long as the object lives.
  public func local(_ id: String, _ names: [String]) throws -> LocalBlob {
    let hold = holdFolder(id)
    for name in names { try fetch(id, name) }
    return LocalBlob(path: folder.derived(id)) { withExtendedLifetime(hold) {} }
  }

  /// Returns the newest waveform of a track, fetched if it is not here; nil if there is none.
  public func peaks(track: String) throws -> (file: DerivedFile, hold: LocalBlob)? {
    try newest(track, { folder.peaksName(among: $0) }, { folder.peaks(track: track) })
  }

  /// Returns the newest analysis of a track, like `peaks(track:)`.
  public func analysis(track: String, asks: Bool) throws -> (file: DerivedFile, hold: LocalBlob)? {
    if asks { _ = try check(track) { $0(folder.analysisName) } }
    return try newest(
      track, { folder.analysisName(among: $0) }, { folder.analysis(track: track) })
  }

  private func newest(
    _ track: String, _ name: ((String) -> Bool) -> String?, _ file: () -> DerivedFile?
  ) throws -> (file: DerivedFile, hold: LocalBlob)? {
    var found = name { has(track, $0) }
    if found == nil {
      try ask(track)
      found = name { has(track, $0) }
    }
    guard let found else { return nil }
    let local = try local(track, found)
    return file().map { ($0, local) }
  }

  /// Returns the bytes of the newest analysis of a track; nil if there is none.
  public func analysisBytes(track: String) throws -> [UInt8]? {
    try newestBytes(track) { folder.analysisName(among: $0) }
  }

  /// Returns the bytes of the newest waveform of a track; nil if there is none.
  public func peaksBytes(track: String) throws -> [UInt8]? {
    try newestBytes(track) { folder.peaksName(among: $0) }
  }

  private func newestBytes(
    _ track: String, _ name: ((String) -> Bool) -> String?
  ) throws -> [UInt8]? {
    if name({ has(track, $0) }) == nil { try ask(track) }
    guard let found = name({ has(track, $0) }) else { return nil }
    if cache != nil {
      let local = try local(track, found)
      return try withExtendedLifetime(local) { try Files.read(local.path) }
    }
    if isHere(track, found) { return try Files.read(folder.derived(track) + "/" + found) }
    // The folder's copies are the server's.
    let path = folder.temporaryPath("derived")
    let size = known(track).first { $0.name == found }?.size ?? 0
    try download(Self.object(track, found), size, to: path)
    let bytes = try Files.read(path)
    try Files.remove(path)
    return bytes
  }

  /// The SHA-256 of a file that is here. It is computed once.
  public func hash(_ id: String, _ name: String) throws -> String {
    if let known = state.withLock({ $0.hashes[id]?[name] }) { return known }
    let hash = try Self.hash(ofFileAt: folder.derived(id) + "/" + name)
    state.withLock { $0.hashes[id, default: [:]][name] = hash }
    return hash
  }

  /// Keeps the folder of a record as long as the result lives.
  func holdFolder(_ id: String) -> LocalBlob? { cache?.hold(folder: folder.derived(id)) }

  /// Fetches a file, unless it is here. The caller holds the record's folder.
  private func fetch(_ id: String, _ name: String) throws {
    let key = Self.object(id, name)
    while !isHere(id, name) {
      let (fetch, isOurs) = state.withLock { state in
        if let fetch = state.fetches[key] { return (fetch, false) }
        let fetch = Fetch()
        state.fetches[key] = fetch
        return (fetch, true)
      }
      guard isOurs else {
        fetch.group.wait()
        if let failure = fetch.failure.withLock({ $0 }) { throw failure }
        continue
      }
      defer {
        state.withLock { $0.fetches[key] = nil }
        fetch.group.leave()
      }
      do {
        // Another thread may have fetched it in between.
        guard !isHere(id, name) else { return }
        try fetchNow(id, name)
        return
      } catch {
        fetch.failure.withLock { $0 = error }
        throw error
      }
    }
  }

  private func fetchNow(_ id: String, _ name: String) throws {
    var size = known(id).first { $0.name == name }?.size
    if size == nil {
      try ask(id)
      size = known(id).first { $0.name == name }?.size
    }
    guard let size else { throw Self.missing(id, name) }
    do {
      try fetch(id, name, size)
    } catch let error as StorageError where error.code == .corrupt || error.code == .notFound {
      // Another server may have replaced or removed it since it was listed.
      try ask(id)
      guard let new = known(id).first(where: { $0.name == name })?.size else {
        throw Self.missing(id, name)
      }
      guard new != size else { throw error }
      try fetch(id, name, new)
    }
  }

  private func fetch(_ id: String, _ name: String, _ size: Int) throws {
    try folder.requireSpace(for: size)
    let path = folder.temporaryPath("derived")
    try download(Self.object(id, name), size, to: path)
    do {
      try Files.makeFolder(folder.derived(id))
      try Files.move(path, to: folder.derived(id) + "/" + name)
    } catch {
      try Files.remove(path)
      throw error
    }
    state.withLock { $0.hashes[id]?[name] = nil }
    try cache?.grow(folder: folder.derived(id), by: size)
  }

  /// Fetches an object into a new, verified and synced file.
  private func download(_ key: String, _ size: Int, to path: String) throws {
    do {
      var hasher = SHA256Hasher()
      let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
      var hash: String?
      try asking {
        hash = try client.get(key, size: size) { bytes in
          hasher.update(bytes)
          try file.write(bytes)
        }
        if hash == nil { hash = try client.hash(of: key) }
      }
      guard hasher.digest() == hash else {
        throw StorageError(
          .corrupt, "A stored file has changed in the bucket. It is made again.", cause: key)
      }
      try file.sync()
    } catch {
      try Files.remove(path)
      throw error
    }
  }

  private static func missing(_ id: String, _ name: String) -> StorageError {
    StorageError(
      .notFound, "A file that was expected is not there.", cause: object(id, name))
  }

  /// Reads the objects of a record, and returns the names of those that are damaged.
  public func damage(_ id: String) throws -> [String] {
    try ask(id)
    return try known(id).filter { file in
      let key = Self.object(id, file.name)
      var hasher = SHA256Hasher()
      var hash: String?
      do {
        try asking {
          hash = try client.get(key, size: file.size) { hasher.update($0) }
          if hash == nil { hash = try client.hash(of: key) }
        }
      } catch let error as StorageError where error.code == .corrupt || error.code == .notFound {
        return true
      }
      return hasher.digest() != hash
    }.map(\.name)
  }
}
