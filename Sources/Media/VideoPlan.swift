// What is done with a video so that every browser plays it, in step from its time 0.

/// The way from an uploaded video to what is played.
enum VideoPlan: Equatable, Sendable {
  /// The original is played.
  case asItIs
  /// The pictures are copied into another container.
  case copyPictures(Sound)
  /// The pictures are encoded anew.
  case convert(Conversion)

  /// What becomes of the sound when the pictures are copied.
  enum Sound: Equatable, Sendable { case none, copied, encoded }

  /// Pictures to be.
  struct Conversion: Equatable, Sendable {
    var width: Int
    var height: Int
    /// Pictures in a second.
    var rate: VideoProbe.Fraction
    var isInterlaced = false
    var isHDR = false
  }

  /// The larger and the smaller side of what is played, at most.
  static let largestSides = (long: 1920, short: 1080)
  /// The larger side of a picture that is read.
  static let largestSide = 8192
  /// How long the lead-in of an encoder of sound lasts, in seconds, at most.
  static let largestLeadIn = 0.1

  /// Chooses the least that has to be done. `layout` is nil unless the file is MP4 or MOV.
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
      // It does not say exactly where the encoder's lead-in ends: decoding does.
      self = .copyPictures(probe.sound == nil ? .none : .encoded)
    } else {
      // Other containers say too little about when each picture is shown.
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

  /// Whether a stream begins with the file.
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

  /// Fits a picture into the largest one allowed, with even sides.
  private static func size(_ shown: (width: Double, height: Double)) -> (Int, Int) {
    let long = max(shown.width, shown.height)
    let short = min(shown.width, shown.height)
    let factor = min(1, Double(largestSides.long) / long, Double(largestSides.short) / short)
    func even(_ side: Double) -> Int { max(16, Int(side * factor / 2 + 0.01) * 2) }
    return (even(shown.width), even(shown.height))
  }

  /// The rate that the pictures have, made even: between 10 and 60, and one of the usual ones if it
  /// is within 3 % of it.
  private static func rate(_ picture: VideoProbe.Picture) -> VideoProbe.Fraction {
    let own = picture.averageRate.value > 0 ? picture.averageRate : picture.baseRate
    // Of a file whose pictures pause now and then, the rate between the pauses.
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
