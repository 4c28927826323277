// Finds the beats, bars and eights of a track.

import CBeatWeights
import Counts

/// Finds beats in a stream of samples at 48 kHz, in one pass and without keeping the samples.
/// Memory: 4 bytes for each fiftieth of a second, and about 15 MB while `finish` runs.
public struct BeatTracker: Sendable {
  private var bands = MelBands()
  private var movedBands = MovedBands()
  private var network = BeatNetwork(
    weights: BeatTracker.weights, versionCount: MovedBands.versionCount)
  private var activations = BeatActivations()
  private var frameCount = 0

  /// Makes a tracker for one track.
  public init() {}

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    precondition(interleaved.count.isMultiple(of: 2))
    let scale: Float = 1 / 32_768
    take(interleaved.count / 2) { frame in
      (Float(interleaved[2 * frame]) * scale, Float(interleaved[2 * frame + 1]) * scale)
    }
    frameCount += interleaved.count / 2
  }

  /// Returns the beats of all that was appended, or nil when it is too short to have a tempo. The
  /// `changes` of the music say where phrases begin. Call it once, at the end.
  public mutating func finish(changes: [SuggestedCut]) -> BeatAnalysis? {
    let wanted = (frameCount + MelBands.hopFrames - 1) / MelBands.hopFrames
    take(2 * MelBands.windowFrames) { _ in (0, 0) }
    network.finish { activations.append($0) }
    activations.keep(wanted)
    return BeatGrid(activations: activations, lengthFrames: frameCount, changes: changes).analysis
  }

  @inline(__always)
  private mutating func take(_ count: Int, _ sample: (Int) -> (Float, Float)) {
    bands.take(count, sample) { levels in
      movedBands.move(levels) { versions in
        network.append(versions) { activations.append($0) }
      }
    }
  }

  /// The weights that training wrote, as numbers: in 16 bits each.
  static let weights: [Float] = {
    let count = Int(segmance_beat_weights_size()) / 2
    // The array in C has that many bytes and stays for good.
    let bytes = segmance_beat_weights()!
    return (0..<count).map {
      let bits = bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self).littleEndian
      return Float(Float16(bitPattern: bits))
    }
  }()
}

/// The activations of a track, 50 a second, in 16 bits each.
struct BeatActivations: Sendable {
  private(set) var beats: [UInt16] = []
  private(set) var downbeats: [UInt16] = []

  mutating func append(_ activation: BeatActivation) {
    beats.append(UInt16(activation.beat * 65_535))
    downbeats.append(UInt16(activation.downbeat * 65_535))
  }

  /// Forgets all but the first `count`.
  mutating func keep(_ count: Int) {
    beats.removeLast(max(0, beats.count - count))
    downbeats.removeLast(max(0, downbeats.count - count))
  }

  var count: Int { beats.count }

  /// How likely frame `index` is a beat or downbeat, 0–1.
  func beat(_ index: Int) -> Float { Float(max(beats[index], downbeats[index])) / 65_535 }

  /// The largest chance of a downbeat in the frames beside `index`.
  func downbeat(near index: Int) -> Float {
    let around = (index - 2..<index + 3).clamped(to: 0..<count)
    return Float(downbeats[around].max() ?? 0) / 65_535
  }
}
