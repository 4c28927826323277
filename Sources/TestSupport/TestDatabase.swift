// Where the libraries of tests have their records.

import FoundationEssentials

/// The engine under test: SQLite, or with `make test ONLY=postgresql` a PostgreSQL server.
public enum TestDatabase {
  /// Whether it is a PostgreSQL server.
  public static var isServer: Bool { server != nil }

  private static let server = ProcessInfo.processInfo.environment["SEGMANCE_TEST_DATABASE"]

  /// Returns the address of a schema that nothing else uses; nil with SQLite. It is made at the first
  /// connection.
  public static func newAddress() -> String? {
    server.map { address in
      let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
      return address + (address.contains("?") ? "&" : "?")
        + "options=-csearch_path%3D\(name)&application_name=\(name)"
    }
  }

  /// Lets the library that will be opened in `folder` have its records where the tests want them.
  public static func prepare(_ folder: TemporaryFolder) throws {
    let file = folder.path + "/database.address"
    guard let address = newAddress(), !FileManager.default.fileExists(atPath: file) else { return }
    _ = try folder.write("database.address", Array(address.utf8))
  }
}
