// The ownership of bytes on the disk by tracks, videos and recordings.

import Model

/// How long bytes are kept after a deletion by a change, so that it can be undone, in milliseconds.
private let graceMilliseconds = 86_400_000

extension MediaView {
  /// Whether the record needs its bytes on the disk.
  var needsMedia: Bool { deletedAt == nil && ownsMedia }

  /// Whether its bytes stay on the disk at `now`, in milliseconds since 1970: the record needs
  /// them, or was deleted less than a day ago.
  func keepsMedia(at now: Int) -> Bool {
    ownsMedia && (record.deletionTime(now: now) ?? now) > now - graceMilliseconds
  }

  /// Whether it owns its bytes as long as it can be restored. A record that failed to import keeps
  /// nothing. A record that was ready before and could not be prepared again keeps its only
  /// original.
  var ownsMedia: Bool { state != .failed || wasReady }

  /// Whether it is ready, or was before it had to be prepared again.
  var wasReady: Bool { state == .ready || lengthFrames != nil }
}
