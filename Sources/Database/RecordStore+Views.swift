// Reading records as typed views.

import Model

extension RecordStore {
  /// Returns a track, a deleted one too; nil if there is none with this id.
  public func track(_ id: String) throws(DatabaseError) -> Track? {
    try record(.track, id).map(Track.init)
  }

  /// Returns a video, a deleted one too; nil if there is none with this id.
  public func video(_ id: String) throws(DatabaseError) -> Video? {
    try record(.video, id).map(Video.init)
  }

  /// Returns a track or video, a deleted one too; nil if there is none with this id.
  public func medium(_ type: RecordType, _ id: String) throws(DatabaseError) -> Medium? {
    try record(type, id).map(Medium.init)
  }

  /// Returns all tracks and videos, deleted ones too.
  public func media() throws(DatabaseError) -> [Medium] {
    try (records(.track) + records(.video)).map(Medium.init)
  }

  /// Returns all tracks and videos that are not deleted.
  public func presentMedia() throws(DatabaseError) -> [Medium] {
    try (present(.track) + present(.video)).map(Medium.init)
  }

  /// Returns the tracks and videos whose bytes have this hash, deleted ones too.
  public func media(sha256: String) throws(DatabaseError) -> [Medium] {
    try records(withSHA256: sha256)
      .filter { $0.type == .track || $0.type == .video }
      .map(Medium.init)
  }
}
