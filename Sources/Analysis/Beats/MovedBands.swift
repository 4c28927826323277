// The same music as if it were played a little lower or higher.

/// Bands as they are, a band lower and a band higher, with silence where they leave a band.
///
/// A band is about a semitone wide, and the network was trained on music in all keys. Where it is not
/// sure, it may find other beats in another key; the mean of all is right more often.
struct MovedBands: Sendable {
  /// By how many bands each version is moved.
  private static let distances = [0, 1, -1]

  static let versionCount = distances.count

  private var levels = [Float](repeating: 0, count: versionCount * MelBands.bandCount)

  /// Passes the versions of the bands of one frame to `body`, those of one after the other's.
  mutating func move(
    _ bands: UnsafePointer<Float>, _ body: (UnsafePointer<Float>) -> Void
  ) {
    let size = MelBands.bandCount
    levels.withUnsafeMutableBufferPointer { levels in
      for (version, distance) in Self.distances.enumerated() {
        for band in max(0, distance)..<min(size, size + distance) {
          levels[version * size + band] = bands[band - distance]
        }
      }
      body(UnsafePointer(levels.baseAddress!))  // It is not empty.
    }
  }
}
