// The known alignments of a video, stored next to its playable file.

import Analysis
import FoundationEssentials
import Storage

/// A range of a track that a video is aligned with.
public struct AlignedStretch: Codable, Sendable, Equatable {
  public var track: String
  /// Frames of the track, the end exclusive.
  public var start: Int
  public var end: Int

  public init(track: String, start: Int, end: Int) {
    self.track = track
    self.start = start
    self.end = end
  }
}

extension DataDirectory {
  /// The oldest alignments are dropped: borders are moved often, and computing one again takes a
  /// second.
  private static let alignmentLimit = 100

  private struct StoredAlignment: Codable {
    var stretch: AlignedStretch
    var alignment: SoundAlignment
  }

  /// The name of the file of a video's alignments.
  public static let alignmentsName = "alignments.json"

  private func alignments(video: String) -> String { derived(video) + "/" + Self.alignmentsName }

  /// Returns the stored alignment of a video with `stretch`, if there is one.
  public func storedAlignment(video: String, with stretch: AlignedStretch) throws -> SoundAlignment?
  {
    try storedAlignments(video: video).last { $0.stretch == stretch }?.alignment
  }

  /// Stores the alignment of a video with `stretch` atomically. Only one call at a time for each
  /// video.
  public func store(
    _ alignment: SoundAlignment, video: String, with stretch: AlignedStretch
  ) throws {
    var all = try storedAlignments(video: video).filter { $0.stretch != stretch }
    all.append(StoredAlignment(stretch: stretch, alignment: alignment))
    let bytes = try JSONEncoder().encode(Array(all.suffix(Self.alignmentLimit)))
    let scratch = temporaryPath("alignments")
    do {
      try Files.makeFolder(derived(video))
      try Files.writeNew(scratch, Array(bytes))
      try Files.move(scratch, to: alignments(video: video))
    } catch {
      try Files.remove(scratch)
      throw error
    }
    try Files.syncFolder(derived(video))
  }

  /// An unreadable file counts as empty, since alignments can be computed again.
  private func storedAlignments(video: String) throws -> [StoredAlignment] {
    let path = alignments(video: video)
    guard Files.exists(path) else { return [] }
    let bytes = try Files.read(path)
    return (try? JSONDecoder().decode([StoredAlignment].self, from: Data(bytes))) ?? []
  }
}
