// Import of real files with real ffmpeg: accepted and rejected ones.

import Analysis
import Storage
import Synchronization
import Testing

@testable import Media

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized)
struct TrackImporterTests {
  /// Every kind of file, with the tolerance of its 2.5 s in frames: encoders without a header for
  /// it add their padding, up to two blocks.
  static let accepted: [(name: String, slackFrames: Int)] = [
    ("sweep-48k.wav", 0), ("sweep-44k1.flac", 0), ("sweep.aiff", 0), ("alac.m4a", 0),
    ("rate-8k.wav", 0), ("rate-192k.flac", 0), ("mono.wav", 0), ("surround-5.1.flac", 0),
    ("eight-bit.wav", 0), ("twenty-four-bit.wav", 0), ("thirty-two-bit.wav", 0), ("float.wav", 0),
    ("core-audio.caf", 0), ("wave64.w64", 0), ("cover-art.flac", 0), ("cbr.mp3", 0),
    ("vbr.mp3", 0), ("cover-art.mp3", 1_300), ("without-gapless-header.mp3", 4_000),
    ("aac.m4a", 2_300), ("cover-art.m4a", 2_300), ("raw-aac.aac", 4_600), ("vorbis.ogg", 300),
    ("opus.opus", 0), ("opus-in.webm", 1_000), ("opus-in.mp4", 1_000), ("wma.wma", 8_000),
    ("layer-2.mp2", 4_000), ("dolby.ac3", 4_000), ("adpcm.wav", 4_100), ("telephone.amr", 400),
    ("phone-h264.mp4", 4_600), ("phone-hevc.mov", 4_600), ("phone.3gp", 4_600),
    ("camera.webm", 1_500), ("camera.mkv", 4_000), ("old.wma", 8_000), ("dolby-plus.eac3", 4_000),
    ("eight-bit.aiff", 0), ("twenty-four-bit.aiff", 0), ("thirty-two-bit.aiff", 0),
    ("float.aiff", 0), ("double.caf", 0), ("double.wav", 0), ("a-law.wav", 0), ("mu-law.wav", 0),
    ("microsoft-adpcm.wav", 4_100), ("quicktime-adpcm.mov", 4_100), ("gsm.wav", 4_000),
    ("wide-telephone.amr", 400),
  ]

  @Test(arguments: accepted)
  func `common audio files become tracks`(name: String, slackFrames: Int) throws {
    let workshop = try Workshop()
    let track = try workshop.importSong(name)
    #expect(abs(track.lengthFrames - 120_000) <= max(slackFrames, 1), "\(track.lengthFrames)")
    #expect(track.chunkCount == 1)
    #expect(track.codec != nil)
    let waveform = try Waveform(dat: #require(workshop.folder.peaks(track: "song")).read())
    #expect(waveform.framesPerPixel == TrackImporter.peaksFramesPerPixel)
    #expect(waveform.pixelCount == (track.lengthFrames + 63) / 64)
    if !name.hasSuffix("telephone.amr") {
      let loudness = try #require(track.loudness)
      #expect((-25.0 ... -5.0).contains(loudness), "\(loudness)")
    }
    // The chunk, decoded alone by a plain ffmpeg, equals ffmpeg's decoding of the original.
    let chunk = try witness(workshop.folder.chunk(track: "song", 0))
    #expect(chunk.count == track.lengthFrames * 2)
    #expect(try chunk == witness(Fixtures.path(name)))
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `joined files whose rate and channels change half-way become one track`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("joined.mp3")
    #expect(abs(track.lengthFrames - 240_000) <= 8_000, "\(track.lengthFrames)")
    let chunk = try witness(workshop.folder.chunk(track: "song", 0))
    #expect(try chunk == witness(Fixtures.path("joined.mp3")))
  }

  @Test(arguments: [1, 4_810, 4_992])
  func `silence of any length is a track`(frames: Int) throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("silence-\(frames).wav")
    #expect(track.lengthFrames == frames)
    #expect(track.loudness == nil)
    let chunk = try witness(workshop.folder.chunk(track: "song", 0))
    #expect(chunk == [Int16](repeating: 0, count: frames * 2))
  }

  static let refused: [(name: String, code: MediaError.Code)] = [
    ("zero-bytes.mp3", .empty), ("header-only.wav", .truncated), ("no-samples.wav", .empty),
    ("letter.mp3", .notAudio),
    ("noise.mp3", .notAudio), ("picture.mp3", .notAudio), ("cover.png", .notAudio),
    ("silent-film.mp4", .noAudioStream), ("playlist-hls.mp3", .notAudio),
    ("playlist-concat.mp3", .notAudio), ("playlist.m3u", .notAudio), ("session.sdp", .notAudio),
    ("unknown-codec.mka", .notAudio), ("unknown-container.wv", .notAudio),
    ("thirteen-hours.wav", .tooLong), ("truncated.wav", .truncated),
    ("truncated.flac", .truncated), ("truncated.mp3", .truncated), ("truncated.m4a", .truncated),
    ("truncated-without-moov.m4a", .truncated), ("truncated.ogg", .truncated),
    ("truncated-late.ogg", .truncated), ("truncated.aiff", .truncated),
    ("truncated.webm", .truncated), ("truncated.wma", .truncated),
    ("truncated.caf", .truncated), ("truncated.w64", .truncated),
  ]

  @Test(arguments: refused)
  func `a file that is no track is refused and leaves no files`(
    name: String, code: MediaError.Code
  ) throws {
    let workshop = try Workshop()
    do {
      let track = try workshop.importSong(name)
      Issue.record("\(name) became \(track)")
    } catch let error as MediaError {
      #expect(error.code == code, "\(error)")
      #expect(error.message.hasSuffix("."))
      #expect(!error.message.contains("ffmpeg"))
    }
    #expect(try workshop.leftovers().isEmpty)
  }

  @Test func `a file that exceeds the length limit while decoding is refused`() throws {
    let workshop = try Workshop()
    let importer = TrackImporter(
      tools: workshop.tools, folder: workshop.folder, longestFrames: 100_000)
    // Its length is only estimated beforehand, so only decoding shows it.
    let path = try Fixtures.path("without-gapless-header.mp3")
    let refusal = code {
      _ = try importer.importTrack(blob: path, into: workshop.folder.derived("song"))
    }
    #expect(refusal == .tooLong)
    #expect(try workshop.leftovers().isEmpty)
  }

  @Test func `progress rises to one`() throws {
    let workshop = try Workshop()
    let steps = Mutex<[Double]>([])
    _ = try workshop.importer.importTrack(
      blob: Fixtures.path("two-chunks.wav"), into: workshop.folder.derived("song"),
      progress: { step in steps.withLock { $0.append(step) } })
    let seen = steps.withLock { $0 }
    #expect(seen.last == 1)
    #expect(seen.count > 2)
    #expect(seen == seen.sorted())
  }

  @Test func `an import cancelled half-way leaves nothing and ends its programs`() throws {
    let workshop = try Workshop()
    let progress = Mutex(0.0)
    let refusal = code {
      _ = try workshop.importer.importTrack(
        blob: Fixtures.path("impulses.wav"), into: workshop.folder.derived("song"),
        progress: { value in progress.withLock { $0 = value } },
        isCancelled: { progress.withLock { $0 } > 0.4 })
    }
    #expect(refusal == .cancelled)
    #expect(progress.withLock { $0 } < 1)
    #expect(try workshop.leftovers().isEmpty)
    #expect(try programs(mentioning: workshop.folder.root).isEmpty)
  }

  @Test(arguments: ["/song", "/cut"])
  func `an import whose decoder or encoder the system kills is no fault of the file`(
    mentioned: String
  ) throws {
    let workshop = try Workshop()
    let root = workshop.folder.root
    try Files.writeNew(root + "/song", Files.read(Fixtures.path("impulses.wav")))
    let killed = Mutex(0)
    let error = #expect(throws: MediaError.self) {
      _ = try workshop.importer.importTrack(
        blob: root + "/song", into: workshop.folder.derived("song"),
        progress: { _ in
          for (id, arguments) in (try? programs(mentioning: root)) ?? []
          where arguments.contains("\(mentioned)\0")
            && arguments.prefix { $0 != "\0" }.hasSuffix("bwrap")
          {
            killed.withLock { $0 += kill(id, SIGKILL) == 0 ? 1 : 0 }
          }
        })
    }
    #expect(killed.withLock { $0 } > 0)
    #expect(error?.code == .toolFailed)
    if mentioned != "/cut" { #expect(error?.message.contains("ended by the system") == true) }
    #expect(try workshop.leftovers().isEmpty)
  }

  @Test func `importing again replaces the earlier files`() throws {
    let workshop = try Workshop()
    _ = try workshop.importSong("two-chunks.wav")
    let track = try workshop.importSong("mono.wav")
    #expect(track.chunkCount == 1)
    let names = try Files.names(in: workshop.folder.derived("song")).sorted()
    #expect(names == ["00000.flac", "peaks.dat"])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `chunks and waveform are on the disk before their folder has its name`() throws {
    let workshop = try Workshop()
    let journal = Mutex<[String]>([])
    _ = try FileJournal.$note.withValue({ call, path in
      journal.withLock { $0.append(call + " " + (path.split(separator: "/").last ?? "")) }
    }) { try workshop.importSong("mono.wav") }
    let calls = journal.withLock { $0 }
    let named = try #require(calls.firstIndex(of: "rename song"))
    let waveform = try #require(calls.firstIndex(of: "fsync peaks.dat"))
    let folder = try #require(calls.firstIndex(of: "fsync ready"))
    let shard = try #require(calls.firstIndex(of: "fsync derived"))
    #expect(waveform < folder && folder < named && named < shard)
  }

  @Test func `a track that ends on the border of a chunk has no empty chunk`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    #expect(track.lengthFrames == 960_000)
    #expect(track.chunkCount == 2)
    let names = try Files.names(in: workshop.folder.derived("song")).sorted()
    #expect(names == ["00000.flac", "00001.flac", "peaks.dat"])
  }

  @Test func `an import works without the sandbox if the owner chose so`() throws {
    let workshop = try Workshop(sandbox: .none)
    #expect(try workshop.importSong("mono.wav").lengthFrames == 120_000)
    let refusal = code { _ = try workshop.importSong("playlist-hls.mp3") }
    #expect(refusal == .notAudio)
  }

  @Test func `the loudness equals the value of ffmpeg's meter`() throws {
    let workshop = try Workshop()
    let path = try Fixtures.path("sweep-48k.wav")
    let track = try workshop.importSong("sweep-48k.wav")
    let report = try ffmpeg(
      "-nostats", "-i", path, "-af", "ebur128=framelog=verbose", "-f", "null", "-"
    ).messages
    let line = try #require(
      report.split(separator: "\n").first { $0.contains("I:") && $0.contains("LUFS") })
    let number = try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    let loudness = try #require(track.loudness)
    // ffmpeg prints one decimal.
    #expect(abs(loudness - number) <= 0.1, "\(loudness) and \(number)")
  }

  /// The running programs whose arguments contain `text`.
  private func programs(mentioning text: String) throws -> [(id: pid_t, arguments: String)] {
    try Files.names(in: "/proc").compactMap { name -> (pid_t, String)? in
      guard let id = pid_t(name), Files.exists("/proc/\(name)/cmdline") else { return nil }
      do {
        let file = try OpenFile("/proc/\(name)/cmdline", 0)
        var line = [UInt8](repeating: 0, count: 65_536)
        let count = try line.withUnsafeMutableBytes { try file.read(into: $0) }
        let arguments = String(decoding: line.prefix(count), as: UTF8.self)
        return arguments.contains(text) ? (id, arguments) : nil
      } catch {
        return nil  // It ended between the listing and the look, which is what is wanted.
      }
    }
  }
}
