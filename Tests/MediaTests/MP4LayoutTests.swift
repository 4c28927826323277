// Parsing of the boxes of MP4 and MOV files, intact and damaged.

import Storage
import TestSupport
import Testing

@testable import Media

struct MP4LayoutTests {
  private func layout(_ name: String) throws -> MP4Layout {
    try #require(try MP4Layout(path: VideoFixtures.path(name)))
  }

  @Test func `a file made for players has its index in front and hides nothing`() throws {
    #expect(
      try layout("plays-everywhere.mp4")
        == MP4Layout(
          hasIndexInFront: true, isWhole: true, holdsOnlyMedia: true, showsAllPictures: true,
          playsAllSound: true, isEven: true))
  }

  @Test(arguments: ["index-at-the-end.mp4", "fragmented.mp4", "index-missing.mp4"])
  func `an index at the end, in pieces or missing is not in front`(name: String) throws {
    #expect(try !layout(name).hasIndexInFront)
  }

  @Test(arguments: ["end-missing.mp4", "index-missing.mp4"])
  func `a file cut in half is not whole`(name: String) throws {
    #expect(try !layout(name).isWhole)
  }

  @Test(arguments: ["place-in-udta.mov", "place-in-keys.mov"])
  func `metadata about location and owner is found`(name: String) throws {
    #expect(try !layout(name).holdsOnlyMedia)
  }

  @Test func `metadata is found anywhere in the index and in unused space`() throws {
    let workshop = try Workshop()
    let file = MP4Boxes(try VideoFixtures.bytes("plays-everywhere.mp4"))
    func holdsOnlyMedia(_ bytes: [UInt8]) throws -> Bool {
      let path = try workshop.file(bytes)
      defer { try? Files.remove(path) }
      return try #require(try MP4Layout(path: path)).holdsOnlyMedia
    }
    let note = MP4Boxes.box("©xyz", Array("+52.5200+013.4050/".utf8))
    for place in file.places where place.offset > 0 {
      let parents = place.parents.map(\.name).joined(separator: "/")
      #expect(
        try !holdsOnlyMedia(file.inserting(note, at: place)), "\(parents) at \(place.offset)")
      #expect(
        try !holdsOnlyMedia(file.inserting(MP4Boxes.box("free", note), at: place)),
        "unused in \(parents) at \(place.offset)")
      let room = MP4Boxes.box("free", [UInt8](repeating: 0, count: 20))
      #expect(
        try holdsOnlyMedia(file.inserting(room, at: place)),
        "empty room in \(parents) at \(place.offset)")
      // A box of length zero ends its list for some programs; others read on.
      guard !place.parents.isEmpty else { continue }
      #expect(
        try !holdsOnlyMedia(file.inserting([0, 0, 0, 0] + note, at: place)),
        "behind the end of \(parents) at \(place.offset)")
    }
    let index = MP4Boxes.box("moov", MP4Boxes.box("udta", note))
    for place in file.places where place.offset > 0 && place.parent == "" {
      #expect(try !holdsOnlyMedia(file.inserting(index, at: place)), "another index")
    }
    #expect(Set(file.places.map(\.parent)).isSuperset(of: ["", "moov", "trak", "mdia", "stbl"]))
  }

  @Test func `hidden, late and uneven pictures and late sound are found`() throws {
    #expect(try !layout("trimmed.mp4").showsAllPictures)
    #expect(try !layout("late-picture.mp4").showsAllPictures)
    #expect(try !layout("uneven.mp4").isEven)
    let late = try layout("late-sound.mp4")
    #expect(late.showsAllPictures && !late.playsAllSound)
  }

  @Test(arguments: [(10_000, true), (10_001, false)])
  func `an index with too many picture lengths is not read`(
    count: Int, isEven: Bool
  ) throws {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    // A million pictures of one duration, and one with each other duration.
    var times = number(0) + number(count) + number(1_000_000) + number(1)
    for length in 1..<count { times += number(1) + number(length * 1_000) }
    let samples = MP4Boxes.box("stbl", MP4Boxes.box("stts", times))
    let handler = MP4Boxes.box("hdlr", number(0) + number(0) + Array("vide".utf8))
    let header = MP4Boxes.box("mdhd", [UInt8](repeating: 0, count: 24))
    let media = MP4Boxes.box("mdia", header + handler + MP4Boxes.box("minf", samples))
    let index = MP4Boxes.box("moov", MP4Boxes.box("trak", media))
    let workshop = try Workshop()
    let path = try workshop.file(
      MP4Boxes.box("ftyp", []) + index + MP4Boxes.box("mdat", [1]))
    #expect(try MP4Layout(path: path)?.isEven == isEven)
  }

  @Test func `a file that is no MP4 has no layout`() throws {
    for name in ["vp9.webm", "mpeg4.avi", "letter.mp4", "noise.mp4", "zero-bytes.mp4"] {
      #expect(try MP4Layout(path: VideoFixtures.path(name)) == nil, "\(name)")
    }
  }

  @Test func `changed or missing bytes never crash the reader`() throws {
    let workshop = try Workshop()
    let good = try VideoFixtures.bytes("plays-everywhere.mp4")
    var generator = SeededGenerator(seed: 6)
    for round in 0..<400 {
      // Most of the parsed data is in the first 3 kB.
      var bytes = Array(
        good.prefix(round.isMultiple(of: 4) ? .random(in: 0...3_000, using: &generator) : 5_000))
      for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
        bytes[.random(in: 0..<min(bytes.count, 2_600), using: &generator)] =
          [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
      }
      let path = try workshop.file(bytes)
      _ = try MP4Layout(path: path)
      try Files.remove(path)
    }
  }
}
