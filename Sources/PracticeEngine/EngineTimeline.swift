// The constants that all parts of the engine share: one timeline in whole frames.

/// The constants of the practice timeline.
public enum EngineTimeline {
  /// The sample rate, in frames per second.
  public static let framesPerSecond = 48_000
  /// The frames in one chunk of a track; only a track's last chunk is shorter.
  public static let chunkFrames = 480_000
  /// The length of every fade in frames: 5 ms, short enough to sound like an edge, long enough to
  /// avoid a click.
  public static let fadeFrames = 240
}
