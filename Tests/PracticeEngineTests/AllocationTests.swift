// Rendering runs on an audio thread, so it must not allocate memory.

import AllocationCounter
import PracticeEngine
import Testing

@Suite struct AllocationTests {
  @Test(.enabled(if: segmance_allocation_count() >= 0, "sanitizers have their own allocator"))
  func `rendering a hundred thousand blocks with commands allocates nothing`() {
    let rig = Rig(part: 0..<480_000)
    let left = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    let right = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    defer {
      left.deallocate()
      right.deallocate()
    }
    rig.engine.setCountdown(frames: 48_000, sound: .clave, repeats: .every)
    rig.engine.setLoop(.section, from: 10_000, to: 90_000)
    rig.engine.play()
    let before = segmance_allocation_count()
    for block in 0..<100_000 {
      switch block % 1_000 {
      case 300: rig.engine.seek(to: block)
      case 500: rig.engine.pause()
      case 510: rig.engine.play()
      case 700: rig.engine.setLoop(.section, from: 50_000 + block, to: 20_000)
      case 600: rig.engine.setSpeed(percent: 50 + block / 1_000)
      case 650:
        rig.engine.setTransposition(
          semitones: block / 1_000 % 5 - 2, isNaturalVoice: block % 2_000 == 650)
      case 800: rig.engine.setVolume(block % 2_000 == 800 ? 0.5 : 1)
      default: break
      }
      rig.engine.render(frames: 128, left: left, right: right)
      while rig.engine.nextEvent() != nil {}
    }
    #expect(segmance_allocation_count() == before)
  }

  @Test(.enabled(if: segmance_allocation_count() >= 0, "sanitizers have their own allocator"))
  func `clicks, count-ins, spoken numbers, names and new tables allocate nothing`() {
    let rig = Rig(part: 0..<480_000)
    let left = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    let right = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    defer {
      left.deallocate()
      right.deallocate()
    }
    rig.setBeats(beats(at: (0..<60).map { $0 * 8_000 }))
    rig.setVoice(TestVoice())
    rig.setNames(TestVoice())
    rig.setCalls((0..<40).map { (10_000 + $0 * 4_000, $0 * 4_000 - 20_000, 1 + $0 % 9) })
    rig.engine.setClick(volume: 1)
    rig.engine.setLoop(.section, from: 10_000, to: 90_000)
    rig.engine.play()
    var counted = 0
    let before = segmance_allocation_count()
    for block in 0..<20_000 {
      switch block % 1_000 {
      case 100: rig.engine.setCountIn([CountIn.eight, .seconds, .bar][block / 1_000 % 3])
      case 200: rig.engine.setSpeaking(countIn: block % 3_000 > 1_000, click: block % 2_000 == 200)
      case 300: rig.engine.setLevels(count: block / 1_000 % 4)
      case 400: rig.engine.setVoice(recordings: 8 - block / 1_000 % 2 * 3, samples: 40_000)
      case 300: rig.engine.seek(to: block)
      case 500: rig.engine.setSpeed(percent: 50 + block / 200)
      case 450: rig.engine.setCaller(volume: Float(block / 1_000 % 3), duck: 0.4)
      case 550: rig.engine.setCalls(count: 40 - block / 1_000 % 2 * 20)
      case 600: rig.engine.setMusicVolume(block % 2_000 == 600 ? 0 : 1)
      case 700: rig.engine.setBeats(count: 59 + block / 1_000 % 2)
      case 800: rig.engine.pause()
      case 810: rig.engine.play()
      default: break
      }
      rig.engine.render(frames: 128, left: left, right: right)
      while let event = rig.engine.nextEvent() { if event.kind == .tick { counted += 1 } }
    }
    #expect(segmance_allocation_count() == before)
    #expect(counted > 20)
  }

  @Test(.enabled(if: segmance_allocation_count() >= 0, "sanitizers have their own allocator"))
  func `the counter counts an allocation`() {
    let before = segmance_allocation_count()
    UnsafeMutablePointer<Float>.allocate(capacity: 1).deallocate()
    #expect(segmance_allocation_count() >= before + 2)
  }
}
