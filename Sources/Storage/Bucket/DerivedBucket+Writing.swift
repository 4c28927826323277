// Sending derived files to a bucket, and copying them within it.

import Dispatch
import Synchronization

extension DerivedBucket {
  /// Files that are sent at a time.
  private static let width = 4

  /// Runs `body`, which makes files of a record in its folder, and sends them: all of them, and then the bucket
  /// has no others of this record; or those of `names`. Nothing of the record is displaced meanwhile.
  public func making<Result>(
    _ id: String, _ names: [String]? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let hold = begin(id)
    defer { end(id) }
    return try withExtendedLifetime(hold) {
      let result = try body()
      try send(id, names)
      return result
    }
  }

  /// Sends all files of a record's folder.
  public func sendFolder(_ id: String) throws { try making(id) {} }

  /// A deletion of the record's objects that is under way ends before.
  private func begin(_ id: String) -> LocalBlob? {
    removal.withLock { _ in
      state.withLock { state in
        state.removed.remove(id)
        state.jobs[id, default: 0] += 1
      }
    }
    let hold = holdFolder(id)
    cache?.keep(folder: folder.derived(id))
    return hold
  }

  private func end(_ id: String) {
    state.withLock { state in
      let left = (state.jobs[id] ?? 1) - 1
      state.jobs[id] = left > 0 ? left : nil
    }
  }

  private func send(_ id: String, _ names: [String]?) throws {
    try sending.withLock { _ in
      let path = folder.derived(id)
      let here = Files.exists(path) ? try Files.names(in: path).filter(Self.isName).sorted() : []
      let sent = names.map { here.filter(Set($0).contains) } ?? here
      let before = known(id)
      let files = try sendFiles(id, sent)
      let earlier = Set(folder.earlierNames)
      let stale = before.map(\.name).filter { name in
        !sent.contains(name) && (names == nil || earlier.contains(name))
      }
      try asking { for name in stale { try client.delete(Self.object(id, name)) } }
      state.withLock { state in
        let kept = before.filter { !sent.contains($0.name) && !stale.contains($0.name) }
        state.set(id, (kept + files).sorted { $0.name < $1.name })
      }
      try cache?.settle(folder: path)
    }
  }

  private func sendFiles(_ id: String, _ names: [String]) throws -> [File] {
    let next = Atomic(0)
    let results = Mutex<(files: [File], failure: (any Error)?)>(([], nil))
    DispatchQueue.concurrentPerform(iterations: min(Self.width, names.count)) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < names.count, results.withLock({ $0.failure == nil }) else { return }
        do {
          let file = try sendFile(id, names[index])
          results.withLock { $0.files.append(file) }
        } catch {
          results.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    return try results.withLock { results in
      if let failure = results.failure { throw failure }
      return results.files
    }
  }

  private func sendFile(_ id: String, _ name: String) throws -> File {
    let path = folder.derived(id) + "/" + name
    let size = try Files.size(of: path)
    let hash = try Self.hash(ofFileAt: path)
    try asking {
      let key = Self.object(id, name)
      if size <= BucketClient.wholeLimit {
        // The server has compared the hash: unlike after parts, there is nothing to ask.
        try client.put(key, fileAt: path, range: 0..<size, sha256: hash, keepsHash: true)
      } else {
        try client.upload(key, fileAt: path, size: size, sha256: hash, keepsHash: true)
      }
    }
    return File(name: name, size: size)
  }

  /// Gives a copy of a track, video or recording the objects of the original. What of it is not in the bucket
  /// yet is sent before. The objects are not swept as long as the result lives; its path is the copy's id.
  public func copy(_ id: String, to copy: String) throws -> LocalBlob {
    if known(id).isEmpty { try ask(id) }
    if known(id).isEmpty, Files.exists(folder.derived(id)) { try sendFolder(id) }
    let files = known(id)
    let hold = begin(copy)
    let made = LocalBlob(path: copy) { [self] in withExtendedLifetime(hold) { end(copy) } }
    try asking {
      for file in files {
        try client.copy(Self.object(id, file.name), to: Self.object(copy, file.name))
      }
    }
    state.withLock { $0.set(copy, files) }
    try cache?.settle(folder: folder.derived(copy))
    return made
  }

  /// Lets the folder of a record hold nothing that the bucket has not, and be displaced from here on. What
  /// differs is removed: it was made before another server made it again.
  public func reconcile(_ id: String) throws {
    let path = folder.derived(id)
    let hold = holdFolder(id)
    try withExtendedLifetime(hold) {
      guard state.withLock({ $0.jobs[id] == nil }), Files.exists(path) else { return }
      let files = known(id)
      for name in try Files.names(in: path) {
        let size = try Files.size(of: path + "/" + name)
        if !files.contains(File(name: name, size: size)) { try Files.removeTree(path + "/" + name) }
      }
      try cache?.settle(folder: path)
    }
  }
}
