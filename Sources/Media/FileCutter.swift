// Cuts a local file into files without a library, with the same decoder and the same frames.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// One file to cut out of another.
public struct FileCut: Sendable {
  /// The path of the new file.
  public var path: String
  /// Frames of the practice timeline, the end exclusive.
  public var range: Range<Int>
  public var tags: ClipTags

  /// Plans a cut.
  public init(path: String, range: Range<Int>, tags: ClipTags) {
    self.path = path
    self.range = range
    self.tags = tags
  }
}

/// Cuts files.
public struct FileCutter: Sendable {
  private let tools: MediaTools

  public init(tools: MediaTools) { self.tools = tools }

  /// Decodes `file` once and writes the cuts that `plan` returns for its length in frames. Replaces
  /// existing files at their paths. Works in a hidden folder inside `folder`, on the same disk as
  /// the results, and always removes it. Throws a `MediaError`, or what `plan` throws.
  public func cut(
    _ file: String, _ style: ClipStyle, workingIn folder: String,
    isCancelled: @escaping @Sendable () -> Bool, plan: (_ lengthFrames: Int) throws -> [FileCut]
  ) throws {
    let scratch = DataDirectory(root: folder + "/.segmance-" + Files.randomName())
    try Files.withTemporaryFolder(scratch.root) {
      try scratch.prepare()
      let track = scratch.derived("track")
      let imported = try TrackImporter(tools: tools, folder: scratch).importTrack(
        blob: DataDirectory(root: file).root, into: track, isCancelled: isCancelled)
      let cuts = try plan(imported.lengthFrames)
      let results = cuts.indices.map { "\(scratch.tmp)/\($0)" }
      try ClipRenderer(tools: tools, folder: scratch).render(
        cuts.map {
          ClipSource(
            derivedDirectory: track, lengthFrames: imported.lengthFrames, range: $0.range,
            tags: $0.tags)
        }, style, to: results, isCancelled: isCancelled)
      for (result, cut) in zip(results, cuts) {
        try Self.open(result)
        try Files.move(result, to: cut.path)
      }
    }
  }

  /// Makes a file readable according to the user's umask: it is not part of a library any more.
  private static func open(_ path: String) throws {
    let mask = umask(0)
    umask(mask)
    guard chmod(path, 0o666 & ~mask) == 0 else { throw StorageError.system("chmod", path) }
  }
}
