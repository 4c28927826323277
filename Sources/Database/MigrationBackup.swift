// The copy of a library before a migration, for a downgrade.

import Glibc

/// Keeps `segmance-before-vN.sqlite` beside the library: its state before schema N.
enum MigrationBackup {
  /// How many of these copies are kept.
  static let kept = 2

  /// Copies the database of `connection` at `path`, verifies the copy, and deletes the oldest one.
  ///
  /// - Throws: `corrupt` if the library is damaged already, or `full`. Nothing is changed then.
  static func make(of connection: Connection, at path: String) throws(DatabaseError) {
    let version = Migrations.all.count
    let target = name(at: path, version)
    let partial = target + ".partial"
    unlink(partial)
    do throws(DatabaseError) {
      _ = try connection.copy(to: partial)
      let problems = try Connection(path: partial, .reader).integrityProblems()
      guard problems.isEmpty else {
        throw DatabaseError(
          .corrupt,
          "The library is damaged, so it was left as it is. Restore a backup. \(problems[0])")
      }
    } catch {
      unlink(partial)
      throw error
    }
    guard rename(partial, target) == 0, sync(folderOf: target) else {
      throw DatabaseError(
        .other, "The copy of the library could not be kept: \(String(cString: strerror(errno))).")
    }
    for older in 1..<max(1, version - kept + 1) { unlink(name(at: path, older)) }
  }

  private static func name(at path: String, _ version: Int) -> String {
    let stem = path.hasSuffix(".sqlite") ? String(path.dropLast(7)) : path
    return "\(stem)-before-v\(version).sqlite"
  }

  private static func sync(folderOf path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
