// The databases of tests, on the engine under test.

import Storage
import TestSupport

@testable import Database

extension LibraryDatabase {
  /// Opens the library of `folder`, in a file there or on the server under test.
  convenience init(in folder: TemporaryFolder) throws {
    try TestDatabase.prepare(folder)
    try self.init(of: DataDirectory(root: folder.path))
  }
}
