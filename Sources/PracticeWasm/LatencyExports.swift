// Latency calibration as flat functions for WebAssembly.

import Counts
import Practice

extension Handle {
  /// Answers seconds, margin in seconds, certainty, obstacle, and how many taps or clicks were used.
  fileprivate func answer(_ estimate: LatencyEstimate) {
    holder.pointee.numbers = [
      estimate.seconds, estimate.marginSeconds, Double(estimate.certainty.rawValue),
      Double(estimate.obstacle.rawValue), Double(estimate.used),
    ]
  }
}

/// Answers the samples of a sound at 48,000 Hz: 0 the click to tap with, 1 the quiet click between, else
/// the chirp.
@_expose(wasm) @c(latency_sound)
public func latencySound(_ handle: Handle, _ kind: Int32) {
  let samples =
    switch kind {
    case 0, 1: LatencySounds.click(isStrong: kind == 0)
    default: LatencySounds.chirp()
    }
  handle.holder.pointee.numbers = samples.map { Double($0) }
}

/// Answers the estimate of so many taps, by the seconds of the audio clock. `reported` is the latency that
/// the browser states.
@_expose(wasm) @c(latency_of_taps)
public func latencyOfTaps(
  _ handle: Handle, _ firstClick: Double, _ reported: Double, _ taps: UnsafePointer<Double>,
  _ count: Int32
) {
  let measurement = TapLatency(firstClickSeconds: firstClick, reportedSeconds: reported)
  handle.answer(
    measurement.estimate(
      taps: Array(UnsafeBufferPointer(start: taps, count: max(Int(count), 0)))))
}

/// Returns 1 if a measurement is over once so many clicks were played.
@_expose(wasm) @c(latency_is_over)
public func latencyIsOver(_ clicks: Int32, _ certainty: Int32) -> Int32 {
  let certainty = LatencyEstimate.Certainty(rawValue: certainty) ?? .none
  return TapLatency.isOver(clicks: Int(clicks), certainty: certainty) ? 1 : 0
}

/// Answers the estimate of a recording at 48,000 Hz with chirps at so many frames. `input` is the latency
/// that the browser states of the microphone, NaN for nil.
@_expose(wasm) @c(latency_of_recording)
public func latencyOfRecording(
  _ handle: Handle, _ samples: UnsafePointer<Float>, _ count: Int32,
  _ clicks: UnsafePointer<Double>, _ clickCount: Int32, _ input: Double
) {
  let frames = UnsafeBufferPointer(start: clicks, count: max(Int(clickCount), 0))
  handle.answer(
    ClickLatency().estimate(
      recording: UnsafeBufferPointer(start: samples, count: max(Int(count), 0)),
      clickFrames: frames.map { Int(bounding: $0) }, inputSeconds: input.isNaN ? nil : input))
}
