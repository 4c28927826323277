// Which bytes on the disk a track or video owns.

import Model

/// How long what a change deleted keeps its bytes, so that it can be undone, in milliseconds.
private let graceMilliseconds = 86_400_000

extension MediaView {
  /// Whether the bytes of this track or video belong on the disk.
  var needsMedia: Bool { deletedAt == nil && ownsMedia }

  /// Whether its bytes stay on the disk at `now`, in milliseconds since 1970: it needs them, or was
  /// deleted less than a day ago.
  func keepsMedia(at now: Int) -> Bool {
    ownsMedia && (record.deletionTime(now: now) ?? now) > now - graceMilliseconds
  }

  /// Whether its bytes belong on the disk as long as it can come back: what could not be taken in
  /// leaves nothing. What was ready once and could not be prepared again keeps its only original.
  var ownsMedia: Bool { state != .failed || wasReady }

  /// Whether it is ready, or was before it was to be prepared again.
  var wasReady: Bool { state == .ready || lengthFrames != nil }
}
