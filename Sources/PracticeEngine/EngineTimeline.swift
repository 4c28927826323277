// The numbers that every part of the engine shares: one timeline in whole frames.

/// Names the constants of the practice timeline.
public enum EngineTimeline {
  /// Counts the frames of one second.
  public static let framesPerSecond = 48_000
  /// Counts the frames of one chunk of a track; only a track's last chunk is shorter.
  public static let chunkFrames = 480_000
  /// Counts the frames of every fade: 5 ms, short enough to be heard as an edge, long enough to
  /// be heard as no click.
  public static let fadeFrames = 240
}
