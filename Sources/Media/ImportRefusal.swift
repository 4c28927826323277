// Messages for the user about files that cannot become a track.

import Storage

/// The errors of an import.
enum ImportRefusal {
  static let notAudio = MediaError(
    .notAudio,
    "This is not a sound file that Segmance can read. Try an MP3, M4A, WAV, FLAC or Ogg file.")
  static let noAudioStream = MediaError(
    .noAudioStream, "There is no sound in this file, only pictures. Choose a file with sound.")
  static let truncated = MediaError(
    .truncated, "The end of this file is missing. Copy or download it again, then add it once more."
  )
  static let empty = MediaError(
    .empty, "There is nothing in this file. Copy or download it again, then add it once more.")
  static let tooLong = MediaError(
    .tooLong, "This file is longer than 12 hours. Cut it into shorter files first.")
  static let timedOut = MediaError(
    .timedOut, "Reading this file took far too long. Convert it to MP3 or WAV and try again.")

  /// Returns why ffmpeg failed, from its messages.
  static func reason(of process: ChildProcess) -> any Error {
    if let interruption = MediaError.interruption(of: process) { return interruption }
    let messages = process.messageTail
    let known: [(String, MediaError)] = [
      ("moov atom not found", truncated),
      ("matches no streams", noAudioStream),
      ("does not contain any stream", noAudioStream),
    ]
    let cause = process.report
    if process.ranOutOfTime {
      return MediaError(.timedOut, timedOut.message, cause: cause)
    }
    if let full = StorageError.noSpace(for: process) { return full }
    let refusal = known.first { messages.contains($0.0) }?.1 ?? notAudio
    return MediaError(refusal.code, refusal.message, cause: cause)
  }
}
