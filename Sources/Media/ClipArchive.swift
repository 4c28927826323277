// Many clips as one zip.

import Model
import Storage
import Text

/// A clip and what the person calls it.
public struct NamedClip: Sendable {
  public var source: ClipSource
  public var title: String

  /// Names a clip.
  public init(_ source: ClipSource, title: String) {
    self.source = source
    self.title = title
  }

  /// Returns the names of files of these titles, such as `01 Intro.flac`: the numbers keep them in
  /// order and apart, whatever the titles are.
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
  /// How much of the work is done when the sound is; the rest is putting it together.
  private static let renderingShare = 0.95

  private let tools: MediaTools
  private let folder: DataDirectory

  /// How many bytes the disk has to have for it, about: a clip is there twice while it goes into the zip.
  public static func bytes(for clips: [NamedClip], _ format: ClipFormat) -> Int {
    let frames = clips.map(\.source.range.count)
    return (frames.reduce(0, +) + (frames.max() ?? 0)) * format.bytesPerFrame
  }

  public init(tools: MediaTools, folder: DataDirectory) {
    self.tools = tools
    self.folder = folder
  }

  /// Writes the clips, and `notes` after them, to a new zip at `path`, dated `modifiedAt` in seconds
  /// since 1970. Complete, or nothing is left.
  public func write(
    _ clips: [NamedClip], _ style: ClipStyle, notes: [ZipArchive.Entry] = [], to path: String,
    modifiedAt: Int, progress: @escaping @Sendable (Double) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let scratch = folder.temporaryPath("archive")
    try Files.makeFolder(scratch)
    do {
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
      try Files.removeTree(scratch)
    } catch {
      try Files.removeTree(scratch)
      throw error
    }
    progress(1)
  }
}
