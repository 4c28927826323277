// Changes the speed without the pitch, or the pitch without the speed. This file holds the state
// and the commands; Stretcher+Rendering.swift renders the sound.

/// Stretches stereo sound from 0.25 to 2 times its speed, and transposes it by up to an octave.
///
/// A phase vocoder with windows of 341, 171, 85 and 43 ms, of which each zone of frequency uses what suits it
/// at the moment (docs/adr/0025-window-lengths-by-what-they-resolve.md). Attacks are detected
/// beforehand: each is heard exactly once, at its place, with its own phases. See
/// docs/adr/0008-time-stretch.md.
///
/// Sound is pulled in two steps. Before `render`, call `give` with `wantedFrames` source frames
/// until none are wanted; when the source ends, call `finish`. Output frame 0 is source frame 0 at
/// every speed. At a speed of exactly 1 without transposition the source passes through
/// bit-exactly.
///
/// Threads: not safe to share, like the engine. Real time: only `init` allocates; nothing locks,
/// throws or counts references. The output does not depend on the sizes of the blocks.
public struct Stretcher: ~Copyable {
  /// The allowed speeds, in hundredths.
  public static let rates = 25...200
  /// The allowed transpositions.
  public static let semitones = -12...12
  /// The maximum number of source frames wanted at once.
  public static let inputCapacity = 1_024
  /// How far the source is read ahead of the output, at most, in frames. At a speed of 1 without
  /// transposition it is `passingLookAheadFrames`.
  public static let lookAheadFrames = 45_056
  public static let passingLookAheadFrames = 256

  /// The frames that are rendered at a time.
  static let stepFrames = 128
  static let materialCapacity = 63_488
  static let bandCount = 4
  private static let sourceCapacity = 52_224

  var map = TimeMap()
  var attacks = AttackDetector()
  var transposer = Transposer()
  /// The source with the formants that transposing will move back to their places.
  var formants = FormantFilter()
  var windowLengths = WindowLengths()
  let shorterWindows = ShorterWindows()
  var source = StereoQueue(capacity: sourceCapacity)
  /// The source from `startSource` on, transposed: the input of the bands.
  var material = StereoQueue(capacity: materialCapacity)
  // Unsafe so that bands can be iterated without copies; owned here, freed in `deinit`.
  let bands: UnsafeMutablePointer<SpectralBand>

  /// Whether the bands are active; otherwise the source passes through.
  var isStretching = false
  /// Where the bands last began: a source frame, and the output frame at which it is heard.
  var startSource = 0
  var startOutput = 0
  var beginning = Beginning()
  /// The share of the unchanged source in the output, from 0 to 1, and its next frame.
  var passing = Passing()

  /// The number of rendered output frames; `heard` of them were taken.
  var made = 0
  var heard = 0
  let readyLeft = SampleBuffer(count: stepFrames)
  let readyRight = SampleBuffer(count: stepFrames)
  /// The number of source frames, once it is known.
  var sourceLength: Int?

  var declicker = Declicker()
  var lastLeft: Float = 0
  var lastRight: Float = 0
  var fadeInLeft = 0

  /// Creates a stretcher at a speed of 1: computes its tables, which takes some milliseconds.
  public init() {
    bands = .allocate(capacity: Self.bandCount)
    bands.initialize(
      to: SpectralBand(
        BandShape(
          lengthFrames: 16_384, hopFrames: 2_048, decimation: 4, lowHertz: 0, highHertz: 4_100,
          isForSteadySound: true)))
    (bands + 1).initialize(
      to: SpectralBand(
        BandShape(lengthFrames: 8_192, hopFrames: 1_024, decimation: 8, lowHertz: 0, highHertz: 385)
      ))
    (bands + 2).initialize(
      to: SpectralBand(
        BandShape(
          lengthFrames: 4_096, hopFrames: 512, decimation: 4, lowHertz: 315, highHertz: 1_250)))
    (bands + 3).initialize(
      to: SpectralBand(
        BandShape(
          lengthFrames: 2_048, hopFrames: 256, decimation: 1, lowHertz: 0, highHertz: 24_000)))
    reset()
  }

  deinit {
    bands.deinitialize(count: Self.bandCount)
    bands.deallocate()
  }

  // MARK: Commands

  /// Sets the speed in hundredths, from 25 to 200. While stretched sound is playing, the new speed
  /// is heard some 45 to 70 ms later; `sourceFrameHeard` accounts for that.
  public mutating func setRate(hundredths: Int) {
    let rate = min(max(hundredths, Self.rates.lowerBound), Self.rates.upperBound)
    var from = made
    if isStretching {
      // What the longest windows hold is steady, so that they may follow later.
      for index in 1..<Self.bandCount { from = max(from, bands[index].center) }
    }
    map.setRate(rate, from: from)
    passFromTheStart()
  }

  /// Sets the transposition in semitones, from −12 to 12.
  public mutating func setSemitones(_ semitones: Int) {
    let valid = min(max(semitones, Self.semitones.lowerBound), Self.semitones.upperBound)
    guard valid != self.semitones else { return }
    self.semitones = valid
    transposer.setSemitones(valid)
    if isStretching { startBands(silent: false) }
    passFromTheStart()
  }

  /// Sets whether transposed sound keeps the formants of the source: voices sound as the same
  /// person's, instruments keep their colour. See docs/adr/0023-natural-voice.md.
  public mutating func setNaturalVoice(_ isNatural: Bool) {
    guard isNatural != isNaturalVoice else { return }
    isNaturalVoice = isNatural
    if isStretching && transposer.ratio != 1 { startBands(silent: false) }
  }

  /// From how many semitones up or down voices are natural unless chosen otherwise.
  public static let naturalVoiceSemitones = 3

  /// Passes the source through at full level if nothing else was heard since the reset.
  private mutating func passFromTheStart() {
    if made == 0 && !isStretching && passes { passing.level = 1 }
  }

  /// Whether transposed sound keeps the formants of the source.
  public private(set) var isNaturalVoice = false
  /// The latest transposition.
  public private(set) var semitones = 0
  /// The latest speed, in hundredths.
  public var rate: Int { map.latestRate }

  /// Clears the history: the next frame that is given is source frame 0, and the first to be heard.
  ///
  /// It begins at full level, as a part does; `ringingOut` fades out the last sound and fades in
  /// the beginning, within 5 ms each, for a jump while playing.
  public mutating func reset(ringingOut: Bool = false) {
    if ringingOut {
      declicker.capture(left: lastLeft, right: lastRight)
      fadeInLeft = EngineTimeline.fadeFrames
    } else {
      declicker = Declicker()
      fadeInLeft = 0
    }
    lastLeft = 0
    lastRight = 0
    map.reset()
    attacks.reset()
    source.reset(silent: AttackDetector.readBehind)
    made = 0
    heard = 0
    sourceLength = nil
    isStretching = false
    passing = Passing(level: passes ? 1 : 0)
  }

  // MARK: The source

  /// How many source frames to give before the next call of `render` can produce a frame: at most
  /// `inputCapacity`; read it again after giving them. Zero after the source has ended.
  public var wantedFrames: Int { sourceLength == nil ? missingFrames : 0 }

  /// How many frames after the end can be given before the next call of `render`: at most
  /// `inputCapacity`; zero before `finish`. They are not heard, but without them the
  /// source is followed by its own reflection, to which the last 170 ms fit less well.
  public var welcomeFrames: Int { sourceLength == nil ? 0 : missingFrames }

  private var missingFrames: Int {
    heard == made ? min(max(0, requiredSource - source.end), Self.inputCapacity) : 0
  }

  /// Accepts the next source frames, at most as many as are wanted or welcome.
  public mutating func give(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, count: Int
  ) {
    precondition(count >= 0 && count <= missingFrames)
    append(count) { targetLeft, targetRight in
      targetLeft.update(from: left, count: count)
      targetRight.update(from: right, count: count)
    }
  }

  /// Marks the end of the source. The rest is rendered to the end: the output of n frames at a
  /// constant speed is n divided by it, rounded half up.
  public mutating func finish() {
    if sourceLength == nil { sourceLength = source.end }
  }

  // MARK: What can be seen

  /// The source frame of the next output frame, counted from the last reset.
  public var sourceFrameHeard: Int { map.frame(at: heard) }

  /// The number of output frames until a source frame, or a later one, is heard; at least 1, and
  /// fewer if another speed begins before that.
  public func framesToReach(_ sourceFrame: Int64) -> Int {
    let piece = map.piece(at: heard)
    let rest = sourceFrame &* 100 - map.position(at: heard)
    let frames = (rest + piece.rate - 1) / piece.rate
    return Int(max(1, min(frames, Int64(map.framesToNextPiece(from: heard)))))
  }

  /// The number of output frames until a source frame, or a later one, is heard, through all changes of
  /// speed that were made so far; at least 1.
  public func framesUntil(_ sourceFrame: Int64) -> Int {
    max(1, map.output(reaching: sourceFrame) - heard)
  }

  /// Whether the unchanged source alone is heard.
  public var isPassing: Bool { !isStretching && passes && heard == made }

  /// The output frames since the last reset.
  public var outputFrames: Int { heard }

  /// Whether all output was taken, after `finish`.
  public var isFinished: Bool { isBeyondEnd(heard) }
}

/// The unchanged source while it fades in or out against the stretched sound.
struct Passing {
  /// From 0, only stretched, to 1, only the source.
  var level: Float = 1
  /// The next source frame while it fades out.
  var frame = 0
  var isLeaving = false

  static let enteringStep: Float = 1 / 1_024
  static let leavingStep: Float = 1 / 256
}
