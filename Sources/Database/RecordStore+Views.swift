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

  /// Returns a recording, a deleted one too; nil if there is none with this id.
  public func recording(_ id: String) throws(DatabaseError) -> NameRecording? {
    try record(.recording, id).map(NameRecording.init)
  }

  /// Returns a track, video or recording, a deleted one too; nil if there is none with this id.
  public func medium(_ type: RecordType, _ id: String) throws(DatabaseError) -> Medium? {
    try record(type, id).map(Medium.init)
  }

  /// Returns all tracks, videos and recordings, deleted ones too.
  public func media() throws(DatabaseError) -> [Medium] {
    var media: [Medium] = []
    for type in Medium.types { media += try records(type).map(Medium.init) }
    return media
  }

  /// Returns all tracks, videos and recordings that are not deleted.
  public func presentMedia() throws(DatabaseError) -> [Medium] {
    var media: [Medium] = []
    for type in Medium.types { media += try present(type).map(Medium.init) }
    return media
  }

  /// Returns the tracks, videos and recordings whose bytes have this hash, deleted ones too.
  public func media(sha256: String) throws(DatabaseError) -> [Medium] {
    try records(withSHA256: sha256)
      .filter { Medium.types.contains($0.type) }
      .map(Medium.init)
  }
}
