// The waveform and its file format.

import Testing

@testable import Analysis

struct WaveformTests {
  private let waveform = Waveform(
    framesPerPixel: 64, pairs: [-1, 2, -3, 4, -5, 0, 0, 127, -128, 1])

  @Test func `a file is the header of version 2 and then the pairs`() {
    let bytes = Waveform(framesPerPixel: 256, pairs: [-128, 127]).dat()
    let header: [UInt8] = [
      2, 0, 0, 0, 1, 0, 0, 0, 0x80, 0xbb, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
    ]
    #expect(bytes == header + [0x80, 0x7f])
  }

  @Test func `a written waveform reads back the same`() throws {
    #expect(try Waveform(dat: waveform.dat()) == waveform)
  }

  @Test func `wider pixels hold the extremes of the narrow ones`() {
    #expect(
      waveform.downsampled(to: 128)
        == Waveform(framesPerPixel: 128, pairs: [-3, 4, -5, 127, -128, 1]))
    #expect(
      waveform.downsampled(to: 640) == Waveform(framesPerPixel: 640, pairs: [-128, 127]))
    #expect(waveform.downsampled(to: 64) == waveform)
  }

  @Test func `bytes that are no waveform are refused with the reason`() {
    func error(_ change: (inout [UInt8]) -> Void) -> WaveformFormatError? {
      var bytes = waveform.dat()
      change(&bytes)
      do throws(WaveformFormatError) {
        _ = try Waveform(dat: bytes)
        return nil
      } catch {
        return error
      }
    }
    #expect(error { $0 = Array($0.prefix(23)) } == .tooShort)
    #expect(error { $0[0] = 1 } == .unsupportedVersion(1))
    #expect(error { $0[4] = 0 } == .notEightBit)
    #expect(error { $0[12] = 0 } == .badResolution)
    #expect(error { $0[20] = 2 } == .notOneChannel)
    #expect(error { $0.removeLast() } == .lengthMismatch)
    #expect(error { $0[19] = 255 } == .lengthMismatch)
  }
}
