// The parsers of files: containers, waveforms, FLAC pieces, what ffprobe says.

import Analysis
import TestSupport

@testable import Media

extension Harness {
  /// A waveform file.
  static let peaks = Harness(
    "peaks", "a waveform is what its file says, whole, in parts and in wider pixels",
    seeds: [
      Waveform(framesPerPixel: 64, pairs: [-128, 127, 0, 0, -5, 5, -1, 9]).dat(),
      Waveform(framesPerPixel: 64, pairs: []).dat(),
      Waveform(framesPerPixel: 1, pairs: [1, 2]).dat(), [UInt8](repeating: 0, count: 24),
    ]
  ) {
    let scratch = try Scratch()
    return { bytes in
      if let waveform = try? Waveform(dat: bytes) {
        try holds(
          waveform.pixelCount * 2 + Waveform.headerByteCount == bytes.count, "pixels are missing")
        try holds(try Waveform(dat: waveform.dat()) == waveform, "it is written as another")
        // All but the rate, which has no use here.
        try holds(
          Array(waveform.dat()[12...]) == Array(bytes[12...]), "it is written as another file")
      }
      let stored = StoredPeaks(try scratch.file(bytes))
      guard let all = try? stored.waveform(framesPerPixel: 64, pixels: 0..<bytes.count)
      else { return }
      let first = Int(bytes.last ?? 0) % 5
      for factor in [1, 3] {
        let part = try stored.waveform(framesPerPixel: 64 * factor, pixels: first..<first + 4)
        let from = min(first * factor, all.pixelCount) * 2
        let to = min((first + 4) * factor, all.pixelCount) * 2
        let same = Waveform(framesPerPixel: 64, pairs: Array(all.pairs[from..<to]))
          .downsampled(to: 64 * factor)
        try holds(part == same, "a part is not a part of the whole")
      }
    }
  }

  /// An MP4 or MOV file.
  static let mp4 = Harness(
    "mp4", "no box leads out of its file, and a file cut off is not whole",
    seeds: [
      Box.file("ftyp", "moov", "mdat"), Box.file("ftyp", "mdat", "moov"), Box.file("moov", "mdat"),
      Box.file("wide", "mdat"), Box.file("ftyp", "moov", "moof", "mdat"), Box.make("ftyp", []),
    ],
    words: Box.names + ["\0\0\0\0", "\0\0\0\u{1}", "\0\0\0\u{8}", "\u{7F}", "vide", "soun"],
    shortRounds: 1_500
  ) {
    let scratch = try Scratch()
    return { bytes in
      guard let layout = try MP4Layout(path: scratch.file(bytes)) else { return }
      try holds(try MP4Layout(path: scratch.file(bytes)) == layout, "read twice, it differs")
      guard let boxes = Box.walk(bytes), let last = boxes.last else { return }
      let index = boxes.firstIndex { $0.name == "moov" }
      let media = boxes.firstIndex { $0.name == "mdat" }
      if layout.hasIndexInFront {
        try holds(
          index.flatMap { index in media.map { index < $0 } } == true, "an index out of nothing")
      }
      try holds(layout.isWhole, "a whole file is not")
      guard ["moov", "mdat"].contains(last.name), last.length > 8 else { return }
      let cut = try MP4Layout(path: scratch.file(Array(bytes.dropLast())))
      try holds(cut?.isWhole == false, "a file cut off is whole")
    }
  }

  /// The first or last bytes of a file in a container that says how long it is.
  static let container = Harness(
    "container", "the share of a file that is missing is a share",
    seeds: [
      Array("RIFF".utf8) + [36, 0, 0, 0] + Array("WAVEfmt ".utf8)
        + [UInt8](repeating: 0, count: 28),
      Array("riff".utf8) + [UInt8](repeating: 1, count: 60),
      Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4]
        + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 9],
      [0x30, 0x26, 0xb2, 0x75] + [UInt8](repeating: 0, count: 12) + [200, 0, 0, 0, 0, 0, 0, 0]
        + [UInt8](repeating: 0, count: 6) + [0xa1, 0xdc, 0xab, 0x8c]
        + [UInt8](repeating: 0, count: 36) + [90, 0, 0, 0, 0, 0, 0, 0],
      Array("OggS\0".utf8) + [UInt8](repeating: 2, count: 21) + [2, 3, 4] + [1, 2, 3, 4, 5],
    ], words: ["RIFF", "riff", "caff", "data", "OggS\0", "\u{7F}"], shortRounds: 1_500
  ) {
    let scratch = try Scratch()
    return { bytes in
      guard let share = try ContainerLength.missingShare(of: scratch.file(bytes)) else { return }
      try holds((0...1).contains(share), "a share of \(share)")
    }
  }

  /// A piece of FLAC; or, when it begins with `b` and where its numbers begin, frames that are put
  /// together with right checksums, which bytes by chance would never have.
  static let flac = Harness(
    "flac", "what is made of a piece stands alone, with the same sound, and is the same made again",
    seeds: [
      Array("b\0".utf8) + [5, 0xca, 0x18, 1, 2, 3, 4, 5, 3, 0x6a, 0x18, 9, 8, 7],
      Array("b".utf8) + [10, 1, 0x7a, 0x08, 0xff, 0], Array("b".utf8),
      Array("b".utf8) + [7, 2, 0xca, 0x18, 1, 2, 1, 0xca, 0x18, 9],
      Array("b".utf8) + [30, 2, 0xca, 0x18, 1, 2, 1, 0xca, 0x18, 9],
      FLAC.built([5, 0xca, 0x18, 1, 2, 3, 4, 5, 3, 0x6a, 0x18, 9, 8, 7], from: 127),
      Array("fLaC".utf8) + [0x80, 0, 0, 0], Array("fLaC".utf8) + [0x80, 0xff, 0xff, 0xff],
    ], words: ["fLaC", "\u{7F}"]
  ) {
    { bytes in
      let isBuilt = bytes.first == UInt8(ascii: "b")
      let plan = bytes.dropFirst(2)
      let start = (1 << ((bytes.dropFirst().first ?? 0) % 31)) - 1
      let piece = isBuilt ? FLAC.built(plan, from: start) : bytes
      let made: (file: [UInt8], frames: Int)
      do throws(FLACChunk.Malformed) {
        made = try FLACChunk.standalone(piece)
      } catch {
        try holds(
          isBuilt ? error.reason == "too many frames" : !error.reason.isEmpty,
          "refused: \(error.reason)")
        return
      }
      guard !made.file.isEmpty else { return }
      try holds(made.frames == FLAC.length(in: made.file), "the header says another length")
      try holds(
        !isBuilt || made.file.dropFirst(42) == FLAC.built(plan, from: 0).dropFirst(8),
        "its frames are others than went in, but for their numbers")
      let again = try FLACChunk.standalone(made.file)
      try holds(again.file == made.file && again.frames == made.frames, "made again, it differs")
    }
  }

  /// What ffprobe might print.
  static let ffprobe = Harness(
    "ffprobe", "whatever ffprobe says, the plan is a picture that can be made",
    texts: [
      #"{"streams":[{"index":0,"codec_type":"video","codec_name":"h264","codec_tag_string":"avc1","#
        + #""profile":"High","level":41,"pix_fmt":"yuv420p","width":1920,"height":1080,"#
        + #""sample_aspect_ratio":"1:1","r_frame_rate":"30/1","avg_frame_rate":"30000/1001","#
        + #""field_order":"progressive","start_time":"0.0","nb_frames":"90","#
        + #""disposition":{"attached_pic":0},"side_data_list":[{"rotation":-90}]},"#
        + #"{"index":1,"codec_type":"audio","codec_name":"aac","channels":2,"sample_rate":"48000","#
        + #""duration":"3.0","start_time":"0.021","disposition":{"default":1}}],"#
        + #""format":{"format_name":"mov,mp4","start_time":"0.0","duration":"3.003"}}"#,
      #"{"streams":[{"index":0,"codec_type":"video","width":1,"height":8192,"#
        + #""sample_aspect_ratio":"1:9223372036854775807","avg_frame_rate":"1/1","#
        + #""r_frame_rate":"0/0"}],"format":{"duration":"N/A"}}"#, "{}", #"{"streams":[]}"#,
      #"{"streams":[{"index":0,"codec_type":"video","width":4,"height":4,"avg_frame_rate":"60/1"}]}"#,
    ],
    words: [
      "9223372036854775807", "-9223372036854775808", "1e308", "120/1", "\"nan\"", "\"inf\"", "0/0",
      "1/9223372036854775807", "\"width\":", "\"rotation\":", "null", "\"codec_type\":\"video\"",
      "\"matroska\"", "\"hevc\"",
    ], shortRounds: 1_000
  ) {
    { bytes in
      if let probe = MediaProbe(json: bytes, messages: "") {
        try holds(probe.seconds.map { $0 > 0 && $0.isFinite } ?? true, "a length of no time")
      }
      guard let probe = VideoProbe(json: bytes) else { return }
      try holds(probe.startSeconds.isFinite, "no beginning")
      guard let picture = probe.picture else { return }
      for layout in [nil, MP4Layout()] {
        guard case .convert(let made) = VideoPlan(probe, picture, layout: layout) else { continue }
        try holds(
          made.width.isMultiple(of: 2) && made.height.isMultiple(of: 2) && made.width >= 16
            && made.height >= 16, "\(made.width)×\(made.height)")
        try holds(
          max(made.width, made.height) <= VideoPlan.largestSides.long
            && min(made.width, made.height) <= VideoPlan.largestSides.short,
          "\(made.width)×\(made.height)")
        try holds((9.9...60.1).contains(made.rate.value), "\(made.rate.text) pictures a second")
      }
    }
  }
}

/// A folder with one file, written anew for each input.
final class Scratch {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }

  /// Writes the file, and returns its path.
  func file(_ bytes: [UInt8]) throws -> String {
    let path = folder.path + "/input"
    try Files.remove(path)
    try Files.writeNew(path, bytes)
    return path
  }
}

/// Writes boxes of MP4 files.
private enum Box {
  static let names = [
    "ftyp", "moov", "mdat", "moof", "wide", "free", "skip", "mvhd", "trak", "mdia", "hdlr", "minf",
    "stbl", "stts", "ctts", "edts", "elst", "mdhd", "udta", "meta", "ilst", "mvex",
  ]

  /// The boxes of a file that they fill exactly, each with its length in four bytes; nil for others.
  static func walk(_ bytes: [UInt8]) -> [(name: String, length: Int)]? {
    var boxes: [(name: String, length: Int)] = []
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= 8 else { return nil }
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length >= 8, length <= bytes.count - position else { return nil }
      let name = bytes[position + 4..<position + 8]
      boxes.append((String(decoding: name, as: UTF8.self), length))
      position += length
    }
    return boxes
  }

  static func make(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(name.utf8) + content
  }

  /// A file of these boxes; the index says that there are pictures and sound.
  static func file(_ boxes: String...) -> [UInt8] {
    boxes.flatMap { make($0, $0 == "moov" ? index : $0 == "mdat" ? [1, 2, 3] : []) }
  }

  private static let index: [UInt8] =
    make("mvhd", header(scale: 1_000, length: 3_000)) + track("vide") + track("soun")
    + make("udta", make("meta", number(0) + make("ilst", make("free", []))))

  private static func track(_ kind: String) -> [UInt8] {
    let times = number(0) + number(2) + number(89) + number(3_000) + number(1) + number(3_100)
    let samples =
      make("stts", times) + make("ctts", number(0) + number(1) + number(90) + number(0))
    let media =
      make("mdhd", header(scale: 90_000, length: 270_000))
      + make("hdlr", number(0) + number(0) + Array(kind.utf8) + number(0))
      + make("minf", make("stbl", samples))
    let edit = number(0) + number(1) + number(3_000) + number(0) + number(1 << 16)
    return make(
      "trak", make("tkhd", number(0)) + make("edts", make("elst", edit)) + make("mdia", media))
  }

  private static func header(scale: Int, length: Int) -> [UInt8] {
    number(0) + number(0) + number(0) + number(scale) + number(length) + number(0)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// Writes FLAC pieces with right checksums.
private enum FLAC {
  /// Makes a piece whose frames are numbered from `start` on: each is a count, two bytes of its
  /// header, what else the header needs, and as many bytes as the count says.
  static func built(_ plan: some Sequence<UInt8>, from start: Int) -> [UInt8] {
    var piece = Array("fLaC".utf8) + [0x80, 0, 0, 0]
    var rest = Array(plan)[...]
    var number = start
    while rest.count >= 3 {
      let count = Int(rest.removeFirst())
      // No block has the size 0: what follows a frame would be its own, with a right checksum.
      let size = max(0x10, rest.removeFirst() & 0xf0)
      var frame: [UInt8] = [0xff, 0xf8, size | 0x0a, rest.removeFirst()]
      frame += coded(number)
      let extra = frame[2] >> 4 == 6 ? 1 : frame[2] >> 4 == 7 ? 2 : 0
      guard rest.count >= extra else { break }
      frame += rest.prefix(extra)
      rest = rest.dropFirst(extra)
      frame.append(CRC8.of(frame))
      frame += rest.prefix(count)
      rest = rest.dropFirst(count)
      let checksum = frame.withUnsafeBytes { CRC16.of($0) }
      piece += frame + [UInt8(checksum >> 8), UInt8(checksum & 0xff)]
      number += 1
    }
    return piece
  }

  /// A frame's number as in UTF-8, which goes on to 31 bits here (RFC 9639, 9.1.5).
  private static func coded(_ number: Int) -> [UInt8] {
    if number < 0x80 { return [UInt8(number)] }
    let more = (1...5).first { number < 1 << ($0 * 5 + 6) } ?? 5
    let mark = UInt8(truncatingIfNeeded: 0xff00 >> (more + 1))
    return [mark | UInt8(number >> (more * 6))]
      + (0..<more).reversed().map { 0x80 | UInt8(number >> ($0 * 6) & 0x3f) }
  }

  /// How many frames of sound a file's header says.
  static func length(in file: [UInt8]) -> Int {
    file[21..<26].reduce(0) { $0 << 8 | Int($1) } & (1 << 36 - 1)
  }
}
