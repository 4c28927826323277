// The progress of a long command.

import Glibc

/// One line of progress on standard error; nothing if that is not a terminal.
final class ProgressLine {
  private let doing: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var percent = -1

  /// Begins the line with `doing`, such as "Backing up".
  init(_ doing: String) { self.doing = doing }

  /// Shows the share that is done, 0 to 1.
  func report(_ share: Double) {
    let percent = Int(min(max(share, 0), 1) * 100)
    guard isTerminal, percent != self.percent else { return }
    self.percent = percent
    write("\r\(doing): \(percent) %")
  }

  /// Removes the line.
  func end() {
    if percent >= 0 { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    // If the terminal is gone, the line is lost.
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
