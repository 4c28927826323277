// The parameters of jobs, stored as JSON in their rows.

import Database
import FoundationEssentials
import Media
import Model

/// The record that a job works on.
struct JobRecord: Hashable, Sendable {
  var type: RecordType
  var id: String
}

/// The input of a job.
protocol JobParameters: Codable, Sendable {
  /// The record that the job works on; nil if it has none.
  var record: JobRecord? { get }
  /// The parameters as earlier versions stored them: words separated by spaces.
  var words: [String] { get }

  /// Reads the earlier form; nil if the words do not match this kind.
  init?(words: [String])
}

extension JobParameters {
  /// Reads stored parameters; nil if they do not match this kind.
  init?(text: String) {
    guard text.hasPrefix("{") else {
      self.init(words: text.split(separator: " ").map(String.init))
      return
    }
    guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = read
  }

  /// The stored form. Equal parameters give equal texts.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

extension JobStore {
  /// Returns the newest job with these parameters, of any kind.
  func latest(with parameters: some JobParameters) throws -> JobRow? {
    try latest(withParameters: [parameters.text(), parameters.words.joined(separator: " ")])
  }

  /// Returns the newest job, of any kind, whose only parameter is this track, video or recording.
  func latest(on type: RecordType, _ id: String) throws -> JobRow? {
    switch type {
    case .recording: try latest(with: RecordingParameters(recording: id))
    case .video: try latest(with: VideoParameters(video: id))
    default: try latest(with: TrackParameters(track: id))
    }
  }
}

/// A job on one track.
struct TrackParameters: JobParameters, Equatable {
  var track: String

  var record: JobRecord? { JobRecord(type: .track, id: track) }
  var words: [String] { [track] }

  init(track: String) { self.track = track }

  init?(words: [String]) {
    guard words.count == 1 else { return nil }
    self.init(track: words[0])
  }
}

/// A job on one video.
struct VideoParameters: JobParameters, Equatable {
  var video: String

  var record: JobRecord? { JobRecord(type: .video, id: video) }
  var words: [String] { [video] }

  init(video: String) { self.video = video }

  init?(words: [String]) {
    guard words.count == 1 else { return nil }
    self.init(video: words[0])
  }
}

/// A job on one recording.
struct RecordingParameters: JobParameters, Equatable {
  var recording: String

  var record: JobRecord? { JobRecord(type: .recording, id: recording) }
  var words: [String] { [recording] }

  init(recording: String) { self.recording = recording }

  init?(words: [String]) {
    guard words.count == 1 else { return nil }
    self.init(recording: words[0])
  }
}

/// A job on a video and a stretch of a track.
struct AlignmentParameters: JobParameters, Equatable {
  var video: String
  var track: String
  /// Frames of the track; `end` is exclusive.
  var start: Int
  var end: Int

  var record: JobRecord? { JobRecord(type: .video, id: video) }
  var words: [String] { [video, track, "\(start)", "\(end)"] }
  var stretch: AlignedStretch { AlignedStretch(track: track, start: start, end: end) }

  init(video: String, _ stretch: AlignedStretch) {
    self.video = video
    track = stretch.track
    start = stretch.start
    end = stretch.end
  }

  init?(words: [String]) {
    guard words.count == 4, let start = Int(words[2]), let end = Int(words[3]) else { return nil }
    self.init(video: words[0], AlignedStretch(track: words[1], start: start, end: end))
  }
}

/// A job on the whole library, or a job whose order is stored under its id.
struct NoParameters: JobParameters, Equatable {
  var record: JobRecord? { nil }
  var words: [String] { [] }

  init() {}

  init?(words: [String]) {
    guard words.isEmpty else { return nil }
  }
}
