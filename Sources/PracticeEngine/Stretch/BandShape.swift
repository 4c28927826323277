// What a band of the stretcher is cut out by, and what one of its transforms may see.

/// How a band is cut out of the sound. Lengths are in frames of the material.
struct BandShape {
  /// How many frames one transform sees.
  let lengthFrames: Int
  /// The output frames between two transforms.
  let hopFrames: Int
  /// The band runs at a rate that is this many times lower.
  let decimation: Int
  let lowHertz: Double
  let highHertz: Double
  /// How far the band reaches into its neighbours, which fade in while it fades out.
  let lowOverlapHertz: Double
  let highOverlapHertz: Double
}

/// What a transform may see, in frames from its centre: what lies outside is hidden from it.
struct View: Equatable {
  var left = -unlimited
  var right = unlimited

  static let unlimited = 1 << 30
  /// The frames over which the view fades in and out.
  static let fadeFrames = 48
}
