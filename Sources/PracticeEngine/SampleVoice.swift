// Plays short stored sounds: ticks, clicks and spoken numbers. Each adds its frames to existing output.

/// Stored samples that a `SampleVoice` plays.
protocol SampleSource: ~Copyable {
  /// Returns one sample, counted in output frames; silence outside of all sounds.
  func sample(at index: Int) -> Float
}

/// Where a sound lies in its source, in output frames.
struct SampleRange: Equatable {
  var start: Int
  var frames: Int
}

/// One sounding voice; of its sounds only one sounds at a time.
struct SampleVoice {
  private(set) var sound = SampleRange(start: 0, frames: 0)
  /// The frames of the sound that were played or skipped.
  private(set) var position = 0
  private var fadeLeft = EngineTimeline.fadeFrames
  private var fadeInLeft = 0
  private var isFading = false
  private var volume: Float = 1
  private(set) var last: Float = 0

  var isSounding: Bool { position < sound.frames }
  /// The frames until it is silent.
  var framesLeft: Int { min(sound.frames - position, isFading ? fadeLeft : .max) }

  /// Begins a sound; one that begins in its middle, after `skipped` frames, fades in.
  mutating func begin(_ sound: SampleRange, volume: Float, skipping skipped: Int = 0) {
    self.sound = sound
    self.volume = volume
    position = skipped
    fadeLeft = EngineTimeline.fadeFrames
    fadeInLeft = skipped > 0 ? EngineTimeline.fadeFrames : 0
    isFading = false
    last = 0
  }

  /// Fades out within one fade.
  mutating func fadeOut() { isFading = true }

  /// Stops at once and passes the last value to the declicker.
  mutating func silence(into declicker: inout Declicker) {
    if isSounding { declicker.capture(left: last, right: last) }
    position = sound.frames
  }

  mutating func mix<Source: SampleSource & ~Copyable>(
    from source: borrowing Source, count: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<min(count, sound.frames - position) {
      var value = source.sample(at: sound.start + position) * volume
      position += 1
      if fadeInLeft > 0 {
        fadeInLeft -= 1
        value *=
          Float(EngineTimeline.fadeFrames - fadeInLeft) / Float(EngineTimeline.fadeFrames)
      }
      if isFading {
        fadeLeft -= 1
        value *= Float(fadeLeft) / Float(EngineTimeline.fadeFrames)
        if fadeLeft == 0 { position = sound.frames }
      }
      last = value
      left[frame] += value
      right[frame] += value
      if position >= sound.frames { break }
    }
  }
}
