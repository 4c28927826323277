// The parsers of files: containers, waveforms, FLAC pieces, what ffprobe says.

import Analysis
import TestSupport

@testable import Media
@testable import Storage

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

  /// An MP4 or MOV file; or, when it begins with `b`, one that holds only media, into which a box is
  /// put: where, its name in four bytes, its content.
  static let mp4 = Harness(
    "mp4", "no box leads out of its file, one cut off is not whole, and no note stays unnoticed",
    seeds: [
      Array("b\u{3}udta".utf8), Array("b\u{9}free".utf8) + [0, 0], Array("b\u{0}skip".utf8) + [1],
      Array("b\u{16}xyz ".utf8), Array("b\u{1}stsd".utf8), Array("b\u{2}moov".utf8),
      Box.file("ftyp", "moov", "mdat"), Box.file("ftyp", "mdat", "moov"), Box.file("moov", "mdat"),
      Box.file("wide", "mdat"), Box.file("ftyp", "moov", "moof", "mdat"), MP4Boxes.box("ftyp", []),
    ],
    words: Box.names + ["\0\0\0\0", "\0\0\0\u{1}", "\0\0\0\u{8}", "\u{7F}", "vide", "soun"],
    shortRounds: 1_500
  ) {
    let scratch = try Scratch()
    let plain = MP4Boxes(Box.file("ftyp", "free", "moov", "mdat"))
    // Into the first place goes nothing, which shows that it holds only media itself.
    try holds(try noticesNote(plain, at: 0, [], scratch) == false, "the plain file is not plain")
    return { bytes in
      if bytes.count >= 6, bytes[0] == UInt8(ascii: "b") {
        let place = Int(bytes[1]) % plain.places.count
        let name = String(String.UnicodeScalarView(bytes[2..<6].map(Unicode.Scalar.init)))
        let content = Array(bytes.dropFirst(6))
        let parent = plain.places[place].parent
        // In front of all, other boxes make it no MP4.
        guard let notices = try noticesNote(plain, at: place, MP4Boxes.box(name, content), scratch)
        else { return }
        if name == "free" || parent.isEmpty && ["skip", "wide"].contains(name) {
          let isUsed = content.contains { $0 != 0 }
          try holds(notices == isUsed, "\(content.count) bytes of room in \(parent)")
        } else if !Box.areForPlayers.contains(name) {
          try holds(notices, "a note called \(name.debugDescription) in \(parent)")
        }
        return
      }
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

  /// Whether something is noticed in a file with these bytes at a place; nil when that is no MP4.
  private static func noticesNote(
    _ file: MP4Boxes, at place: Int, _ bytes: [UInt8], _ scratch: Scratch
  ) throws -> Bool? {
    let changed = file.inserting(bytes, at: file.places[place])
    return try MP4Layout(path: scratch.file(changed)).map { !$0.holdsOnlyMedia }
  }

  /// A file in a container that says how long it is; or, when it begins with `b`, one that is put
  /// together and cut off: the kind of container, how much is cut off, what its pieces hold.
  static let container = Harness(
    "container", "of a file that says its length, exactly the share that is not there is missing",
    seeds: [
      Array("b\0\u{1}".utf8) + [7, 20, 3], Array("b\u{1}\0".utf8) + [1, 2, 3, 4],
      Array("b\u{2}\u{9}".utf8) + [200, 9, 5, 40], Array("b\u{3}\u{2}".utf8) + [24, 90, 30, 60],
      Array("b\u{4}\u{7}".utf8) + [5, 1, 200, 0, 3], Array("b\u{4}\0".utf8) + [1, 1],
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
      if bytes.count >= 3, bytes[0] == UInt8(ascii: "b") {
        let kind = Contained.Kind(rawValue: bytes[1] % 5) ?? .riff
        let made = Contained(kind, of: bytes.dropFirst(3))
        let rest = made.file.count - min(made.file.count, Int(bytes[2]) * Int(bytes[2]) / 16)
        guard rest >= made.leastBytes else { return }
        let share = try ContainerLength.missingShare(of: scratch.file(Array(made.file[..<rest])))
        try holds(
          share == made.missingShare(of: rest),
          "\(share as Any) of \(made.file.count) bytes in \(kind) are missing, not \(rest)")
        return
      }
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
  /// Boxes of ISO/IEC 14496-12 and 14496-14 without which some file could not be played.
  static let areForPlayers: Set<String> = [
    "ftyp", "mdat", "mvhd", "iods", "trak", "mvex", "tkhd", "edts", "elst", "mdia", "tref", "mdhd",
    "hdlr", "minf", "elng", "vmhd", "smhd", "dinf", "dref", "stbl", "stsd", "stts", "ctts", "cslg",
    "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "stco", "co64", "sgpd", "sbgp", "subs", "udta",
    "meta", "ilst", "©too",
  ]
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

  /// A file of these boxes; the index says that there are pictures and sound.
  static func file(_ boxes: String...) -> [UInt8] {
    boxes.flatMap { MP4Boxes.box($0, $0 == "moov" ? index : $0 == "mdat" ? [1, 2, 3] : []) }
  }

  private static let index: [UInt8] =
    MP4Boxes.box("mvhd", header(scale: 1_000, length: 3_000)) + track("vide") + track("soun")
    + MP4Boxes.box(
      "udta", MP4Boxes.box("meta", number(0) + MP4Boxes.box("ilst", MP4Boxes.box("©too", [1]))))

  private static func track(_ kind: String) -> [UInt8] {
    let times = number(0) + number(2) + number(89) + number(3_000) + number(1) + number(3_100)
    let samples =
      MP4Boxes.box("stts", times)
      + MP4Boxes.box("ctts", number(0) + number(1) + number(90) + number(0))
    let media =
      MP4Boxes.box("mdhd", header(scale: 90_000, length: 270_000))
      + MP4Boxes.box("hdlr", number(0) + number(0) + Array(kind.utf8) + number(0))
      + MP4Boxes.box("minf", MP4Boxes.box("stbl", samples))
    let edit = number(0) + number(1) + number(3_000) + number(0) + number(1 << 16)
    return MP4Boxes.box(
      "trak",
      MP4Boxes.box("tkhd", number(0)) + MP4Boxes.box("edts", MP4Boxes.box("elst", edit))
        + MP4Boxes.box("mdia", media))
  }

  private static func header(scale: Int, length: Int) -> [UInt8] {
    number(0) + number(0) + number(0) + number(scale) + number(length) + number(0)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// A file in a container that says how long it is.
private struct Contained {
  enum Kind: UInt8 { case riff, wave64, caf, asf, ogg }

  var file: [UInt8] = []
  /// The bytes of a file cut off that still says its length.
  var leastBytes = 0
  /// Where the pages of an Ogg file begin, and what their headers take.
  private var pages: [(start: Int, header: Int)] = []
  private let kind: Kind

  /// Puts a file together whose pieces are as long as the plan says.
  init(_ kind: Kind, of plan: some Sequence<UInt8>) {
    self.kind = kind
    let pieces = plan.prefix(200).map(Int.init)
    switch kind {
    case .riff:
      // No length at all is what programs write that do not know it yet.
      let content = Array("WAVE".utf8) + Self.filling(pieces.reduce(0, +))
      file = Array("RIFF".utf8) + Self.little(content.count, 4) + content
      leastBytes = 8
    case .wave64:
      let content = Self.filling(16 + pieces.reduce(0, +))
      file = Array("riff".utf8) + [UInt8](repeating: 9, count: 12)
      file += Self.little(24 + content.count, 8) + content
      leastBytes = 24
    case .caf:
      file = Array("caff".utf8) + [0, 1, 0, 0]
      for piece in pieces.dropLast() {
        file += Array("info".utf8) + Self.little(piece, 8).reversed() + Self.filling(piece)
      }
      let last = pieces.last ?? 0
      file += Array("data".utf8) + Self.little(last, 8).reversed()
      leastBytes = file.count
      file += Self.filling(last)
    case .asf:
      var objects: [UInt8] = []
      for piece in pieces.dropLast() {
        objects += [UInt8](repeating: 7, count: 16) + Self.little(24 + piece, 8)
        objects += Self.filling(piece)
      }
      let properties = objects.count
      objects += [0xa1, 0xdc, 0xab, 0x8c] + [UInt8](repeating: 7, count: 12) + Self.little(104, 8)
      objects += [UInt8](repeating: 7, count: 80)
      let length = 30 + objects.count + (pieces.last ?? 0)
      objects.replaceSubrange(properties + 40..<properties + 48, with: Self.little(length, 8))
      file = [0x30, 0x26, 0xb2, 0x75] + [UInt8](repeating: 7, count: 12)
      file += Self.little(30 + objects.count, 8) + [UInt8](repeating: 7, count: 6) + objects
      file += Self.filling(pieces.last ?? 0)
      leastBytes = 30 + properties + 48
    case .ogg:
      for piece in pieces {
        pages.append((file.count, 28 + piece / 16))
        let segments = [UInt8](repeating: 3, count: 1 + piece / 16)
        file += Array("OggS\0".utf8) + [UInt8](repeating: 7, count: 21) + [UInt8(segments.count)]
        file += segments + Self.filling(3 * segments.count)
      }
      leastBytes = 27
    }
  }

  /// The share that a file says is missing when only its first bytes are there, `rest` of them.
  func missingShare(of rest: Int) -> Double? {
    guard kind == .ogg else { return Double(file.count - rest) / Double(file.count) }
    // A page that ends too early tells that; of one whose own header is cut nothing is known.
    guard let last = pages.last(where: { $0.start + 27 <= rest }) else { return nil }
    let end = pages.first { $0.start > last.start }?.start ?? file.count
    return rest < end ? 1 : 0
  }

  /// Bytes that are no mark.
  private static func filling(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x55, count: count) }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
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
