// Thin, throwing wrappers over the system calls whose order matters: open, write, fsync, rename.

#if canImport(Glibc)
  import Glibc
#endif

/// An open file that closes itself.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32
  package let path: String

  package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws {
    let opened = open(path, flags | O_CLOEXEC, mode)
    guard opened >= 0 else { throw StorageError.system("open", path) }
    descriptor = opened
    self.path = path
    if flags & O_EXCL != 0 { Files.chownToParentOwner(opened, at: path) }
  }

  deinit { close(descriptor) }

  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, base, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw StorageError.system("write", path)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws {
    var written = 0
    while written < bytes.count {
      let step = bytes[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, offset + written)
      }
      if step < 0 && errno == EINTR { continue }
      guard step > 0 else { throw StorageError.system("pwrite", path) }
      written += step
    }
  }

  /// Reads up to the size of `buffer`; returns 0 at the end of the file.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw StorageError.system("read", path) }
    }
  }

  /// Reads exactly `count` bytes from `offset` on.
  package func read(at offset: Int, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
        let target = UnsafeMutableRawBufferPointer(rebasing: rest)
        let step = pread(descriptor, target.baseAddress, target.count, offset + filled)
        if step < 0 && errno == EINTR { continue }
        if step < 0 { throw StorageError.system("pread", path) }
        guard step > 0 else { throw StorageError.system("pread", path, number: ENODATA) }
        filled += step
      }
    }
  }

  /// Returns once the bytes are on the disk.
  package func sync() throws {
    try FileJournal.note?("fsync", path)
    while fsync(descriptor) != 0 {
      if errno != EINTR { throw StorageError.system("fsync", path) }
    }
  }

  /// Truncates the file to `count` bytes.
  package func truncate(to count: Int) throws {
    while ftruncate(descriptor, count) != 0 {
      if errno != EINTR { throw StorageError.system("ftruncate", path) }
    }
  }

  package func size() throws -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StorageError.system("fstat", path) }
    return Int(status.st_size)
  }
}

/// Lets a test observe in which order files are synced, renamed and removed. That order decides
/// what a crash leaves, and a test cannot cause such a crash.
package enum FileJournal {
  @TaskLocal package static var note: (@Sendable (_ call: String, _ path: String) throws -> Void)?
}

package enum Files {
  package static func makeFolder(_ path: String) throws {
    var result = mkdir(path, 0o700)
    if result != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]))
      result = mkdir(path, 0o700)
    }
    if result != 0 {
      guard errno == EEXIST else { throw StorageError.system("mkdir", path) }
    } else if geteuid() == 0 {
      let made = try OpenFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      chownToParentOwner(made.descriptor, at: path)
    }
  }

  /// Creates an empty file if it does not exist.
  package static func createIfMissing(_ path: String) throws {
    guard !exists(path) else { return }
    do {
      _ = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL)
    } catch  where exists(path) {
      // Another thread or process just created it.
    }
  }

  /// Changes the owner of a file that root has just created at `path` to the owner of its folder.
  ///
  /// Administrators run commands with `sudo` on a service's library; the service could neither read
  /// nor remove root's files. SQLite does the same for the files next to a database.
  package static func chownToParentOwner(_ descriptor: Int32, at path: String) {
    guard geteuid() == 0, let slash = path.lastIndex(of: "/") else { return }
    var parent = stat()
    guard stat(String(path[...slash]), &parent) == 0, parent.st_uid != 0 else { return }
    // File systems without owners refuse, and need no change.
    _ = fchown(descriptor, parent.st_uid, parent.st_gid)
  }

  package static func names(in path: String) throws -> [String] {
    guard let folder = opendir(path) else { throw StorageError.system("opendir", path) }
    defer { closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
      // d_name is a C array inside the entry, terminated by zero, and valid until the next readdir.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw StorageError.system("readdir", path) }
    return names
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  package static func size(of path: String) throws -> Int { try status(of: path).size }

  /// The total size of the files in a folder tree; files removed meanwhile count as zero.
  package static func treeBytes(_ path: String) throws -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return 0 }
      throw StorageError.system("lstat", path)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    do {
      return try names(in: path).reduce(0) { $0 + (try treeBytes(path + "/" + $1)) }
    } catch let error as StorageError where error.code == .notFound {
      return 0
    }
  }

  package static func modifiedAt(_ path: String) throws -> Int { try status(of: path).modifiedAt }

  private static func status(of path: String) throws -> (size: Int, modifiedAt: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError.system("stat", path) }
    return (Int(status.st_size), Int(status.st_mtim.tv_sec))
  }

  /// The device number of the disk that holds a path.
  package static func disk(of path: String) throws -> dev_t {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError.system("stat", path) }
    return status.st_dev
  }

  package static func syncFolder(_ path: String) throws {
    try OpenFile(path, O_RDONLY | O_DIRECTORY).sync()
  }

  package static func move(_ source: String, to target: String) throws {
    try FileJournal.note?("rename", target)
    guard rename(source, target) == 0 else {
      throw StorageError.system("rename to \(target) from", source)
    }
  }

  /// Makes a folder with further names of the files of another one, and syncs it. It holds no folders.
  package static func linkFiles(of source: String, in target: String) throws {
    try makeFolder(target)
    for name in try names(in: source) {
      let path = target + "/" + name
      try FileJournal.note?("link", path)
      guard link(source + "/" + name, path) == 0 else {
        throw StorageError.system("link to \(path) from", source + "/" + name)
      }
    }
    try syncFolder(target)
  }

  /// Removes a file; does nothing if it does not exist.
  package static func remove(_ path: String) throws {
    try FileJournal.note?("unlink", path)
    guard unlink(path) == 0 || errno == ENOENT else { throw StorageError.system("unlink", path) }
  }

  /// Removes a file or a folder with its contents; links are removed, never followed.
  package static func removeTree(_ path: String) throws {
    try FileJournal.note?("unlink", path)
    if unlink(path) == 0 || errno == ENOENT { return }
    guard errno == EISDIR || errno == EPERM else { throw StorageError.system("unlink", path) }
    for name in try names(in: path) { try removeTree(path + "/" + name) }
    try FileJournal.note?("rmdir", path)
    guard rmdir(path) == 0 || errno == ENOENT else { throw StorageError.system("rmdir", path) }
  }

  /// Makes a folder at `path`, runs `body`, and removes the folder with all that is in it, after an
  /// error too.
  package static func withTemporaryFolder<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      try makeFolder(path)
      let result = try body()
      try removeTree(path)
      return result
    } catch {
      try removeTree(path)
      throw error
    }
  }

  package static func space(at path: String) throws -> (free: Int, total: Int) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw StorageError.system("statvfs", path) }
    let block = Int(clamping: status.f_frsize)
    return (Int(clamping: status.f_bavail) * block, Int(clamping: status.f_blocks) * block)
  }

  package static func read(_ path: String) throws -> [UInt8] {
    let file = try OpenFile(path, O_RDONLY)
    let size = try file.size()
    return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = UnsafeMutableRawBufferPointer(buffer)[count...]
        let step = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
        if step == 0 { break }
        count += step
      }
    }
  }

  /// Writes a new file and returns once its bytes are on the disk; its folder is not synced.
  package static func writeNew(_ path: String, _ bytes: [UInt8]) throws {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
    try bytes.withUnsafeBytes { try file.write($0) }
    try file.sync()
  }

  package static func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
    return String(bits, radix: 36)
  }
}
