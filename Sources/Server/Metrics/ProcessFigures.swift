// The process's resource use, under the names of Prometheus' own client libraries.

import FoundationEssentials
import Glibc

/// A snapshot of this process's figures, from /proc.
struct ProcessFigures {
  var cpuSeconds: Double
  /// The start time, in seconds since 1970.
  var startSeconds: Double
  var residentBytes: Int
  var virtualBytes: Int
  var openFiles: Int
  /// The limit of open file descriptors.
  var fileLimit: Int

  /// Reads the figures; nil if /proc is missing.
  init?() {
    guard let stat = Self.read("/proc/self/stat"), let system = Self.read("/proc/stat"),
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    else { return nil }
    // The program name is in parentheses and may contain spaces, so fields are counted after it.
    // The indexes are the numbers in proc(5) minus three.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
      .dropFirst()
      .map { Double($0) ?? 0 }
    let boot = system.split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst(6)
    guard fields.count > 21, let boot, let bootSeconds = Double(boot) else { return nil }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    cpuSeconds = (fields[11] + fields[12]) / ticks
    startSeconds = bootSeconds + fields[19] / ticks
    virtualBytes = Int(fields[20])
    residentBytes = Int(fields[21]) * sysconf(Int32(_SC_PAGESIZE))
    openFiles = files.count
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    fileLimit = Int(clamping: limit.rlim_cur)
  }

  /// Writes the figures to a metrics page.
  func write(to page: inout MetricsText) {
    page.single(
      "process_cpu_seconds_total", .counter, "Processor time of the server itself, in seconds.",
      cpuSeconds)
    page.single(
      "process_start_time_seconds", .gauge, "When the server started, in seconds since 1970.",
      startSeconds)
    page.single(
      "process_resident_memory_bytes", .gauge, "Memory that the server has in use.",
      Double(residentBytes))
    page.single(
      "process_virtual_memory_bytes", .gauge, "Memory that the server has reserved.",
      Double(virtualBytes))
    page.single("process_open_fds", .gauge, "Open file descriptors.", Double(openFiles))
    page.single(
      "process_max_fds", .gauge, "File descriptors that may be open.", Double(fileLimit))
  }

  private static func read(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
