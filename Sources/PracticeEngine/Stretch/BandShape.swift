// The shape of a band of the stretcher, and the view of one of its transforms.

/// How a band is separated from the sound. Lengths are in frames of the material.
struct BandShape {
  /// The window length of one transform, in frames.
  let lengthFrames: Int
  /// The output frames between two transforms.
  let hopFrames: Int
  /// The band's sample rate is lower by this factor.
  let decimation: Int
  let lowHertz: Double
  let highHertz: Double
  /// Whether the band is for sound that is steady and dense; it passes more of its lower rate's range.
  var isForSteadySound = false
  /// Whether it is the band of the shortest windows, which reaches up to half the sample rate.
  var isHighest: Bool { decimation == 1 }
  /// How long after the beginning the first transform is centred, which sees its whole window then. What is steady there
  /// is continued back to the beginning; see Stretcher+Beginning.swift.
  var delayFrames: Int { isForSteadySound ? 8_192 : 0 }
}

/// The part of the window that a transform sees, in frames from its centre; the rest is hidden.
struct View: Equatable {
  var left = -unlimited
  var right = unlimited

  static let unlimited = 1 << 30
  /// The frames over which the view fades in and out.
  static let fadeFrames = 48
}
