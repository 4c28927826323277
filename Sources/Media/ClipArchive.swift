// Several clips in one zip.

import Model
import Storage
import Text

/// A clip with its title.
public struct NamedClip: Sendable {
  public var source: ClipSource
  public var title: String

  /// Names a clip.
  public init(_ source: ClipSource, title: String) {
    self.source = source
    self.title = title
  }

  /// Returns file names for these titles, such as `01 Intro.flac`. The numbers keep the order and
  /// make the names unique.
  public static func fileNames(titles: [String], format: ClipFormat) -> [String] {
    let digits = max(2, String(titles.count).count)
    return titles.enumerated().map { index, title in
      let name = FileName.safe(title, fallback: "Clip")
      return "\((index + 1).padded(to: digits)) \(name).\(format.fileExtension)"
    }
  }
}

/// Writes clips into a zip.
public struct ClipArchive: Sendable {
  /// The share of the progress that rendering takes; the rest is writing the zip.
  private static let renderingShare = 0.95

  private let tools: MediaTools
  private let folder: DataDirectory

  /// Returns the approximate disk space that the zip needs, in bytes. Each clip exists twice while
  /// it is added to the zip.
  public static func bytes(for clips: [NamedClip], _ format: ClipFormat) -> Int {
    let frames = clips.map(\.source.range.count)
    return (frames.reduce(0, +) + (frames.max() ?? 0)) * format.bytesPerFrame
  }

  public init(tools: MediaTools, folder: DataDirectory) {
    self.tools = tools
    self.folder = folder
  }

  /// Writes the clips, then `notes`, to a new zip at `path`, dated `modifiedAt` in seconds since
  /// 1970. Leaves no file after an error.
  public func write(
    _ clips: [NamedClip], _ style: ClipStyle, notes: [ZipArchive.Entry] = [], to path: String,
    modifiedAt: Int, progress: @escaping @Sendable (Double) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let scratch = folder.temporaryPath("archive")
    try Files.withTemporaryFolder(scratch) {
      let paths = clips.indices.map { "\(scratch)/\($0)" }
      try ClipRenderer(tools: tools, folder: folder).render(
        clips.map(\.source), style, to: paths,
        progress: { progress($0 * Self.renderingShare) }, isCancelled: isCancelled)
      let names = NamedClip.fileNames(titles: clips.map(\.title), format: style.format)
      let entries = zip(names, paths).map { ZipArchive.Entry(name: $0, .file(path: $1)) }
      let archive = scratch + "/clips.zip"
      try ZipArchive.write(entries + notes, to: archive, modifiedAt: modifiedAt) {
        if isCancelled() { throw MediaError.cancelled }
        try folder.requireSpace(for: 0)
      }
      try Files.move(archive, to: path)
    }
    progress(1)
  }
}
