// Typed views of tracks, videos and recordings.

/// How far the server has got with a file.
public enum MediaState: String, CaseIterable, Sendable {
  case importing, ready, failed

  /// The value of the field `state`.
  public var value: Value { .text(rawValue) }
}

/// The file that is played of a video.
public enum PlayedFile: String, CaseIterable, Sendable {
  /// The uploaded file.
  case original
  /// The file that the server made of it.
  case conversion

  /// The value of the field `plays`.
  public var value: Value { .text(rawValue) }
}

/// A view of a record that belongs to an uploaded file: the fields that all of them have.
public protocol MediaView: RecordView {
  /// The length at 48,000 Hz; nil until the file was prepared once.
  var lengthFrames: Int? { get }
}

extension MediaView {
  /// The title.
  public var title: String? { record["title"].text }
  /// The name of the uploaded file. It is shown, never used as a path.
  public var fileName: String? { record["fileName"].text }
  /// The SHA-256 of the uploaded file in hexadecimal digits.
  public var sha256: String? { record["sha256"].text }
  /// How far the server has got; nil for a word that this program does not know.
  public var state: MediaState? { record["state"].text.flatMap(MediaState.init) }
  /// A sentence that says why the import failed.
  public var problem: String? { record["problem"].text }
  /// The bytes of the uploaded file.
  public var size: Int? { record["size"].integer }
}

/// A view of a track, a video or a recording, where all are handled in the same way.
public struct Medium: MediaView {
  /// The types of records that belong to an uploaded file.
  public static let types: [RecordType] = [.track, .video, .recording]

  public let record: Record

  /// Makes a view of `record`, which must be of one of `types`.
  public init(_ record: Record) {
    assert(Medium.types.contains(record.type))
    self.record = record
  }

  public var lengthFrames: Int? { record[Medium.lengthField(of: type)].integer }

  /// The name of the field with the length.
  public static func lengthField(of type: RecordType) -> String {
    type == .video ? "length" : "lengthFrames"
  }
}

/// A view of a track.
public struct Track: MediaView {
  public let record: Record

  /// Makes a view of `record`, which must be a track.
  public init(_ record: Record) {
    assert(record.type == .track)
    self.record = record
  }

  public var lengthFrames: Int? { record[Medium.lengthField(of: .track)].integer }
}

/// A view of a video.
public struct Video: MediaView {
  public let record: Record

  /// Makes a view of `record`, which must be a video.
  public init(_ record: Record) {
    assert(record.type == .video)
    self.record = record
  }

  public var lengthFrames: Int? { record[Medium.lengthField(of: .video)].integer }
  /// Whether it has sound: true until the server has found none.
  public var hasSound: Bool { record["hasSound"] != 0 }
  /// The file that is played; nil for a word that this program does not know.
  public var plays: PlayedFile? { record["plays"].text.flatMap(PlayedFile.init) }
}

/// A view of a recording: the name of a move in the performer's own voice.
public struct NameRecording: MediaView {
  public let record: Record

  /// Makes a view of `record`, which must be a recording.
  public init(_ record: Record) {
    assert(record.type == .recording)
    self.record = record
  }

  public var lengthFrames: Int? { record[Medium.lengthField(of: .recording)].integer }
}
