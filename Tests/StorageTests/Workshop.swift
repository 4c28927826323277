// Shared helpers of this module's tests: a data folder for each test.

import Glibc
import Testing

@testable import Storage

/// A prepared data folder that is removed with the object.
final class Workshop: Sendable {
  let folder: DataDirectory

  init() throws {
    folder = DataDirectory(root: "/tmp/segmance-test-" + Files.randomName())
    try folder.prepare()
  }

  deinit {
    do { try Files.removeTree(folder.root) } catch { Issue.record(error) }
  }

  /// Writes a file of these bytes under `tmp` and returns its path.
  func file(_ bytes: [UInt8]) throws -> String {
    let path = folder.temporaryPath("test")
    try Files.writeNew(path, bytes)
    return path
  }
}

/// Runs `body` and returns the code of the `StorageError` that it throws.
func code(of body: () throws -> Void) -> StorageError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StorageError)?.code
  }
}

/// Sets when a file was last written, in seconds since 1970.
func setTime(_ path: String, _ seconds: Int) throws {
  let time = timeval(tv_sec: seconds, tv_usec: 0)
  guard utimes(path, [time, time]) == 0 else { throw StorageError.system("utimes", path) }
}

/// Makes a link to a path; false if that fails.
func symlinked(_ target: String, _ path: String) -> Bool { symlink(target, path) == 0 }
