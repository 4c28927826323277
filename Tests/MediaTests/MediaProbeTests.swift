// Parsing of ffprobe's output.

import Testing

@testable import Media

struct MediaProbeTests {
  private func probe(_ json: String, messages: String = "") -> MediaProbe? {
    MediaProbe(json: Array(json.utf8), messages: messages)
  }

  @Test func `the audio stream is described, not the pictures before it`() throws {
    let found = try #require(
      probe(
        """
        {"streams": [
          {"codec_type": "video", "codec_name": "h264", "duration": "9.0"},
          {"codec_type": "audio", "codec_name": "aac", "channels": 2, "sample_rate": "44100",
           "duration": "2.5"}],
         "format": {"duration": "9.0"}}
        """))
    #expect(found.codec == "aac" && found.channels == 2 && found.sampleRate == 44_100)
    #expect(found.seconds == 2.5 && found.isDeclared)
    #expect(found.hasAudio && found.hasPictures)
  }

  @Test func `with pictures the length of the file is not the length of the audio`() throws {
    let found = try #require(
      probe(
        """
        {"streams": [{"codec_type": "video"}, {"codec_type": "audio", "codec_name": "opus"}],
         "format": {"duration": "9.0"}}
        """))
    #expect(found.seconds == 9 && !found.isDeclared)
  }

  @Test func `a cover is no film`() throws {
    let found = try #require(
      probe(
        """
        {"streams": [
          {"codec_type": "audio", "codec_name": "mp3"},
          {"codec_type": "video", "codec_name": "mjpeg", "disposition": {"attached_pic": 1}}],
         "format": {"duration": "9.0"}}
        """))
    #expect(!found.hasPictures && found.isDeclared)
  }

  @Test func `a guessed length is not a declared one`() throws {
    let found = try #require(
      probe(
        #"{"streams": [{"codec_type": "audio", "duration": "9.0"}]}"#,
        messages: "[mp3 @ 0x1] Estimating duration from bitrate, this may be inaccurate"))
    #expect(found.seconds == 9 && !found.isDeclared)
  }

  @Test(arguments: ["N/A", "nan", "inf", "-3", "0", ""])
  func `an invalid length is nil`(text: String) throws {
    let found = try #require(
      probe(#"{"streams": [{"codec_type": "audio", "duration": "\#(text)"}]}"#))
    #expect(found.seconds == nil && !found.isDeclared)
  }

  @Test func `a truncated answer is refused`() {
    #expect(probe(#"{"streams": [{"codec"#) == nil)
    #expect(probe("{}")?.hasAudio == false)
  }
}
