// An open file that is sent as a response.

import Glibc
import Synchronization

/// Owns a file descriptor until it is released or the object is freed.
final class ServedFile: Sendable {
  let size: Int
  private let descriptor: Int32
  private let isOwned = Atomic(true)
  /// An ETag of inode, size and modification time.
  let etag: String

  /// Opens a regular file; throws a 404 if it is not there.
  init(path: String) throws {
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard opened >= 0 else {
      let error = SystemError(operation: "open \(path)", code: errno)
      if error.code == ENOENT || error.code == ENOTDIR {
        throw HTTPError(404, detail: "The file is not there.", cause: error)
      }
      throw error
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let code = errno
      close(opened)
      throw SystemError(operation: "read \(path), which is no regular file", code: code)
    }
    descriptor = opened
    size = status.st_size
    // Negative before 1970.
    let seconds = UInt64(bitPattern: Int64(status.st_mtim.tv_sec))
    let time = seconds &* 1_000_000_000 &+ UInt64(status.st_mtim.tv_nsec)
    etag =
      "\"\(String(status.st_ino, radix: 36))-\(String(size, radix: 36))-\(String(time, radix: 36))\""
  }

  deinit {
    if isOwned.load(ordering: .relaxed) { close(descriptor) }
  }

  /// Removes the file's name; the bytes stay until the file is closed.
  func removeName(_ path: String) throws {
    guard unlink(path) == 0 else { throw SystemError(operation: "remove \(path)", code: errno) }
  }

  /// Gives up the descriptor; the receiver closes it.
  func release() -> Int32 {
    let wasOwned = isOwned.exchange(false, ordering: .relaxed)
    precondition(wasOwned, "The descriptor was handed over before.")
    return descriptor
  }
}

/// A failed system call, for the log.
struct SystemError: Error, CustomStringConvertible {
  let operation: String
  let code: Int32

  var description: String { "could not \(operation): \(String(cString: strerror(code)))" }
}
