// Decides how to convert a video so that every browser plays it, in sync from time 0.

/// How an uploaded video becomes a playable one.
enum VideoPlan: Equatable, Sendable {
  /// The original is played.
  case asItIs
  /// The pictures are copied to another container.
  case copyPictures(Sound)
  /// The pictures are re-encoded.
  case convert(Conversion)

  /// How the sound is handled when the pictures are copied.
  enum Sound: Equatable, Sendable { case none, copied, encoded }

  /// The format of re-encoded pictures.
  struct Conversion: Equatable, Sendable {
    var width: Int
    var height: Int
    /// Pictures per second.
    var rate: VideoProbe.Fraction
    var isInterlaced = false
    var isHDR = false
  }

  /// The maximum longer and shorter side of the result.
  static let largestSides = (long: 1920, short: 1080)
  /// The maximum longer side of an accepted picture.
  static let largestSide = 8192
  /// The maximum lead-in of a sound encoder, in seconds.
  static let largestLeadIn = 0.1

  /// Chooses the least conversion that is sufficient. `layout` is nil unless the file is MP4 or
  /// MOV.
  init(_ probe: VideoProbe, _ picture: VideoProbe.Picture, layout: MP4Layout?) {
    guard Self.playsEverywhere(picture), Self.begins(picture.startSeconds, probe) else {
      self = .convert(Self.conversion(picture))
      return
    }
    if let layout {
      let sound = Self.sound(probe, layout)
      guard layout.showsAllPictures, layout.isEven else {
        self = .convert(Self.conversion(picture))
        return
      }
      let isReady =
        layout.hasIndexInFront && layout.holdsOnlyMedia && sound != .encoded
        && probe.hasSound == (probe.sound != nil) && picture.tag == "avc1"
      self = isReady ? .asItIs : .copyPictures(sound)
    } else if probe.container.hasPrefix("matroska") && Self.isEven(picture) {
      // The file does not declare exactly where the encoder's lead-in ends; decoding finds it.
      self = .copyPictures(probe.sound == nil ? .none : .encoded)
    } else {
      // Other containers do not store the time of each picture precisely enough.
      self = .convert(Self.conversion(picture))
    }
  }

  private static func sound(_ probe: VideoProbe, _ layout: MP4Layout) -> Sound {
    guard let sound = probe.sound else { return .none }
    let isFine =
      sound.codec == "aac" && layout.playsAllSound && begins(sound.startSeconds, probe)
    return isFine ? .copied : .encoded
  }

  private static func playsEverywhere(_ picture: VideoProbe.Picture) -> Bool {
    let profiles = ["Baseline", "Constrained Baseline", "Main", "High"]
    let (long, short) = (
      max(picture.width, picture.height), min(picture.width, picture.height)
    )
    return picture.codec == "h264" && profiles.contains(picture.profile)
      && (1...51).contains(picture.level) && ["yuv420p", "yuvj420p"].contains(picture.pixelFormat)
      && picture.pixelAspect == 1 && picture.rotation == 0 && !picture.isInterlaced
      && !picture.isHDR && long <= largestSides.long && short <= largestSides.short
      && picture.averageRate.value <= 60.5
  }

  /// Whether a stream starts at the beginning of the file.
  private static func begins(_ seconds: Double, _ probe: VideoProbe) -> Bool {
    abs(seconds - probe.startSeconds) <= largestLeadIn
  }

  private static func isEven(_ picture: VideoProbe.Picture) -> Bool {
    let (average, base) = (picture.averageRate.value, picture.baseRate.value)
    return average > 0 && abs(average - base) <= base * 0.02
  }

  private static func conversion(_ picture: VideoProbe.Picture) -> Conversion {
    let isTurned = picture.rotation.isMultiple(of: 90) && !picture.rotation.isMultiple(of: 180)
    let upright = Double(picture.width) * picture.pixelAspect
    let shown = isTurned ? (Double(picture.height), upright) : (upright, Double(picture.height))
    let (width, height) = size(shown)
    return Conversion(
      width: width, height: height, rate: rate(picture), isInterlaced: picture.isInterlaced,
      isHDR: picture.isHDR)
  }

  /// Scales a picture down to the allowed size, with even sides.
  private static func size(_ shown: (width: Double, height: Double)) -> (Int, Int) {
    let long = max(shown.width, shown.height)
    let short = min(shown.width, shown.height)
    let factor = min(1, Double(largestSides.long) / long, Double(largestSides.short) / short)
    func even(_ side: Double) -> Int { max(16, Int(side * factor / 2 + 0.01) * 2) }
    return (even(shown.width), even(shown.height))
  }

  /// Returns a constant picture rate: between 10 and 60, and a common rate if one is within 3 %.
  private static func rate(_ picture: VideoProbe.Picture) -> VideoProbe.Fraction {
    let own = picture.averageRate.value > 0 ? picture.averageRate : picture.baseRate
    // For a file whose pictures pause now and then, the rate between the pauses.
    let base = picture.baseRate
    let isPausing = base.value > own.value && base.value <= 60.5 && base.value <= own.value * 8
    let rate = isPausing ? base : own
    guard rate.value >= 10 else {
      return .init(numerator: rate.value > 0 ? 10 : 30, denominator: 1)
    }
    guard rate.value <= 60.5 else { return .init(numerator: 60, denominator: 1) }
    let usual: [VideoProbe.Fraction] = [
      (15, 1), (24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (48, 1), (50, 1),
      (60_000, 1001), (60, 1),
    ].map { VideoProbe.Fraction(numerator: $0.0, denominator: $0.1) }
    let nearest = usual.min { abs($0.value - rate.value) < abs($1.value - rate.value) }
    if let nearest, abs(nearest.value - rate.value) <= rate.value * 0.03 { return nearest }
    return .init(numerator: Int((rate.value * 1000).rounded()), denominator: 1000)
  }
}
