// The copy of a library before a migration, for a downgrade.

import Glibc
import Storage

/// Keeps `segmance-before-vN.sqlite` beside the library: its state before schema N.
enum MigrationBackup {
  /// How many of these copies are kept.
  static let kept = 2

  /// Copies the database of `connection` at `path`, verifies the copy, and deletes the oldest one.
  ///
  /// - Throws: `corrupt` if the library is damaged already, or `full`. Nothing is changed then.
  static func make(of connection: SQLiteConnection, at path: String) throws(DatabaseError) {
    let version = Migrations.all.count
    let target = name(at: path, version)
    let partial = target + ".partial"
    unlink(partial)
    do throws(DatabaseError) {
      _ = try connection.copy(to: partial)
      let problems = try SQLiteConnection(path: partial, .reader).integrityProblems()
      guard problems.isEmpty else {
        throw DatabaseError(
          .corrupt,
          "The library is damaged, so it was left as it is. Restore a backup. \(problems[0])")
      }
    } catch {
      unlink(partial)
      throw error
    }
    do {
      try Files.move(partial, to: target)
      try Files.syncFolder(target.lastIndex(of: "/").map { String(target[..<$0]) } ?? ".")
    } catch {
      let call = (error as? StorageError)?.cause as? SystemCallError
      throw DatabaseError(
        .other, "The copy of the library could not be kept: \(call?.reason ?? "\(error)").")
    }
    for older in 1..<max(1, version - kept + 1) { unlink(name(at: path, older)) }
  }

  private static func name(at path: String, _ version: Int) -> String {
    let stem = path.hasSuffix(".sqlite") ? String(path.dropLast(7)) : path
    return "\(stem)-before-v\(version).sqlite"
  }
}
