// Writes recordings as one WAV file.

/// Returns a WAV file of 24,000 Hz, 16 bit, mono: the recordings one after the other, and two cue points for
/// each, its first frame and its attack, with the numbers 1, 2 for the first recording, 3, 4 for the next and
/// so on.
public func voiceFile(of recordings: [Recording]) -> [UInt8] {
  var cues: [UInt8] = []
  var samples: [UInt8] = []
  var start = 0
  var identifier = 0
  for recording in recordings {
    for frame in [start, start + recording.attack] {
      identifier += 1
      // Identifier, place in the playlist, chunk, where that and its block begin, frame.
      cues += bytes(of: identifier, 4) + bytes(of: frame, 4) + "data".utf8
      cues += bytes(of: 0, 4) + bytes(of: 0, 4) + bytes(of: frame, 4)
    }
    samples += recording.samples.flatMap { bytes(of: Int($0), 2) }
    start += recording.samples.count
  }
  let rate = Recording.framesPerSecond
  let format =
    bytes(of: 1, 2) + bytes(of: 1, 2) + bytes(of: rate, 4) + bytes(of: 2 * rate, 4)
    + bytes(of: 2, 2) + bytes(of: 16, 2)
  let chunks =
    chunk("fmt ", format) + chunk("cue ", bytes(of: identifier, 4) + cues) + chunk("data", samples)
  return chunk("RIFF", "WAVE".utf8 + chunks)
}

private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
  name.utf8 + bytes(of: content.count, 4) + content
}

private func bytes(of value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
