// The fades that prevent clicks, and the volume. Each works on existing output.

/// The audio before a pause or a seek, fading out.
///
/// It reads from a copy of the reader, so that the fade does not move the kept position.
struct FadeOutVoice {
  private var reader = LoopingReader()
  private var fadeFrames = 0
  private var framesLeft = 0
  private var level: Float = 0
  private(set) var lastLeft: Float = 0
  private(set) var lastRight: Float = 0

  var isSounding: Bool { framesLeft > 0 }

  /// Continues the audio of a reader at its current level, after a last frame: where no data follows at
  /// all, that is led to zero.
  mutating func begin(reader: LoopingReader, level: Float, lastLeft: Float, lastRight: Float) {
    self.reader = reader
    self.level = level
    fadeFrames = reader.framesLeft(limit: EngineTimeline.fadeFrames)
    framesLeft = fadeFrames
    self.lastLeft = lastLeft
    self.lastRight = lastRight
  }

  /// Stops at once and passes the last value to the declicker.
  mutating func silence(into declicker: inout Declicker) {
    if isSounding { declicker.capture(left: lastLeft, right: lastRight) }
    framesLeft = 0
  }

  /// Adds the next frames. Returns false if the data ran out before the end of the fade.
  mutating func mix(
    from chunks: borrowing ChunkStore, count: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) -> Bool {
    // The scratch buffer holds one fade of each channel.
    let wanted = min(count, framesLeft)
    let read = reader.read(
      from: chunks, count: wanted, left: scratch, right: scratch + EngineTimeline.fadeFrames)
    let step = level / Float(fadeFrames + 1)
    for frame in 0..<read.frames {
      let gain = step * Float(framesLeft)
      lastLeft = scratch[frame] * gain
      lastRight = scratch[frame + EngineTimeline.fadeFrames] * gain
      left[frame] += lastLeft
      right[frame] += lastRight
      framesLeft -= 1
    }
    return read.frames == wanted
  }
}

/// Stretched sound that goes on for a fade, while what takes its place fades in: kept in a buffer, as it was
/// stretched before the stretcher began anew.
struct RingingVoice: ~Copyable {
  /// Written before `begin`.
  let left = SampleBuffer(count: EngineTimeline.fadeFrames)
  let right = SampleBuffer(count: EngineTimeline.fadeFrames)
  private var frame = EngineTimeline.fadeFrames

  var isSounding: Bool { frame < EngineTimeline.fadeFrames }

  /// Fades what was written to the buffers, a whole fade, from a level on.
  mutating func begin(level: Float) {
    let count = EngineTimeline.fadeFrames
    for index in 0..<count {
      let gain = level * Float(count - index) / Float(count + 1)
      left[index] *= gain
      right[index] *= gain
    }
    frame = 0
  }

  /// Adds the next frames.
  mutating func mix(
    count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<min(count, EngineTimeline.fadeFrames - frame) {
      left[index] += self.left[frame]
      right[index] += self.right[frame]
      frame += 1
    }
  }
}

/// Leads the last value of an abruptly stopped sound to zero along a smooth curve.
struct Declicker {
  private var left: Float = 0
  private var right: Float = 0
  private var framesLeft = 0

  var isSounding: Bool { framesLeft > 0 }

  /// Adds the last frame of a stopped sound.
  mutating func capture(left: Float, right: Float) {
    let level = Self.level(framesLeft)
    self.left = self.left * level + left
    self.right = self.right * level + right
    framesLeft = self.left == 0 && self.right == 0 ? 0 : EngineTimeline.fadeFrames
  }

  mutating func mix(
    count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<min(count, framesLeft) {
      framesLeft -= 1
      let level = Self.level(framesLeft)
      left[frame] += self.left * level
      right[frame] += self.right * level
    }
  }

  /// The curve 3x² − 2x³: flat at both ends.
  private static func level(_ framesLeft: Int) -> Float {
    let x = Float(framesLeft) / Float(EngineTimeline.fadeFrames)
    return x * x * (3 - 2 * x)
  }
}

/// The volume, which moves to a new value in small steps.
struct Gain {
  private(set) var value: Float = 1
  private(set) var target: Float = 1
  private var step: Float = 0
  private var framesLeft = 0

  mutating func move(to target: Float, frames: Int = EngineTimeline.fadeFrames) {
    self.target = target
    framesLeft = frames
    step = (target - value) / Float(frames)
  }

  /// Sets the volume at once, while there is silence.
  mutating func jump(to target: Float) {
    value = target
    self.target = target
    framesLeft = 0
  }

  mutating func apply(
    count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    if framesLeft == 0 && value == 1 { return }
    for frame in 0..<count {
      if framesLeft > 0 {
        framesLeft -= 1
        value = framesLeft == 0 ? target : value + step
      }
      left[frame] *= value
      right[frame] *= value
    }
  }
}
