// MP3s that end before the length that their header declares: shortened by a broken download, or by a
// program that left the header as it was.

import Storage
import Testing

@testable import Media

@Suite struct ShortenedMP3Tests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// A tone of 200 s as an MP3, at one bit rate or at several, with or without its length in a header.
  private func song(_ rate: String = "-b:a", _ value: String = "64k", hasHeader: Bool = true) throws
    -> [UInt8]
  {
    let path = workshop.folder.temporaryPath("song") + ".mp3"
    _ = try ffmpeg(
      "-v", "error", "-f", "lavfi", "-i", "sine=r=44100:d=200", "-c:a", "libmp3lame", rate, value,
      "-write_xing", hasHeader ? "1" : "0", path)
    let bytes = try Files.read(path)
    try Files.remove(path)
    return bytes
  }

  /// The length of the track that these bytes become, in seconds.
  private func importedSeconds(_ bytes: [UInt8]) throws -> Double {
    let track = try workshop.importer.importTrack(
      blob: workshop.file(bytes), into: workshop.folder.derived("song"))
    return Double(track.lengthFrames) / 48_000
  }

  @Test(arguments: [("-b:a", "64k"), ("-q:a", "5")])
  func `the first 60 kB of a long song are refused`(rate: String, value: String) throws {
    let bytes = try Array(song(rate, value).prefix(60_000))
    #expect(code { _ = try importedSeconds(bytes) } == .truncated)
  }

  @Test func `without a declared length a shortened song is a track`() throws {
    let seconds = try importedSeconds(Array(song(hasHeader: false).prefix(60_000)))
    #expect((7...8).contains(seconds), "\(seconds)")
  }

  @Test func `a header that declares a little too much is believed to be wrong`() throws {
    let bytes = try song()
    // The number of frames, each of 1,152 samples, stands behind the mark and four bytes of flags.
    let mark = try #require(
      (0..<400).first { Array(bytes[$0..<$0 + 4]) == Array("Info".utf8) })
    func declaring(secondsMore: Double) -> [UInt8] {
      var changed = bytes
      let count = changed[(mark + 8)..<(mark + 12)].reduce(0) { $0 << 8 | Int($1) }
      let declared = count + Int(secondsMore * 44_100 / 1_152)
      for index in 0..<4 { changed[mark + 8 + index] = UInt8(declared >> (24 - 8 * index) & 255) }
      return changed
    }
    for more in [0, 1.9, 3.9] {
      let seconds = try importedSeconds(declaring(secondsMore: more))
      #expect(abs(seconds - 200) < 0.1, "\(more) more: \(seconds)")
    }
    #expect(code { _ = try importedSeconds(declaring(secondsMore: 4.3)) } == .truncated)
  }
}
