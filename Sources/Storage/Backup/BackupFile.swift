// A backup as a file: complete and verified, or not there.

#if canImport(Glibc)
  import Glibc
#endif

/// Writes backups to disk, and keeps the last of them in a folder.
public enum BackupFile {
  /// How much of the work is done when the file is written; the rest is reading it back.
  private static let writingShare = 0.6

  /// Writes a backup to `path`: under another name first, synced, read back with every hash, looked
  /// over by `checkDatabase` (which gets the path of the contained database), and then renamed.
  ///
  /// - Parameter incompletePath: where it goes instead when it lacks a file, or holds a damaged one.
  /// - Throws: `fileSystem` when there is a file already, unless it `replaces` it. Nothing is left
  ///   of a backup that fails.
  /// - Returns: hashes of files that were damaged in the library already; it can't restore them.
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
      // What is read back should come from the disk and not from memory.
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

/// The scheduled backups of one library, in a folder that others may use, too.
public struct BackupFolder: Sendable {
  /// One backup, complete and verified.
  public struct Stored: Sendable, Equatable {
    public var name: String
    /// When it was begun, in seconds since 1970.
    public var createdAt: Int
    public var size: Int

    /// Whether the library had lost a file, or held a damaged one, when it was made.
    public var isIncomplete: Bool { name.hasSuffix(BackupFolder.incompleteSuffix) }
  }

  private static let suffix = ".tar"
  private static let incompleteSuffix = "-incomplete.tar"

  /// Says that the folder is not there.
  public static let away = StorageError(
    .notFound, "The folder for backups is not there. Is its disk connected?")

  public let path: String
  /// How names of this library's backups begin: others are neither counted nor removed.
  private let prefix: String

  /// Whether the folder is there.
  public var isPresent: Bool { Files.exists(path) }

  /// Names the folder, and the library by a word that stays its own, without the date's marks.
  public init(path: String, library: String) {
    prefix = "segmance-\(library)-"
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Makes the folder where there is none, and prepares it. Where the folder that it would be in is
  /// away, its disk is: then nothing is made, which would lie on another disk.
  public func make() throws {
    if Files.exists(BackupFile.split(path).folder) { try Files.makeFolder(path) }
    try prepare()
  }

  /// Removes what an interrupted backup left in the folder, which must be there.
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
        // Removed since the names were read.
      }
    }
    return found.sorted { ($0.createdAt, $0.name) < ($1.createdAt, $1.name) }
  }

  /// Returns where a backup begun at `seconds` since 1970 goes; a little later where one is already.
  public func newPath(at seconds: Int) -> String {
    let names = (seconds...).lazy.map { path + "/" + prefix + FileTimestamp.text($0) + Self.suffix }
    return names.first { !Files.exists($0) && !Files.exists(Self.incompletePath($0)) } ?? path
  }

  /// Returns where the backup that would go to `path` goes when it is incomplete.
  public static func incompletePath(_ path: String) -> String {
    (path.hasSuffix(suffix) ? String(path.dropLast(suffix.utf8.count)) : path) + incompleteSuffix
  }

  /// Removes backups beyond `count`, of which the one at `written` is the last: first those that
  /// are followed by another within `spacing` seconds, so that many in one hour don't cost what many
  /// days have left; then the oldest.
  ///
  /// By the clock, which may have been wrong: one from a time that is not yet, `now` in seconds since
  /// 1970, is older than one from the past.
  /// - Returns: what stays besides when the one at `written` is incomplete, because it may have what
  ///   that one lacks: the last complete one. Where there is none, the oldest stays, and nil is
  ///   returned.
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
      // The newest of them, so that a day's first stands for it as long as it can.
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
  /// The last one by the clock, which shows `now` in seconds since 1970: one from when it was ahead
  /// says nothing about today.
  public func latest(by now: Int) -> BackupFolder.Stored? { last { $0.createdAt <= now } }
}

/// Moments in file names: `2026-11-21T18-20-00Z`, in order as text.
public enum FileTimestamp {
  /// Writes a moment in seconds since 1970.
  public static func text(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return [
      pad(Int(parts.tm_year) + 1900, 4), "-", pad(Int(parts.tm_mon) + 1, 2), "-",
      pad(Int(parts.tm_mday), 2), "T", pad(Int(parts.tm_hour), 2), "-", pad(Int(parts.tm_min), 2),
      "-", pad(Int(parts.tm_sec), 2), "Z",
    ].joined()
  }

  /// Reads what `text` wrote; nil for anything else.
  static func seconds(_ name: String) -> Int? {
    let numbers = name.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
    guard numbers.count == 6 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    let seconds = Int(timegm(&parts))
    return text(seconds) == name ? seconds : nil
  }

  /// Writes a moment in seconds since 1970 for a person.
  public static func shown(_ seconds: Int) -> String {
    let text = text(seconds)
    let time = text.dropFirst(11).prefix(5).map { $0 == "-" ? ":" : $0 }
    return "\(text.prefix(10)) \(String(time)) UTC"
  }

  private static func pad(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
