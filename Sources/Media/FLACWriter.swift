// Writes FLAC in this process. For a short clip, starting ffmpeg costs more than the encoding. The
// input is our own samples, so no sandbox is needed. (libFLAC)

import CFLAC
import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// A FLAC file that is being written: 16 bit, stereo, 48 kHz, within the format's streamable
/// subset, with its length and the MD5 of its sound. Not thread-safe.
final class FLACWriter {
  /// A quarter less work than libFLAC's default of 5; the files are at most half a percent larger.
  private static let compressionLevel: UInt32 = 4
  private static let framesAtOnce = 4_096

  private let encoder: UnsafeMutablePointer<FLAC__StreamEncoder>
  private let comments: UnsafeMutablePointer<FLAC__StreamMetadata>
  private let path: String
  private var isOpen = false
  /// libFLAC takes 32-bit samples.
  private var wide = [Int32](repeating: 0, count: 2 * framesAtOnce)

  /// Creates a new file.
  init(_ path: String, frameCount: Int, tags: ClipTags?) throws {
    guard let encoder = FLAC__stream_encoder_new() else {
      throw StorageError.system("malloc", path)
    }
    guard let comments = FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT) else {
      FLAC__stream_encoder_delete(encoder)
      throw StorageError.system("malloc", path)
    }
    self.encoder = encoder
    self.comments = comments
    self.path = path
    for (name, value) in tags?.fields ?? [] { try add(name, value) }
    // The encoder keeps the pointers, not the array, until it is finished; `deinit` runs later.
    var blocks: [UnsafeMutablePointer<FLAC__StreamMetadata>?] = [comments]
    guard FLAC__stream_encoder_set_channels(encoder, 2) != 0,
      FLAC__stream_encoder_set_bits_per_sample(encoder, 16) != 0,
      FLAC__stream_encoder_set_sample_rate(encoder, 48_000) != 0,
      FLAC__stream_encoder_set_compression_level(encoder, Self.compressionLevel) != 0,
      FLAC__stream_encoder_set_total_samples_estimate(encoder, UInt64(frameCount)) != 0,
      FLAC__stream_encoder_set_metadata(encoder, &blocks, 1) != 0
    else { throw problem("settings") }
    guard let file = fopen(path, "w+bxe") else { throw StorageError.system("open", path) }
    Files.chownToParentOwner(fileno(file), at: path)
    // From here on the encoder owns the file, even if this call fails.
    guard
      FLAC__stream_encoder_init_FILE(encoder, file, nil, nil) == FLAC__STREAM_ENCODER_INIT_STATUS_OK
    else { throw problem("start") }
    isOpen = true
  }

  deinit {
    FLAC__stream_encoder_delete(encoder)
    FLAC__metadata_object_delete(comments)
  }

  /// Appends interleaved samples.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let samples = bytes.bindMemory(to: Int16.self)
    var position = 0
    while position < samples.count {
      let count = min(wide.count, samples.count - position)
      for index in 0..<count { wide[index] = Int32(samples[position + index]) }
      guard FLAC__stream_encoder_process_interleaved(encoder, wide, UInt32(count / 2)) != 0 else {
        throw problem("write")
      }
      position += count
    }
  }

  /// Writes the remaining samples and the header, and closes the file.
  func finish() throws {
    guard isOpen else { return }
    isOpen = false
    guard FLAC__stream_encoder_finish(encoder) != 0 else { throw problem("finish") }
  }

  private func add(_ name: String, _ value: String) throws {
    var entry = FLAC__StreamMetadata_VorbisComment_Entry()
    // Not copied: the block takes ownership of what the first call allocates.
    guard
      FLAC__metadata_object_vorbiscomment_entry_from_name_value_pair(&entry, name, value) != 0,
      FLAC__metadata_object_vorbiscomment_append_comment(comments, entry, 0) != 0
    else { throw StorageError.system("malloc", path) }
  }

  private func problem(_ work: String) -> any Error {
    let number = errno
    let state = FLAC__stream_encoder_get_state(encoder)
    if state == FLAC__STREAM_ENCODER_IO_ERROR, number == ENOSPC || number == EDQUOT {
      return StorageError.system(work, path, number: number)
    }
    return MediaError(
      .toolFailed, "The audio could not be written. Try again, or choose another format.",
      cause: "\(work) \(path): libFLAC state \(state.rawValue)")
  }
}
