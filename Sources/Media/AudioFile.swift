// Audio files outside the library: read from any format, written in the format of the file name's
// extension.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// Decodes any audio file to 16-bit stereo at 48 kHz, as the practice rendition would hold it.
public enum AudioFile {
  /// Whether two paths lead to the same file, also through symbolic and hard links.
  public static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Calls `body` with interleaved left and right samples, piece by piece. Throws the same
  /// `MediaError`s as an import.
  ///
  /// - Parameters:
  ///   - fromTimeZero: fills gaps and a late start of the sound with silence, so that frames match
  ///     the playback time of the file.
  ///   - seconds: the maximum length to read; nil reads all.
  public static func read(
    _ path: String, tools: MediaTools, fromTimeZero: Bool = false, seconds: Int? = nil,
    isCancelled: () -> Bool = { false }, _ body: (UnsafeBufferPointer<Int16>) throws -> Void
  ) throws {
    try tools.decode(
      path, fromTimeZero ? .practiceFromTimeZero : .practice, usesThreads: true, seconds: seconds,
      isCancelled: isCancelled, body)
  }
}

/// Writes one audio file atomically: it appears at its path when `finish` returns.
public final class AudioFileWriter {
  private let target: String
  private let folder: String
  private let file: String
  private let format: ClipFormat
  private let process: ChildProcess?
  private var descriptor: Int32 = -1
  private var frameCount = 0
  private var isFinished = false

  /// Creates a temporary file next to the final path. Throws a `MediaError`.
  public init(_ path: String, format: ClipFormat, tools: MediaTools) throws {
    target = DataDirectory(root: path).root
    let parent = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
    folder = parent + "/.segmance-" + Files.randomName()
    file = folder + "/clip." + format.fileExtension
    self.format = format
    try Files.makeFolder(folder)
    if format == .wav {
      process = nil
      descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw StorageError.system("open", file) }
      // `finish` writes the final lengths.
      try writeAll(WAVFile.header(frameCount: 0) ?? [])
    } else {
      let limits = MediaTools.Limits(seconds: 7_200, fileBytes: 4 << 30)
      var command = tools.command(.ffmpeg, output: folder, limits: limits) {
        MediaTools.rawInput + ["-map_metadata", "-1"] + format.encoderArguments
          + ["file:" + $0.output + "/clip." + format.fileExtension]
      }
      command.hasInput = true
      process = try ChildProcess(command)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    // A deinit cannot throw, so an error while removing the temporary folder is dropped.
    if !isFinished { try? Files.removeTree(folder) }
  }

  /// Appends interleaved left and right samples.
  public func write(_ samples: [Int16]) throws {
    frameCount += samples.count / 2
    if let process {
      try samples.withUnsafeBytes { try process.write($0, isCancelled: { false }) }
    } else {
      try samples.withUnsafeBytes { try writeAll($0) }
    }
  }

  /// Completes the file and moves it to its path, replacing an existing file.
  public func finish() throws {
    if let process {
      guard try process.finish(isCancelled: { false }).isSuccess else {
        throw MediaError.writingFailed(process)
      }
    } else {
      guard let header = WAVFile.header(frameCount: frameCount) else {
        throw MediaError(.invalidRange, "This is too long for a WAV file. Choose FLAC instead.")
      }
      let count = header.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      guard count == header.count else { throw StorageError.system("pwrite", file) }
    }
    try OpenFile(file, O_RDONLY).sync()
    try Files.move(file, to: target)
    try Files.removeTree(folder)
    isFinished = true
  }

  private func writeAll(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try writeAll($0) }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, base, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw StorageError.system("write", file)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
