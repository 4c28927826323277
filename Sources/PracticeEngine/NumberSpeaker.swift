// The voice that says counts: one number at a time, and the one before it while it fades.

/// Says numbers. One begins ahead of its count, so that its attack falls on the count's frame.
struct NumberSpeaker {
  private var number = SampleVoice()
  /// The number before, fading out.
  private var former = SampleVoice()
  /// The frames of `number` before its attack.
  private var lead = 0
  /// Whether `number` belongs to a count that is still to come.
  private(set) var isAhead = false
  /// The clock at the last count; nil if none came since playback began at its position.
  private var lastCount: Int64?

  var isSounding: Bool { number.isSounding || former.isSounding }

  /// Returns the frames by which a sound may begin before its count, which lies `frames` ahead: its whole
  /// lead, or half of the time between the counts, so that the number before is heard, too.
  func lead(of sound: VoiceBank.Sound, before frames: Int, clock: Int64) -> Int {
    guard let lastCount else { return sound.lead }
    return Int(min(Int64(sound.lead), (Int64(frames) + clock - lastCount) / 2))
  }

  /// Whether a sound has begun that reaches its attack in exactly so many frames.
  func leads(_ sound: VoiceBank.Sound, to frames: Int) -> Bool {
    isAhead && number.sound == sound.range && lead - number.position == frames
  }

  /// Begins a sound so that its attack comes in `frames`; with 0, it begins with the attack.
  mutating func begin(
    _ sound: VoiceBank.Sound, attackIn frames: Int, volume: Float, declicker: inout Declicker
  ) {
    former.silence(into: &declicker)
    former = number
    former.fadeOut()
    lead = sound.lead
    number.begin(sound.range, volume: volume, skipping: sound.lead - frames)
    isAhead = frames > 0
  }

  /// Its count is heard at `clock`. Returns whether a number has begun for it.
  mutating func count(at clock: Int64) -> Bool {
    lastCount = clock
    defer { isAhead = false }
    return isAhead
  }

  /// The count to come is not heard: a number that has begun for it fades.
  mutating func drop() {
    if isAhead { number.fadeOut() }
    isAhead = false
  }

  /// Fades out within one fade. The next number has its whole lead.
  mutating func fadeOut() {
    number.fadeOut()
    isAhead = false
    lastCount = nil
  }

  /// Stops at once, as its samples go.
  mutating func silence(into declicker: inout Declicker) {
    number.silence(into: &declicker)
    former.silence(into: &declicker)
    isAhead = false
  }

  mutating func mix(
    from voice: borrowing VoiceBank, count: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    if former.isSounding { former.mix(from: voice, count: count, left: left, right: right) }
    if number.isSounding { number.mix(from: voice, count: count, left: left, right: right) }
  }
}
