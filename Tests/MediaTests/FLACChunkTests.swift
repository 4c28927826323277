// Pieces from the segment muxer are converted to standalone files.

import Storage
import Testing

@testable import Media

@Suite(.serialized)
struct FLACChunkTests {
  /// Cuts the two-chunk fixture like the importer and returns the second piece.
  private func secondPiece(_ workshop: Workshop) throws -> [UInt8] {
    let folder = workshop.folder.temporaryPath("cut")
    try Files.makeFolder(folder)
    _ = try ffmpeg(
      "-v", "error", "-i", Fixtures.path("impulses.flac"), "-c:a", "flac", "-frame_size", "4800",
      "-f", "segment", "-segment_time", "10", folder + "/%05d.flac")
    return try Files.read(folder + "/00001.flac")
  }

  @Test func `the header has the number of frames and every frame is renumbered`() throws {
    let workshop = try Workshop()
    let piece = try secondPiece(workshop)
    let chunk = try FLACChunk.standalone(piece)
    #expect(chunk.frames == 480_000)
    #expect(Array(chunk.file.prefix(8)) == Array("fLaC".utf8) + [0x80, 0, 0, 34])
    // Rate, channels, bits and the number of frames share eight bytes from offset 18.
    let packed = chunk.file[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(packed >> 44 == 48_000)
    #expect(packed & 0xf_ffff_ffff == 480_000)
    // A second conversion finds a hundred frames with valid checksums, numbered from 0.
    #expect(try FLACChunk.standalone(chunk.file).file == chunk.file)
    #expect(chunk.file[42 + 4] == 0)
  }

  @Test func `another decoder accepts the chunk and gives the same samples`() throws {
    let workshop = try Workshop()
    let piece = try secondPiece(workshop)
    let cut = try workshop.file(piece)
    let whole = try workshop.file(try FLACChunk.standalone(piece).file)
    let decoded = try ffmpeg(
      "-v", "error", "-err_detect", "crccheck+bitstream+explode", "-i", whole, "-f", "s16le", "-")
    #expect(decoded.messages.isEmpty)
    #expect(try samples(decoded.output) == witness(cut))
    #expect(decoded.output.count == 480_000 * 4)
  }

  @Test func `a piece with one wrong byte is noticed`() throws {
    let workshop = try Workshop()
    let piece = try secondPiece(workshop)
    // The first bytes after the marker are metadata that is discarded, so damage begins after it.
    for position in stride(from: piece.count - 1, to: 9_000, by: -piece.count / 7) {
      var damaged = piece
      damaged[position] ^= 0x10
      #expect(throws: FLACChunk.Malformed.self, "byte \(position)") {
        try FLACChunk.standalone(damaged)
      }
    }
    #expect(throws: FLACChunk.Malformed.self) {
      try FLACChunk.standalone(Array(piece.dropLast(100)))
    }
    #expect(throws: FLACChunk.Malformed.self) { try FLACChunk.standalone(Array("OggS".utf8)) }
    #expect(throws: FLACChunk.Malformed.self) { try FLACChunk.standalone([]) }
  }

  @Test func `the checksums are those of the catalogue of CRCs`() {
    // CRC-8/SMBUS and CRC-16/UMTS of "123456789".
    let digits = Array("123456789".utf8)
    #expect(CRC8.of(digits) == 0xf4)
    #expect(digits.withUnsafeBytes { CRC16.of($0) } == 0xfee8)
  }

  @Test(arguments: [0, 1, 2, 7, 8, 9, 1_000])
  func `a checksum can be continued`(count: Int) {
    let header: [UInt8] = [0xff, 0xf8, 0x7a, 0x18, 0x63]
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let whole = (header + body).withUnsafeBytes { CRC16.of($0) }
    let first = header.withUnsafeBytes { CRC16.of($0) }
    let second = body.withUnsafeBytes { CRC16.of($0) }
    #expect(CRC16.extended(first, by: count) ^ second == whole)
  }
}
