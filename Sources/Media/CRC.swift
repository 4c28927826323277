// The two checksums of FLAC, with a way to update them after a header change without reading the
// body again.

/// CRC-8 with polynomial x⁸ + x² + x + 1, over the header of a FLAC frame (RFC 9639, 9.1.8).
enum CRC8 {
  private static let table: [UInt8] = (0..<256).map { byte in
    (0..<8).reduce(UInt8(byte)) { crc, _ in crc << 1 ^ (crc & 0x80 != 0 ? 0x07 : 0) }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt8 {
    bytes.reduce(0) { table[Int($0 ^ $1)] }
  }
}

/// CRC-16 with polynomial x¹⁶ + x¹⁵ + x² + 1, over a whole FLAC frame (RFC 9639, 9.3).
enum CRC16 {
  /// `tables[k][b]` is the checksum of byte b followed by k zero bytes.
  private static let tables: [UInt16] = {
    var tables = [UInt16](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      tables[byte] = (0..<8).reduce(UInt16(byte) << 8) { crc, _ in
        crc << 1 ^ (crc & 0x8000 != 0 ? 0x8005 : 0)
      }
    }
    for index in 256..<8 * 256 {
      let previous = tables[index - 256]
      tables[index] = previous << 8 ^ tables[Int(previous >> 8)]
    }
    return tables
  }()

  /// Returns the checksum of the bytes, eight at a time (after Kounavis and Berry, 2005).
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
    tables.withUnsafeBufferPointer { table in
      var crc: UInt16 = 0
      var index = 0
      while index + 8 <= bytes.count {
        let word =
          UInt64(
            bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          ) ^ UInt64(crc) << 48
        crc = 0
        for position in 0..<8 {
          let byte = Int(truncatingIfNeeded: word >> UInt64(position * 8)) & 0xff
          crc ^= table[position * 256 + byte]
        }
        index += 8
      }
      while index < bytes.count {
        crc = crc << 8 ^ table[Int(crc >> 8) ^ Int(bytes[index])]
        index += 1
      }
      return crc
    }
  }

  /// Returns the checksum after `count` more zero bytes. A CRC is linear, so crc(header + body) =
  /// extended(crc(header), by: body.count) ^ crc(body).
  static func extended(_ crc: UInt16, by count: Int) -> UInt16 {
    var result = crc
    var power: UInt16 = 0x100  // x⁸: one byte
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, power) }
      power = product(power, power)
      rest >>= 1
    }
    return result
  }

  /// Multiplies two polynomials over GF(2), modulo the generator.
  private static func product(_ left: UInt16, _ right: UInt16) -> UInt16 {
    var result: UInt16 = 0
    for bit in (0..<16).reversed() {
      result = result << 1 ^ (result & 0x8000 != 0 ? 0x8005 : 0)
      if right >> UInt16(bit) & 1 == 1 { result ^= left }
    }
    return result
  }
}
