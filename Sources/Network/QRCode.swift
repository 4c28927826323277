// QR codes of pairing links.

import CQREncode

/// A QR code, drawn for a page or for a terminal.
public struct QRCode: Sendable {
  /// How many modules a side has, without the border.
  public let size: Int
  /// Row by row; true is dark.
  private let modules: [Bool]
  /// The quiet border around a code, in modules (ISO/IEC 18004, 9.1).
  private static let border = 4

  /// Makes the code of a text; nil when it is too long for one.
  public init?(_ text: String) {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    size = width
    // The lowest bit of a byte is the module's colour.
    modules = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
  }

  /// Draws the code as an SVG image, dark on white whatever the page's colours are.
  public var svg: String {
    let side = size + 2 * QRCode.border
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard isDark(row, column) else {
          column += 1
          continue
        }
        let start = column
        while isDark(row, column) { column += 1 }
        path += "M\(start + QRCode.border) \(row + QRCode.border)h\(column - start)v1H"
        path += "\(start + QRCode.border)z"
      }
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\" "
      + "shape-rendering=\"crispEdges\"><rect width=\"\(side)\" height=\"\(side)\" fill=\"#fff\"/>"
      + "<path fill=\"#000\" d=\"\(path)\"/></svg>"
  }

  /// Draws the code in half blocks, two rows a line, with colours of its own, so that it can be read
  /// on a light terminal as on a dark one.
  public var terminal: String {
    var lines: [String] = []
    for row in stride(from: -QRCode.border, to: size + QRCode.border, by: 2) {
      var line = "\u{1B}[30;107m"
      for column in -QRCode.border..<size + QRCode.border {
        let block =
          switch (isDark(row, column), isDark(row + 1, column)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        line += block
      }
      lines.append(line + "\u{1B}[0m")
    }
    return lines.joined(separator: "\n")
  }
}
