// How far a long command is.

import Glibc

/// One line on standard error that tells the share done; where that is no terminal, nothing is told.
final class ProgressLine {
  private let doing: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var percent = -1

  /// Tells of what is `doing`, as "Backing up".
  init(_ doing: String) { self.doing = doing }

  /// Says that a share of it, 0 to 1, is done.
  func report(_ share: Double) {
    let percent = Int(min(max(share, 0), 1) * 100)
    guard isTerminal, percent != self.percent else { return }
    self.percent = percent
    write("\r\(doing): \(percent) %")
  }

  /// Takes the line away.
  func end() {
    if percent >= 0 { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    // When the terminal is gone there is nobody to tell.
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
