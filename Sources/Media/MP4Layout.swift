// The layout of an MP4 or MOV file, as far as ffprobe does not report it: where its index is, which
// parts are hidden by edits, how regular its pictures are, and what else the file contains. The
// boxes are defined in ISO/IEC 14496-12 and in Apple's QuickTime File Format.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// Properties of an MP4 or MOV file, read from its boxes. The file is untrusted: every number is
/// checked.
struct MP4Layout: Equatable {
  /// Whether the index precedes the pictures, in one piece.
  var hasIndexInFront = false
  /// Whether index and pictures end inside the file.
  var isWhole = true
  /// Whether it holds one picture track, at most one sound track, and no metadata about place,
  /// device or owner.
  var holdsOnlyMedia = true
  /// Whether all pictures are shown, from the first to the last, beginning at time 0.
  var showsAllPictures = true
  /// The same for the sound.
  var playsAllSound = true
  /// Whether nearly all pictures have the same duration.
  var isEven = true
}

extension MP4Layout {
  /// The largest index that is read; the index of a four-hour video is a tenth of this.
  private static let largestIndex = 128 << 20
  /// The largest unused box that is inspected.
  private static let largestRoom = 1 << 20

  /// The maximum number of boxes that are inspected; no camera writes more.
  private static let mostBoxes = 100_000

  /// Reads the layout; nil if the file is neither MP4 nor MOV.
  init?(path: String) throws {
    self.init()
    let file = try OpenFile(path, O_RDONLY)
    let size = try file.size()
    guard size >= 8 else { return nil }
    var offset = 0
    var index: [UInt8]?
    var hasMedia = false
    for number in 0..<Self.mostBoxes {
      guard size - offset >= 8 else { break }
      let header = try file.read(at: offset, count: min(16, size - offset))
      let type = MP4Box.name(header[4..<8])
      if number == 0 && !Self.firstBoxes.contains(type) { return nil }
      guard let length = Self.length(header, rest: size - offset) else {
        holdsOnlyMedia = false
        break
      }
      if length > size - offset && ["moov", "mdat", "moof"].contains(type) { isWhole = false }
      let inside = min(length, size - offset) - 8
      switch type {
      case "moov":
        hasIndexInFront = !hasMedia
        // A player may use either of two indexes.
        if index != nil { holdsOnlyMedia = false }
        if length <= min(Self.largestIndex, size - offset) {
          index = try file.read(at: offset, count: length)
        }
      case "mdat": hasMedia = true
      case "ftyp": break
      case "free", "wide", "skip":
        // Programs that remove metadata without rewriting the file leave such free space.
        let isEmpty =
          try inside <= Self.largestRoom && isZero(file.read(at: offset + 8, count: inside))
        if !isEmpty { holdsOnlyMedia = false }
      default: holdsOnlyMedia = false
      }
      guard length < size - offset else { break }
      offset += length
      if number == Self.mostBoxes - 1 { holdsOnlyMedia = false }
    }
    guard let index, hasMedia else {
      hasIndexInFront = false
      return
    }
    // The header of the index is 8 bytes long, or 16 with a 64-bit length.
    let start = index.count >= 4 && index[0..<4].elementsEqual([0, 0, 0, 1]) ? 16 : 8
    read(MP4Box(type: "moov", bytes: index[min(start, index.count)...]))
  }

  private mutating func read(_ index: MP4Box) {
    var pictures = 0
    var sounds = 0
    let movieScale = index.child("mvhd")?.timescale ?? 0
    if !Self.saysOnlyHowToPlay(index) { holdsOnlyMedia = false }
    for box in index.children {
      switch box.type {
      case "trak":
        let kind = box.child("mdia")?.child("hdlr")?.text(at: 8)
        if kind == "vide" { pictures += 1 } else if kind == "soun" { sounds += 1 }
        if kind != "vide" && kind != "soun" { holdsOnlyMedia = false }
        readTrack(box, isPicture: kind == "vide", movieScale: movieScale)
      case "mvex":
        // The pictures are fragmented; each fragment has its own index.
        hasIndexInFront = false
      default: break
      }
    }
    if pictures != 1 || sounds > 1 { holdsOnlyMedia = false }
  }

  private mutating func readTrack(_ track: MP4Box, isPicture: Bool, movieScale: Int) {
    guard let media = track.child("mdia"), let mediaHeader = media.child("mdhd"),
      let samples = media.child("minf")?.child("stbl")
    else {
      if isPicture { showsAllPictures = false } else { playsAllSound = false }
      return
    }
    if let edits = track.child("edts")?.child("elst") {
      let firstOffset = samples.child("ctts")?.signed32(at: 12) ?? 0
      if !Self.showsAll(
        edits, of: mediaHeader, movieScale: movieScale, isPicture: isPicture,
        firstOffset: firstOffset)
      {
        if isPicture { showsAllPictures = false } else { playsAllSound = false }
      }
    }
    if isPicture, let times = samples.child("stts"), !Self.areEven(times) { isEven = false }
  }

  /// Whether there is one edit that begins with the first picture (for sound, after an encoder
  /// lead-in of at most 60 ms) and ends within a quarter of a second of the end.
  private static func showsAll(
    _ edits: MP4Box, of media: MP4Box, movieScale: Int, isPicture: Bool, firstOffset: Int
  ) -> Bool {
    let isLong = edits.byte(at: 0) == 1
    guard edits.number32(at: 4) == 1, let scale = media.timescale, scale > 0, movieScale > 0,
      let shown = isLong ? edits.number64(at: 8) : edits.number32(at: 8),
      let start = isLong ? edits.number64(at: 16) : edits.signed32(at: 12),
      let whole = media.duration
    else { return false }
    guard start >= 0, start <= (isPicture ? max(0, firstOffset) : scale * 6 / 100) else {
      return false
    }
    let hidden = Double(whole) / Double(scale) - Double(shown) / Double(movieScale)
    return hidden <= 0.25
  }

  /// Whether at most one picture in twenty is a quarter longer or shorter than most.
  private static func areEven(_ times: MP4Box) -> Bool {
    let entries = min(times.number32(at: 4) ?? 0, (times.bytes.count - 8) / 8)
    guard entries > 0 else { return true }
    var counts: [Int: Int] = [:]
    for entry in 0..<entries {
      guard let count = times.number32(at: 8 + entry * 8),
        let length = times.number32(at: 12 + entry * 8)
      else { return false }
      counts[length, default: 0] += count
      // Cameras write hundreds of entries at most; a hostile index could have millions.
      guard counts.count <= 10_000 else { return false }
    }
    guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else {
      return true
    }
    let all = counts.values.reduce(0, +)
    let odd = counts.filter { abs($0.key - usual) * 4 > usual }.values.reduce(0, +)
    // The duration of the last picture does not matter.
    return (odd - 1) * 20 <= all
  }

  /// For each box of the index, the boxes that describe playback only, without author, place or
  /// device.
  private static let playingBoxes: [String: Set<String>] = [
    "moov": ["mvhd", "iods", "trak", "mvex", "udta"],
    "trak": ["tkhd", "edts", "mdia", "tref"],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf", "elng"],
    "minf": ["vmhd", "smhd", "hdlr", "dinf", "stbl"],
    "dinf": ["dref"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "stco",
      "co64", "sgpd", "sbgp", "subs",
    ],
    "udta": ["meta"],
    "meta": ["hdlr", "ilst"],
    // The program that wrote the file.
    "ilst": ["©too"],
  ]

  /// Whether no part of this box could hold metadata about place, device or owner.
  private static func saysOnlyHowToPlay(_ box: MP4Box) -> Bool {
    guard let known = playingBoxes[box.type] else { return true }
    var content = box
    if box.type == "meta" {
      guard box.bytes.count >= 4 else { return false }
      content = MP4Box(type: "meta", bytes: box.bytes.dropFirst(4))
    }
    let children = content.children
    return children.reduce(0) { $0 + 8 + $1.bytes.count } == content.bytes.count
      && children.allSatisfy { child in
        if child.type == "free" { return isZero(child.bytes) }
        return known.contains(child.type) && saysOnlyHowToPlay(child)
      }
  }

  private static let firstBoxes = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]

  /// The length of the box with this header; nil if it is invalid.
  private static func length(_ header: [UInt8], rest: Int) -> Int? {
    let box = MP4Box(type: "", bytes: header[...])
    switch box.number32(at: 0) {
    case 0: return rest
    case 1:
      guard let length = box.number64(at: 8), length >= 16 else { return nil }
      return length
    case let length?: return length >= 8 ? length : nil
    case nil: return nil
    }
  }

}

private func isZero(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { $0 == 0 } }

/// A box in memory: its type and its content.
struct MP4Box {
  /// The four bytes of its name, as text.
  let type: String
  /// The content after the header.
  let bytes: ArraySlice<UInt8>

  /// The boxes in it; the first invalid box ends the list.
  var children: [MP4Box] {
    var boxes: [MP4Box] = []
    var offset = 0
    while boxes.count < 10_000, let length = number32(at: offset), length >= 8,
      offset + length <= bytes.count
    {
      let start = bytes.startIndex + offset
      boxes.append(
        MP4Box(
          type: Self.name(bytes[(start + 4)..<(start + 8)]),
          bytes: bytes[(start + 8)..<(start + length)]))
      offset += length
    }
    return boxes
  }

  /// The name of a box as text. Each byte is a character, as some names begin with ©.
  static func name(_ bytes: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
  }

  /// The first child box of this type.
  func child(_ type: String) -> MP4Box? { children.first { $0.type == type } }

  /// Ticks per second, from a media or movie header.
  var timescale: Int? { byte(at: 0) == 1 ? number32(at: 20) : number32(at: 12) }

  /// The length in ticks, from a media or movie header.
  var duration: Int? { byte(at: 0) == 1 ? number64(at: 24) : number32(at: 16) }

  func byte(at offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
  }

  func text(at offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return Self.name(bytes.dropFirst(offset).prefix(4))
  }

  func number32(at offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  func signed32(at offset: Int) -> Int? {
    number32(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  /// The 64-bit number, if it is not negative.
  func number64(at offset: Int) -> Int? {
    guard let high = number32(at: offset), let low = number32(at: offset + 4), high < 1 << 31 else {
      return nil
    }
    return high << 32 | low
  }
}
