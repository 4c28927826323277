// The locks that may be held together, and the order in which they are taken.

import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The locks of an open library, in the order in which a thread takes them. A thread that holds one
/// takes only later ones: then no two threads can wait for each other.
///
/// A lock that is not here is the only one that its code holds, or is held while nothing else of
/// ours is called.
public enum LockRank: Int, Sendable, Comparable {
  /// `DerivedBucket.sending`: the derived files of one record are sent at a time. The first, as who holds it
  /// waits for the network.
  case derivedSends
  /// `DerivedBucket.listing`: one list is read at a time. For the same reason.
  case derivedLists
  /// `Library.mediaLock`: which record has which bytes.
  case media
  /// The lock of `Quota`: how much the library takes is measured once at a time.
  case quota
  /// `admission` of a store of uploads: room is promised to one upload at a time.
  case uploadAdmission
  /// `state` of a store of uploads: which of them are being written.
  case uploadState
  /// `BucketBlobStore.removal`: one removed object is deleted at a time.
  case removals
  /// `DerivedBucket.removal`: the same for derived files.
  case derivedRemovals
  /// The state of the store of blobs: the names of stored bytes.
  case blobs
  /// `DerivedBucket.state`: the names of derived files in a bucket.
  case derivedObjects
  /// `DerivedSizes`: the sizes of what was made of the bytes.
  case derivedSizes
  /// `LibraryDatabase`: the one writing connection.
  case database
  /// `Library.clock`: the time stamps of changes.
  case clock
  /// `JobRunner.state`: which jobs wait and run. Never hold it while a table is read.
  case jobs
  /// `Health`: what is wrong at the moment.
  case health

  public static func < (a: LockRank, b: LockRank) -> Bool { a.rawValue < b.rawValue }
}

/// A mutex that has its place in the lock order. A debug build stops when a thread takes one out of
/// order, also when no other thread is in the way at that moment.
public struct OrderedMutex<Value: ~Copyable>: ~Copyable {
  private let rank: LockRank
  private let mutex: Mutex<Value>

  /// Makes a mutex of this rank around a value.
  public init(_ rank: LockRank, _ value: consuming sending Value) {
    self.rank = rank
    mutex = Mutex(value)
  }

  /// Runs `body` while no other thread has the value.
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if DEBUG
      HeldLocks.take(rank)
      defer { HeldLocks.release(rank) }
    #endif
    return try mutex.withLock(body)
  }

  /// Runs `body` unless another thread has the value; nil when one has.
  public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    #if DEBUG
      HeldLocks.take(rank)
      defer { HeldLocks.release(rank) }
    #endif
    return try mutex.withLockIfAvailable(body)
  }
}

extension OrderedMutex: Sendable where Value: ~Copyable {}

extension LockRank {
  /// Stops a debug build when the current thread could not take a lock of this rank. For work that
  /// needs no lock itself, but can wait as long as if it did.
  public func assertInOrder() {
    #if DEBUG
      HeldLocks.take(self)
      HeldLocks.release(self)
    #endif
  }
}

#if DEBUG
  /// The ranks that the current thread holds.
  private enum HeldLocks {
    private final class Ranks {
      var held: [LockRank] = []
    }

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      let status = pthread_key_create(&key) { ranks in
        if let ranks { Unmanaged<Ranks>.fromOpaque(ranks).release() }
      }
      precondition(status == 0, "No key for what a thread holds.")
      return key
    }()

    private static var ofThisThread: Ranks {
      if let ranks = pthread_getspecific(key) {
        return Unmanaged<Ranks>.fromOpaque(ranks).takeUnretainedValue()
      }
      let ranks = Ranks()
      pthread_setspecific(key, Unmanaged.passRetained(ranks).toOpaque())
      return ranks
    }

    static func take(_ rank: LockRank) {
      let ranks = ofThisThread
      if let last = ranks.held.last, last >= rank {
        fatalError("Lock order: \(rank) was taken while \(last) was held.")
      }
      ranks.held.append(rank)
    }

    static func release(_ rank: LockRank) {
      let released = ofThisThread.held.popLast()
      precondition(released == rank, "Lock order: \(rank) was released out of turn.")
    }
  }
#endif
