// Exports ranges of tracks as files for other programs.

import Dispatch
import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The file formats of clips.
public enum ClipFormat: String, Sendable, CaseIterable {
  case wav, flac, mp3, m4a, opus

  public var mediaType: String {
    switch self {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    case .opus: "audio/ogg"
    }
  }

  /// The file name extension, without the dot.
  public var fileExtension: String { rawValue }

  /// The largest average number of bytes per frame, over a clip of music.
  public var bytesPerFrame: Int {
    switch self {
    case .wav: 4
    case .flac: 3
    case .mp3, .m4a, .opus: 1
    }
  }

  /// The encoder arguments for ffmpeg, for the formats that are not written in this process. MP3
  /// and Opus store the exact number of padding frames; MP4 does so only if its time base is whole
  /// frames at 48 kHz.
  var encoderArguments: [String] {
    switch self {
    case .wav, .flac: []
    case .mp3: ["-c:a", "libmp3lame", "-b:a", "256k", "-f", "mp3"]
    case .m4a:
      ["-c:a", "aac", "-b:a", "256k", "-movie_timescale", "48000"]
        + ["-movflags", "+faststart", "-f", "mp4"]
    case .opus: ["-c:a", "libopus", "-b:a", "160k", "-f", "opus"]
    }
  }
}

/// A range of a track to be written as a file.
public struct ClipSource: Sendable {
  /// `DataDirectory.derived(id)` of the track.
  public var derivedDirectory: String
  public var lengthFrames: Int
  /// Frames of the track, the end exclusive.
  public var range: Range<Int>
  /// The tags of the file. WAV files have none.
  public var tags: ClipTags?

  /// Makes a clip of a range of a track.
  public init(
    derivedDirectory: String, lengthFrames: Int, range: Range<Int>, tags: ClipTags? = nil
  ) {
    self.derivedDirectory = derivedDirectory
    self.lengthFrames = lengthFrames
    self.range = range
    self.tags = tags
  }
}

/// The format and the fades of clips.
public struct ClipStyle: Sendable {
  public var format: ClipFormat
  /// A fade is linear over this many frames, limited to the length of the clip.
  public var fadeInFrames: Int
  public var fadeOutFrames: Int

  /// Makes a style. Without fades the samples are exactly those of the track.
  public init(_ format: ClipFormat, fadeInFrames: Int = 0, fadeOutFrames: Int = 0) {
    self.format = format
    self.fadeInFrames = fadeInFrames
    self.fadeOutFrames = fadeOutFrames
  }
}

/// Writes clips from the practice rendition. WAV and FLAC hold exactly the frames of the clip.
public struct ClipRenderer: Sendable {
  /// A clip and the path of its file.
  private typealias Work = (clip: ClipSource, path: String)

  /// How many clips are written at once. Each one uses a decoder and an encoder.
  private static let laneCount = 2

  private let tools: MediaTools
  private let folder: DataDirectory

  public init(tools: MediaTools, folder: DataDirectory) {
    self.tools = tools
    self.folder = folder
  }

  /// Writes one clip atomically to a new file at `path`.
  public func render(
    _ clip: ClipSource, _ style: ClipStyle, to path: String,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws {
    try check([clip], style)
    var done = 0
    try renderInTurn([(clip, path)], style, isCancelled) { frames in
      done += frames
      progress(Double(done) / Double(clip.range.count))
    }
  }

  /// Writes many clips, the i-th to `paths[i]`, two at a time, with one decoder for all clips of a
  /// track. Each file appears atomically but is not synced; after an error some files may exist.
  public func render(
    _ clips: [ClipSource], _ style: ClipStyle, to paths: [String],
    progress: @escaping @Sendable (Double) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    precondition(clips.count == paths.count)
    try check(clips, style)
    let all = clips.reduce(0) { $0 + $1.range.count }
    let lanes = Self.lanes(of: zip(clips, paths).map { ($0, $1) })
    let state = Mutex<(done: Int, failure: (any Error)?)>((0, nil))
    DispatchQueue.concurrentPerform(iterations: lanes.count) { lane in
      do {
        // When one lane fails, the others stop.
        try renderInTurn(
          lanes[lane], style, { isCancelled() || state.withLock { $0.failure != nil } }
        ) { frames in
          let done = state.withLock { state in
            state.done += frames
            return state.done
          }
          progress(Double(done) / Double(all))
        }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func check(_ clips: [ClipSource], _ style: ClipStyle) throws {
    for clip in clips {
      let range = clip.range
      guard range.lowerBound >= 0, !range.isEmpty, range.upperBound <= clip.lengthFrames,
        style.fadeInFrames >= 0, style.fadeOutFrames >= 0
      else { throw MediaError.outsideOfTrack("\(range) of \(clip.lengthFrames)") }
    }
    let frames = clips.reduce(0) { $0 + $1.range.count }
    try folder.requireSpace(for: frames * style.format.bytesPerFrame)
  }

  /// Assigns each clip to the lane with the least work so far.
  private static func lanes(of works: [Work]) -> [[Work]] {
    var lanes = [(frames: Int, works: [Work])](
      repeating: (0, []), count: min(laneCount, works.count))
    for work in works {
      let lane = lanes.indices.min { lanes[$0].frames < lanes[$1].frames } ?? 0
      lanes[lane].frames += work.clip.range.count
      lanes[lane].works.append(work)
    }
    return lanes.map(\.works)
  }

  private func renderInTurn(
    _ works: [Work], _ style: ClipStyle, _ isCancelled: () -> Bool, onFrames: (Int) -> Void
  ) throws {
    let scratch = folder.temporaryPath("clip")
    try Files.withTemporaryFolder(scratch) {
      var rest = works[...]
      while let first = rest.first?.clip {
        let run = Array(rest.prefix { $0.clip.derivedDirectory == first.derivedDirectory })
        try render(run, style, scratch, isCancelled, onFrames: onFrames)
        rest = rest.dropFirst(run.count)
      }
    }
  }

  /// Writes clips of one track in sequence.
  private func render(
    _ run: [Work], _ style: ClipStyle, _ scratch: String, _ isCancelled: () -> Bool,
    onFrames: (Int) -> Void
  ) throws {
    let audio = PracticeAudio(
      derivedDirectory: run[0].clip.derivedDirectory, lengthFrames: run[0].clip.lengthFrames,
      tools: tools, folder: folder)
    var current: (index: Int, file: ClipFile)?
    func finish() throws {
      guard let (index, file) = current else { return }
      current = nil
      try Files.move(try file.finish(isCancelled), to: run[index].path)
    }
    try audio.forEach(of: run.map(\.clip.range), isCancelled: isCancelled) { index, samples in
      if current?.index != index {
        try finish()
        current = (index, try ClipFile(run[index].clip, style, in: scratch, tools: tools))
      }
      try folder.requireSpace(for: 0)
      try current?.file.append(samples, isCancelled)
      onFrames(samples.count / 2)
    }
    try finish()
  }
}
