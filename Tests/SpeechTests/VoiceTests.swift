// Recordings of a microphone: what of the room is cut off, and what is refused.

import Glibc
import Testing

@testable import Speech

@Suite struct VoiceTests {
  private let rate = Recording.framesPerSecond

  /// A vowel: pulses of a voice at 120 Hz through a formant at 600 Hz.
  private func vowel(milliseconds: Int, level: Double) -> [Double] {
    var state = (0.0, 0.0)
    return (0..<milliseconds * rate / 1_000).map { frame in
      let pulse = frame % (rate / 120) == 0 ? 1.0 : 0
      let value = pulse + 1.9554 * state.0 - 0.9793 * state.1
      state = (value, state.0)
      return value * level
    }
  }

  /// The noise of a room.
  private func room(milliseconds: Int, level: Double) -> [Double] {
    var seed: UInt32 = 7
    return (0..<milliseconds * rate / 1_000).map { _ in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return (Double(seed >> 16) / 32_768 - 1) * level
    }
  }

  private func within(_ sound: [Double], at milliseconds: Int, room: [Double]) -> [Double] {
    var all = room
    for (frame, value) in sound.enumerated() { all[milliseconds * rate / 1_000 + frame] += value }
    return all
  }

  private func refusal(_ sound: [Double]) -> Recording.Refusal? {
    do {
      _ = try Recording(heard: sound)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [0, 0.0003, 0.002])
  func `the room before and after the voice is cut off`(noise: Double) throws {
    let sound = within(
      vowel(milliseconds: 400, level: 0.02), at: 900, room: room(milliseconds: 2_500, level: noise))
    let recording = try Recording(heard: sound)
    // The voice, and what is kept around it.
    let milliseconds = recording.samples.count * 1_000 / rate
    #expect((400...560).contains(milliseconds), "\(milliseconds)")
    // The attack is where the vowel begins.
    #expect(abs(recording.attack - rate * 40 / 1_000) < rate * 40 / 1_000)
    let samples = recording.samples.map { Double($0) / 32_768 }
    #expect(abs(Recording.loudest(of: samples) - 0.25) < 0.04)
    #expect((samples.map(abs).max() ?? 1) <= 0.8)
  }

  @Test func `words with a pause between them stay together`() throws {
    let one = within(
      vowel(milliseconds: 200, level: 0.02), at: 300, room: room(milliseconds: 2_000, level: 0.0003)
    )
    let two = within(vowel(milliseconds: 200, level: 0.02), at: 800, room: one)
    let milliseconds = try Recording(heard: two).samples.count * 1_000 / rate
    #expect((700...860).contains(milliseconds), "\(milliseconds)")
  }

  @Test func `the click of a button is no part of the name`() throws {
    var sound = within(
      vowel(milliseconds: 400, level: 0.02), at: 900, room: room(milliseconds: 2_500, level: 0.0003)
    )
    for frame in 0..<120 { sound[600 + frame] += frame.isMultiple(of: 2) ? 0.3 : -0.3 }
    for frame in 0..<120 {
      sound[sound.count - 900 + frame] += frame.isMultiple(of: 2) ? 0.3 : -0.3
    }
    let milliseconds = try Recording(heard: sound).samples.count * 1_000 / rate
    #expect((400...600).contains(milliseconds), "\(milliseconds)")
  }

  @Test func `silence, a quiet room, a hum below voices and a click are refused`() {
    #expect(refusal([]) == .silence)
    #expect(refusal([Double](repeating: 0, count: rate)) == .silence)
    #expect(refusal([Double](repeating: 0.4, count: rate)) == .silence)
    #expect(refusal(room(milliseconds: 1_000, level: 0.003)) == .silence)
    let hum = (0..<rate).map { 0.05 * sin(2 * .pi * 12 * Double($0) / Double(rate)) }
    #expect(refusal(hum) == .silence)
    var click = [Double](repeating: 0, count: rate)
    for frame in 0..<240 { click[rate / 2 + frame] = frame.isMultiple(of: 2) ? 0.5 : -0.5 }
    #expect(refusal(click) == .silence)
  }

  @Test func `steady noise is refused`() {
    #expect(refusal(room(milliseconds: 1_500, level: 0.1)) == .noise)
  }
}
