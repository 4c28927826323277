// The instruments of each section of the sample song, and the mix.

#if canImport(Glibc)
  import Glibc
#endif

/// The instruments, with an arrangement for each section.
struct Band {
  private static let step = SampleSong.framesPerBeat / 4

  private var drums: Recording
  private var bass: Recording
  private var chords: Recording
  private var melody: Recording
  private var noise = SteadyNoise()
  /// How much the kick drum lowers the level of the chords, frame by frame.
  private var room: [Float]

  init(frameCount: Int) {
    drums = Recording(frameCount: frameCount)
    bass = drums
    chords = drums
    melody = drums
    room = [Float](repeating: 1, count: frameCount)
  }

  /// Plays one bar of a section.
  mutating func play(_ section: Score.Section, bar: Int, startingAt start: Int) {
    let chord = section.chords[bar % section.chords.count].map { $0 + section.transposition }
    let isLast = bar == section.bars - 1
    playChords(section.arrangement, chord, bar: bar, isLast: isLast, at: start)
    playBass(section.arrangement, chord[0], bar: bar, isLast: isLast, at: start)
    playDrums(section.arrangement, bar: bar, isLast: isLast, at: start)
    for note in section.tune[bar % section.tune.count] {
      playMelody(section, note, at: start)
    }
  }

  /// Mixes everything to 16 bits, with soft clipping.
  mutating func master() -> [Int16] {
    melody.addEcho(frames: 3 * Self.step, feedback: 0.34)
    chords.scale(by: room)
    let parts: [(Recording, Float)] = [
      (drums, 0.66), (bass, 0.31), (chords, 0.29), (melody, 0.33),
    ]
    return [Int16](unsafeUninitializedCapacity: room.count * 2) { samples, count in
      for frame in 0..<room.count {
        var left: Float = 0
        var right: Float = 0
        for (part, level) in parts {
          left += part.left[frame] * level
          right += part.right[frame] * level
        }
        // The last quarter of a second fades to silence.
        let ending = min(1, Float(room.count - frame) / 12_000)
        samples[frame * 2] = Int16(tanh(left * ending) * 31_000)
        samples[frame * 2 + 1] = Int16(tanh(right * ending) * 31_000)
      }
      count = room.count * 2
    }
  }

  private mutating func playChords(
    _ arrangement: Score.Arrangement, _ chord: [Int], bar: Int, isLast: Bool, at start: Int
  ) {
    let padLevel: Float =
      switch arrangement {
      case .intro: 0.08 + 0.06 * Float(bar)
      case .verse: 0.12
      case .chorus, .finale: 0.3
      }
    for (index, key) in chord.dropFirst().enumerated() {
      var tone = Tone.pad
      tone.position = Float(index) / 1.5 - 1
      let cents: Float = index.isMultiple(of: 2) ? 5 : -5
      chords.play(
        tone, key: key, at: start, length: SampleSong.framesPerBar, level: padLevel, cents: cents)
    }
    // Arpeggios: slow in the intro, none in the first half of the verse, fast in the finale.
    let steps: [Int] =
      switch arrangement {
      case .intro: Array(stride(from: 0, to: 16, by: 2))
      case .verse: bar < 4 ? [] : [2, 6, 10, 14]
      case .chorus: [0, 3, 6, 8, 11, 14]
      case .finale: isLast ? [0] : bar < 2 ? [0, 4, 8, 12] : Array(0..<16)
      }
    let order = [1, 2, 3, 4, 3, 2, 4, 2]
    for (index, step) in steps.enumerated() {
      var tone = Tone.pluck
      tone.position = index.isMultiple(of: 2) ? -0.55 : 0.55
      melody.play(
        tone, key: chord[order[index % order.count]] + 12, at: start + step * Self.step,
        length: Self.step, level: arrangement == .finale ? 0.2 : 0.28)
    }
  }

  private mutating func playBass(
    _ arrangement: Score.Arrangement, _ root: Int, bar: Int, isLast: Bool, at start: Int
  ) {
    let line: [(step: Int, length: Int, lift: Int)] =
      switch arrangement {
      case .intro: bar < 2 ? [] : [(0, 15, 0)]
      case .verse: [(0, 3, 0), (3, 2, 0), (6, 2, 12), (8, 3, 0), (11, 2, 0), (14, 2, 7)]
      case .chorus: (0..<8).map { ($0 * 2, 2, $0 % 4 == 3 ? 12 : 0) }
      case .finale:
        // Two quiet bars, then the full band.
        isLast || bar < 2
          ? [(0, 16, 0)] : (0..<8).map { ($0 * 2, 2, $0.isMultiple(of: 2) ? 0 : 12) }
      }
    let level: Float =
      switch arrangement {
      case .intro: 0.35
      case .verse: 0.55
      case .chorus, .finale: 0.75
      }
    for note in line {
      bass.play(
        .bass, key: root + note.lift, at: start + note.step * Self.step,
        length: note.length * Self.step - 300, level: level)
    }
  }

  private mutating func playMelody(_ section: Score.Section, _ note: Score.Note, at start: Int) {
    let begin = start + note.step * Self.step
    let length = note.length * Self.step - 400
    let key = note.key + section.transposition
    let isQuiet = section.arrangement == .verse || section.arrangement == .intro
    melody.play(.lead, key: key, at: begin, length: length, level: isQuiet ? 0.42 : 0.5)
    if section.arrangement == .finale {
      var tone = Tone.lead
      tone.position = 0.4
      melody.play(tone, key: key + 12, at: begin, length: length, level: 0.16, cents: 6)
      tone.position = -0.4
      melody.play(tone, key: key - 12, at: begin, length: length, level: 0.22, cents: -4)
    }
  }
}

// MARK: - Drums

extension Band {
  private mutating func playDrums(
    _ arrangement: Score.Arrangement, bar: Int, isLast: Bool, at start: Int
  ) {
    switch arrangement {
    case .intro:
      if bar >= 1 { playHats(steps: Array(stride(from: 0, to: 16, by: 2)), at: start) }
      if isLast { rise(into: start + SampleSong.framesPerBar) }
    case .verse:
      if bar == 0 { crash(at: start) }
      for step in [0, 7, 10] { kick(at: start, step) }
      for step in [4, 12] { snare(at: start, step) }
      playHats(steps: Array(stride(from: 0, to: 16, by: 2)), at: start)
      if isLast { fill(at: start) }
    case .chorus, .finale:
      if arrangement == .finale && bar < 2 {
        playHats(steps: [4, 12], at: start)
        if bar == 1 { fill(at: start) }
        return
      }
      if bar == (arrangement == .finale ? 2 : 0) || bar == 4 { crash(at: start) }
      if arrangement == .finale && isLast {
        kick(at: start, 0)
        crash(at: start)
        return
      }
      for step in [0, 4, 8, 12] { kick(at: start, step) }
      for step in [4, 12] { snare(at: start, step) }
      let hats = arrangement == .finale ? Array(0..<16) : Array(stride(from: 0, to: 16, by: 2))
      playHats(steps: hats, at: start)
      for step in [2, 6, 10, 14] {
        drums.hiss(
          at: start + step * Self.step, frames: 3_600, brightness: 1, level: 0.13, position: 0.3,
          noise: &noise)
      }
      if isLast || bar == 3 { fill(at: start) }
    }
  }

  private mutating func kick(at start: Int, _ step: Int) {
    let frame = start + step * Self.step
    drums.thump(at: frame, from: 190, to: 47, frames: 5_200, level: 1.05)
    for index in 0..<min(9_000, room.count - frame) {
      room[frame + index] = min(room[frame + index], 0.4 + 0.6 * Float(index) / 9_000)
    }
  }

  private mutating func snare(at start: Int, _ step: Int) {
    let frame = start + step * Self.step
    drums.thump(at: frame, from: 260, to: 180, frames: 2_000, level: 0.4)
    drums.hiss(at: frame, frames: 3_400, brightness: 0.45, level: 0.42, noise: &noise)
  }

  private mutating func playHats(steps: [Int], at start: Int) {
    for step in steps {
      drums.hiss(
        at: start + step * Self.step, frames: 700, brightness: 1,
        level: step.isMultiple(of: 4) ? 0.2 : 0.12, position: -0.25, noise: &noise)
    }
  }

  private mutating func fill(at start: Int) {
    for (index, step) in [12, 13, 14, 15].enumerated() {
      drums.thump(
        at: start + step * Self.step, from: 320 - 50 * Float(index), to: 150 - 22 * Float(index),
        frames: 4_000, level: 0.6, position: 0.5 - 0.33 * Float(index))
    }
  }

  private mutating func crash(at frame: Int) {
    drums.hiss(
      at: frame, frames: 26_000, brightness: 0.85, level: 0.24, position: 0.2, noise: &noise)
  }

  private mutating func rise(into frame: Int) {
    let count: Float = 50_000
    drums.hiss(
      at: frame - Int(count), frames: count / 5, brightness: 0.6, level: 0.4, rising: true,
      noise: &noise)
  }
}
