// What a connection is fed from while its response is being sent.

/// What a reader finds in a feed.
enum ReadResult: Equatable {
  case copied(Int)
  /// Nothing yet; the reader is woken later.
  case waiting
  case ended
  /// There will be no more, and what came is not all of it.
  case failed
}

/// Something that a connection reads until it ends.
protocol BodyStream: AnyObject, Sendable {
  /// Moves bytes to `buffer`. Where there are none, `wait` runs with the feed locked and returns what
  /// wakes the reader, so that nothing can fall between the two.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, wait: () -> @Sendable () -> Void
  ) -> ReadResult
  /// Ends it: the server stops.
  func close()
  /// Tells the writer that there is no reader any more.
  func abandon()
}
