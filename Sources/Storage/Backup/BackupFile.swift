// Writes backup files atomically: a file at its final path is complete and verified.

import Text

#if canImport(Glibc)
  import Glibc
#endif

/// Writes backups to disk, and keeps the most recent ones in a folder.
public enum BackupFile {
  /// The share of the progress that writing takes; the rest is verification.
  private static let writingShare = 0.6

  /// Writes a backup to `path`: under a temporary name first, synced, read back with every hash,
  /// checked by `checkDatabase` (which gets the path of the contained database), and then renamed.
  ///
  /// - Parameter incompletePath: the path to use instead if a file is missing or damaged.
  /// - Throws: `fileSystem` if the file exists and `replaces` is false. No files are left after an
  ///   error.
  /// - Returns: hashes of files that were already damaged in the library; the backup cannot restore
  ///   them.
  @discardableResult
  public static func write(
    _ writer: BackupWriter, to path: String, orIncompleteTo incompletePath: String? = nil,
    using scratch: BackupStaging, replaces: Bool = false, checkDatabase: (String) throws -> Void,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> [String] {
    guard replaces || !Files.exists(path) else {
      throw StorageError(.fileSystem, "There is a file at \(path) already.")
    }
    let (folder, name) = split(path)
    let length = writer.length ?? writer.manifest.contentBytes
    try requireSpace(for: length, in: folder)
    try scratch.requireReserve(beside: length, in: folder)
    let partial = folder + "/" + partialName(name)
    try Files.remove(partial)
    let damaged: [String]
    do {
      let file = try OpenFile(partial, O_RDWR | O_CREAT | O_EXCL)
      try writer.write(
        to: { try file.write($0) }, progress: { progress($0 * writingShare) },
        isCancelled: isCancelled)
      try file.sync()
      // Verification should read from the disk and not from the page cache.
      posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
      damaged = try BackupReader(path: partial).read(
        database: scratch.verified,
        progress: { progress(writingShare + $0 * (1 - writingShare)) }, isCancelled: isCancelled
      ).damaged
      try checkDatabase(scratch.verified)
      let isComplete = damaged.isEmpty && writer.manifest.missing.isEmpty
      try Files.move(partial, to: isComplete ? path : incompletePath ?? path)
      try Files.syncFolder(folder)
    } catch {
      try Files.remove(partial)
      throw error
    }
    progress(1)
    return damaged
  }

  fileprivate static func partialName(_ name: String) -> String { ".\(name).partial" }

  private static func requireSpace(for bytes: Int, in folder: String) throws {
    guard try Files.space(at: folder).free >= bytes else {
      throw StorageError(
        .noSpace,
        "There is not enough room for a backup in \(folder). Delete what you no longer need there.")
    }
  }

  fileprivate static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}

/// The scheduled backups of one library, in a folder that other libraries may share.
public struct BackupFolder: Sendable {
  /// One backup, complete and verified.
  public struct Stored: Sendable, Equatable {
    public var name: String
    /// The start of the backup, in seconds since 1970.
    public var createdAt: Int
    public var size: Int

    /// Whether the library had a missing or damaged file when the backup was made.
    public var isIncomplete: Bool { name.hasSuffix(BackupFolder.incompleteSuffix) }
  }

  private static let suffix = ".tar"
  private static let incompleteSuffix = "-incomplete.tar"

  /// The folder is missing.
  public static let away = StorageError(
    .notFound, "The folder for backups is not there. Is its disk connected?")

  public let path: String
  /// The prefix of this library's backups. Other files are neither counted nor removed.
  private let prefix: String

  /// Whether the folder exists.
  public var isPresent: Bool { Files.exists(path) }

  /// `library` is a word that identifies the library and does not change.
  public init(path: String, library: String) {
    prefix = "segmance-\(library)-"
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Creates the folder if it is missing, and prepares it. If its parent folder is missing too, the
  /// disk is not mounted: nothing is created then, since it would be on another disk.
  public func make() throws {
    if Files.exists(BackupFile.split(path).folder) { try Files.makeFolder(path) }
    try prepare()
  }

  /// Removes the files of interrupted backups from the folder, which must exist.
  public func prepare() throws {
    guard isPresent else { throw BackupFolder.away }
    for name in try Files.names(in: path)
    where name.hasPrefix("." + prefix) && name.hasSuffix(".partial") {
      try Files.remove(path + "/" + name)
    }
  }

  /// Returns the backups, the oldest first.
  public func all() throws -> [Stored] {
    guard Files.exists(path) else { return [] }
    var found: [Stored] = []
    for name in try Files.names(in: path) {
      guard let createdAt = time(in: name) else { continue }
      do {
        let size = try Files.size(of: path + "/" + name)
        found.append(Stored(name: name, createdAt: createdAt, size: size))
      } catch let error as StorageError where error.code == .notFound {
        // Removed since the folder was listed.
      }
    }
    return found.sorted { ($0.createdAt, $0.name) < ($1.createdAt, $1.name) }
  }

  /// Returns the path of a backup begun at `seconds` since 1970; slightly later if that name is
  /// taken.
  public func newPath(at seconds: Int) -> String {
    let names = (seconds...).lazy.map { path + "/" + prefix + FileTimestamp.text($0) + Self.suffix }
    return names.first { !Files.exists($0) && !Files.exists(Self.incompletePath($0)) } ?? path
  }

  /// Returns the path of a backup if it is incomplete.
  public static func incompletePath(_ path: String) -> String {
    (path.hasSuffix(suffix) ? String(path.dropLast(suffix.utf8.count)) : path) + incompleteSuffix
  }

  /// Removes backups beyond `count`, of which the one at `written` is the latest: first those that
  /// are followed by another within `spacing` seconds, so that many backups in one hour do not
  /// displace those of many days; then the oldest.
  ///
  /// The clock may have been wrong: a backup from the future, after `now` in seconds since 1970,
  /// counts as older than one from the past.
  /// - Returns: the backup that is kept additionally if the one at `written` is incomplete: the
  ///   last complete one, which may hold files that the new one lacks. If there is none, the oldest
  ///   is kept, and nil is returned.
  @discardableResult
  public func keepLast(_ count: Int, written: String, now: Int, spacing: Int) throws -> Stored? {
    let stored = try all()
    let last = stored.first { path + "/" + $0.name == written }
    let others = stored.filter { path + "/" + $0.name != written }
    var byAge = others.filter { $0.createdAt > now } + others.filter { $0.createdAt <= now }
    var complete: Stored?
    if last?.isIncomplete == true {
      complete = byAge.last { !$0.isIncomplete }
      if let spared = complete ?? byAge.first { byAge.removeAll { $0 == spared } }
    }
    while byAge.count >= max(1, count) {
      let next = byAge.dropFirst().map(\.createdAt) + [last?.createdAt ?? now]
      // The newest of them, so that the first backup of a day is kept as long as possible.
      let crowded = byAge.indices.last { next[$0] - byAge[$0].createdAt < spacing }
      let isFuture = byAge[0].createdAt > now
      try Files.remove(path + "/" + byAge.remove(at: isFuture ? 0 : crowded ?? 0).name)
    }
    return complete
  }

  private func time(in name: String) -> Int? {
    let suffix = name.hasSuffix(Self.incompleteSuffix) ? Self.incompleteSuffix : Self.suffix
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return FileTimestamp.seconds(
      String(name.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)))
  }
}

extension [BackupFolder.Stored] {
  /// The latest backup not after `now`, in seconds since 1970. A backup from a time when the clock
  /// was ahead is ignored.
  public func latest(by now: Int) -> BackupFolder.Stored? { last { $0.createdAt <= now } }
}

/// Timestamps in file names: `2026-11-21T18-20-00Z`. They sort chronologically as text.
public enum FileTimestamp {
  /// Formats a time in seconds since 1970.
  public static func text(_ seconds: Int) -> String {
    let time = UTCTime(seconds)
    let date = [time.year.padded(to: 4), time.month.padded(to: 2), time.day.padded(to: 2)]
    let clock = [time.hour, time.minute, time.second].map { $0.padded(to: 2) }
    return date.joined(separator: "-") + "T" + clock.joined(separator: "-") + "Z"
  }

  /// Parses the output of `text`; nil for anything else.
  static func seconds(_ name: String) -> Int? {
    let numbers = name.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
    guard numbers.count == 6 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    let seconds = Int(timegm(&parts))
    return text(seconds) == name ? seconds : nil
  }

  /// Formats a time in seconds since 1970 for display.
  public static func shown(_ seconds: Int) -> String {
    let text = text(seconds)
    let time = text.dropFirst(11).prefix(5).map { $0 == "-" ? ":" : $0 }
    return "\(text.prefix(10)) \(String(time)) UTC"
  }
}
