// Finds the position in a track at which a video was filmed, by its sound.

import Analysis
import Storage

/// Aligns the sound of videos with music.
public struct VideoAligner: Sendable {
  private let tools: MediaTools

  /// The video holds no sound, or none that can be decoded.
  public static let noSound = MediaError(
    .noAudioStream,
    "There is no sound in this video that Segmance can hear. Set its offset by hand.")
  private static let nothingToCompare = MediaError(
    .empty,
    "There is nothing to compare: the video or the music is silent, or far too short. Set the "
      + "offset by hand.")

  /// The errors of reading a video's sound that also mean `noSound`.
  private static let refusals: [MediaError.Code] = [.noAudioStream, .notAudio, .empty]

  public init(tools: MediaTools) { self.tools = tools }

  /// Aligns any file with the practice rendition of the track `id`; the offset counts from the
  /// track's beginning. Blocks until done; calls `progress` with 0 … 1 and `isCancelled` on the
  /// calling thread. Throws a `MediaError`.
  public func align(
    recording: String, withTrack id: String, lengthFrames: Int, stretch: Range<Int>,
    in folder: DataDirectory, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws -> SoundAlignment {
    let heard: DownsampledAudio
    do {
      heard = try sound(ofFile: recording, isCancelled: isCancelled)
    } catch let error as MediaError where Self.refusals.contains(error.code) {
      throw MediaError(.noAudioStream, Self.noSound.message, cause: error.cause)
    }
    progress(0.4)
    var music = DownsampledAudio()
    let audio = PracticeAudio(
      derivedDirectory: folder.derived(id), lengthFrames: lengthFrames, tools: tools,
      folder: folder)
    let length = min(stretch.count, DownsampledAudio.longestFrames)
    let range = stretch.lowerBound..<stretch.lowerBound + length
    try audio.forEach(range, isCancelled: isCancelled) { music.append($0) }
    progress(0.6)
    var answer = try find(
      heard, music, progress: { progress(0.6 + 0.4 * $0) }, isCancelled: isCancelled)
    answer.offset += stretch.lowerBound
    return answer
  }

  /// Aligns any file with any other. Throws a `MediaError`.
  public func align(recording: String, withMusic music: String) throws -> SoundAlignment {
    try find(
      sound(ofFile: recording, isCancelled: { false }),
      sound(ofFile: music, isCancelled: { false }), progress: { _ in }, isCancelled: { false })
  }

  private func sound(ofFile path: String, isCancelled: () -> Bool) throws -> DownsampledAudio {
    var sound = DownsampledAudio()
    try AudioFile.read(
      path, tools: tools, fromTimeZero: true, seconds: DownsampledAudio.longestFrames / 48_000,
      isCancelled: isCancelled
    ) { sound.append($0) }
    return sound
  }

  private func find(
    _ recording: DownsampledAudio, _ music: DownsampledAudio, progress: (Double) -> Void,
    isCancelled: () -> Bool
  ) throws -> SoundAlignment {
    let answer = try SoundAlignment.find(recording: recording, music: music) { done in
      if isCancelled() { throw MediaError.cancelled }
      progress(done)
    }
    guard let answer else { throw Self.nothingToCompare }
    return answer
  }
}
