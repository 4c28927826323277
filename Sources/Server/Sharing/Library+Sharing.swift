// What this server does when another one that shares the library tells it something.

import Database
import FoundationEssentials
import HTTP
import Storage

extension Library {
  /// Begins to hear the other servers, if there can be any.
  func startSharing() throws(DatabaseError) {
    guard let sharing else { return }
    sharing.onChange(of: .devices) { [weak self] in try self?.rereadDevices() }
    sharing.onChange(of: .people) { [weak self] in try self?.people.reload() }
    sharing.onChange(of: .links) { [weak self] in try self?.links.reload() }
    try sharing.start {
      [weak self] in
      self?.catchUp()
    } onLeave: { [weak self] in
      self?.players.forget($0)
    } onTick: { [weak self] in
      // A database that is away is told by requests.
      try? self?.serverClock.follow(sharing.shared.time)
      if self?.isKeeper == true { self?.keep() }
    } onNews: { [weak self] in
      self?.take($0, from: $1)
    }
  }

  /// Whether this server does what one of those that share the library does for all.
  var isKeeper: Bool { sharing?.isKeeper ?? true }

  /// Reads the devices again, and ends what is open for those that are gone.
  private func rereadDevices() throws {
    try devices.reload()
    hub.close { page in page.device.map { !devices.isPaired($0) } ?? false }
  }

  /// Does what one of the servers does for all: jobs of servers that are gone wait again, and blobs are deleted
  /// that any of them has announced.
  private func keep() {
    guard let sharing else { return }
    let shared = sharing.shared
    do {
      if try deletions.isAnyDue(at: shared.number, all: sharing.isSettledKeeper) {
        sharing.deleteSoon { [self] in
          do {
            try deleteRemovedBlobs()
            return true
          } catch {
            log.error("blobs.undeleted", error)
            return false
          }
        }
      }
      let servers = try shared.servers()
      guard try jobs.unfinished().contains(where: { $0.state == .running }),
        try jobs.write({ writer throws(DatabaseError) in try writer.requeue(exceptAt: servers) })
      else { return }
      try jobQueue.resume()
      sharing.announce(.jobs)
    } catch {
      log.error("jobs.unresumed", error)
    }
  }

  /// Makes up for what may have been missed.
  private func catchUp() {
    sharing?.announce(.whoIsThere)
    players.announce()
    do {
      let seq = try records.latestSeq()
      hub.publish("changed", data: Library.changed(seq))
    } catch {
      // Requests tell that the database is away, and the next connection comes here again.
    }
  }

  private func take(_ news: News, from server: Int) {
    switch news {
    case .event(let event, let data, let audience):
      events.deliver(event, data: data, to: audience)
    case .lead(let command):
      leads.take(command, isOwn: server == sharing?.shared.number)
    case .pages(let person, let pages):
      players.take(pages, of: person, at: server)
    case .whoIsThere:
      players.announce()
    case .jobs:
      do { try jobQueue.resume() } catch { log.error("jobs.unresumed", error) }
    case .cancel(let job):
      jobQueue.cancelHere(job)
    case .stale, .fresh, .leave:
      break
    }
  }
}

extension Library {
  /// Throws `conflict` if a restored library is in a folder. Opened beside other servers, or later, it would
  /// replace what was written until then.
  static func requireNothingRestored(in folder: DataDirectory) throws {
    guard !RestoreTransaction(folder).isPending, !folder.hasDatabaseFile else {
      throw LibraryError(
        .conflict,
        "A restored library is in \(folder.root). Stop the other servers, and start this one without "
          + "--standby or --shared once.")
    }
  }

  /// Throws `invalidValue` unless a library is one that another machine can open, too. Returns the address of its
  /// records.
  @discardableResult
  public static func requireShareable(
    _ folder: DataDirectory, server address: String?, hasBucket: Bool
  ) throws -> String {
    if let address { try folder.requireRecords(at: address) }
    guard let address = try address ?? folder.databaseAddress,
      hasBucket || FileManager.default.fileExists(atPath: folder.bucketFile)
    else {
      throw LibraryError(
        .invalidValue,
        "--standby and --shared are for libraries that another machine can open, too: with the records "
          + "on a PostgreSQL server (--database), and the songs and videos in a bucket (--blobs).")
    }
    return address
  }
}
