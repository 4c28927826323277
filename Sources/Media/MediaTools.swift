// Finds the programs that read and write media, and sandboxes them, since they read untrusted
// files.

import Speech

#if canImport(Glibc)
  import Glibc
#endif

/// ffmpeg and ffprobe, with their sandbox.
public struct MediaTools: Sendable {
  /// Whether media programs run in a sandbox.
  public enum Sandbox: Sendable {
    /// They can access only their input, their output and the system's programs, and have no
    /// network.
    case required
    /// They run with the rights of the server. Only if the owner chose it.
    case none
  }

  enum Tool { case ffmpeg, ffprobe, speech, nothing }

  /// The resource limits of a program; it is killed when it exceeds one.
  struct Limits {
    /// Wall-clock time.
    var seconds: Int
    /// How many processors may be busy for the whole time.
    var processors = 1
    var fileBytes = 64 << 20
    var memoryBytes = 2 << 30

    /// The time limit for writing this many seconds of audio, long enough for a small machine under
    /// load. Reading waits for the writing, so it has the same limit.
    static func seconds(writing audioSeconds: Int) -> Int { 600 + 2 * audioSeconds }
  }

  public let sandbox: Sandbox
  private let ffmpeg: String
  private let ffprobe: String
  private let setpriv: String
  private let timeout: String
  private let prlimit: String
  private let nothing: String
  /// Where the speech program is, or would be. It may be installed later: only names are said by it.
  let speech: String
  private let bubblewrap: String

  /// Finds the programs and tests the sandbox once with a program that does nothing (6 ms). Throws
  /// `toolMissing` or `sandboxUnavailable` with a message that says what to install or to
  /// configure.
  public static func locate(sandbox: Sandbox) throws -> MediaTools {
    try locate(sandbox: sandbox, in: ["/usr/bin", "/usr/local/bin", "/bin"])
  }

  /// Finds each program in the first of `folders` that contains it.
  static func locate(sandbox: Sandbox, in folders: [String]) throws -> MediaTools {
    func search(_ name: String) -> String? {
      folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }
    func find(_ name: String, package: String) throws -> String {
      guard let path = search(name) else { throw missing(name, package: package) }
      return path
    }
    let tools = MediaTools(
      sandbox: sandbox, ffmpeg: try find("ffmpeg", package: "ffmpeg"),
      ffprobe: try find("ffprobe", package: "ffmpeg"),
      setpriv: try find("setpriv", package: "util-linux"),
      timeout: try find("timeout", package: "coreutils"),
      prlimit: try find("prlimit", package: "util-linux"),
      nothing: try find("true", package: "coreutils"),
      speech: search(SpeechProgram.name) ?? folders[0] + "/" + SpeechProgram.name,
      bubblewrap: sandbox == .none ? "" : try find("bwrap", package: "bubblewrap"))
    try tools.probe(isCancelled: { false })
    return tools
  }

  static func missing(_ name: String, package: String) -> MediaError {
    MediaError(
      .toolMissing,
      "The program \(name) is missing. Install it (on Debian: apt install \(package)).")
  }

  /// Runs each program once, including ffmpeg and ffprobe (0.1 s). Throws the same errors as
  /// `locate`.
  public func requireWorking(isCancelled: () -> Bool) throws {
    try probe(isCancelled: isCancelled)
    for (name, tool) in [("ffmpeg", Tool.ffmpeg), ("ffprobe", .ffprobe)] {
      let process = try ChildProcess(
        command(tool, limits: Limits(seconds: 60)) { _ in ["-v", "error", "-version"] })
      guard try process.finish(isCancelled: isCancelled).isSuccess else {
        throw MediaError(
          .toolMissing, "The program \(name) does not work. Install it again.",
          cause: process.report)
      }
    }
  }

  private func probe(isCancelled: () -> Bool) throws {
    let process = try ChildProcess(
      command(.nothing, limits: Limits(seconds: 20)) { _ in [] })
    guard try process.finish(isCancelled: isCancelled).isSuccess else {
      guard sandbox == .required else {
        throw MediaError(
          .toolMissing, "The programs timeout and prlimit do not work. Install them again.",
          cause: process.messageTail)
      }
      throw MediaError(
        .sandboxUnavailable,
        """
        The sandbox that protects this computer from broken or hostile media files does not work \
        here. Usually unprivileged user namespaces are switched off: allow them (sysctl \
        kernel.unprivileged_userns_clone=1), or start with --no-sandbox if you trust every file.
        """, cause: process.messageTail)
    }
  }
}

extension MediaTools {
  /// The paths as the program sees them inside the sandbox.
  struct Mounts {
    let inputs: [String]
    let output: String
  }

  /// Builds a command. `inputs` are readable, `output` is a writable folder; no other user files
  /// are visible inside the sandbox.
  func command(
    _ tool: Tool, inputs: [String] = [], output: String? = nil, limits: Limits,
    arguments: (Mounts) -> [String]
  ) -> Command {
    let program =
      switch tool {
      case .ffmpeg: ffmpeg
      case .ffprobe: ffprobe
      case .speech: speech
      case .nothing: nothing
      }
    // If the server is killed, its programs end too: the kernel kills them when the thread that
    // started them ends, and that thread waits for them.
    let diesWithParent = [setpriv, "--pdeathsig", "KILL"]
    var line = diesWithParent + [timeout, "-k", "5", String(limits.seconds)]
    let limit = [
      prlimit, "--cpu=\(limits.seconds * limits.processors)", "--as=\(limits.memoryBytes)",
      "--fsize=\(limits.fileBytes)", "--nofile=64", "--nproc=64", "--core=0",
    ]
    switch sandbox {
    case .none:
      // Outside a sandbox a process limit would count all processes of the user.
      line += diesWithParent + limit.filter { !$0.hasPrefix("--nproc") } + [program]
      line += arguments(Mounts(inputs: inputs, output: output ?? "/"))
      return Command(arguments: line, seconds: limits.seconds)
    case .required:
      line += [
        bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
        "--setenv", "PATH", "/usr/bin", "--setenv", "LC_ALL", "C", "--cap-drop", "ALL",
        "--ro-bind", "/usr", "/usr",
        "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
        "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
        "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
        "--symlink", "usr/bin", "/bin", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
      ]
      let inside = inputs.indices.map { "/in\($0)" }
      for (path, name) in zip(inputs, inside) { line += ["--ro-bind", path, name] }
      if let output { line += ["--bind", output, "/out"] }
      line += limit + [program] + arguments(Mounts(inputs: inside, output: "/out"))
      return Command(arguments: line, seconds: limits.seconds)
    }
  }

  /// Options before every input: the formats that may be opened. They exclude playlists disguised
  /// as audio and rarely used, rarely tested decoders.
  static func inputRules(decoders: [String], demuxers: [String] = demuxers) -> [String] {
    [
      "-protocol_whitelist", "file", "-format_whitelist", demuxers.joined(separator: ","),
      "-codec_whitelist", decoders.joined(separator: ","),
    ]
  }

  /// Options to read our own raw samples from the standard input and never to overwrite a file.
  static let rawInput = [
    "-v", "error", "-y", "-protocol_whitelist", "pipe", "-f", "s16le", "-ar", "48000", "-ac", "2",
    "-i", "pipe:0",
  ]

  /// Common containers: MP3 and MP2, MP4, MOV, M4A and 3GP, WAV, FLAC, Ogg, Matroska and WebM, raw
  /// AAC, AIFF, WMA, CAF, AMR, AC-3, Wave64.
  static let demuxers = [
    "mp3", "mov", "wav", "flac", "ogg", "matroska", "aac", "aiff", "asf", "caf", "amr", "ac3",
    "eac3", "w64",
  ]

  /// The audio decoders; the tests have a file for each codec.
  static let audioDecoders = [
    "mp3", "mp3float", "mp2", "mp2float", "aac", "aac_fixed", "alac", "flac", "vorbis", "libvorbis",
    "opus", "libopus", "wmav1", "wmav2", "amrnb", "amrwb", "ac3", "ac3_fixed", "eac3", "pcm_u8",
    "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be",
    "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw", "adpcm_ms",
    "adpcm_ima_wav", "adpcm_ima_qt", "gsm_ms",
  ]

  /// The picture decoders that ffprobe opens when it probes a file; ffmpeg never gets them.
  static let pictureDecoders = [
    "h264", "hevc", "mpeg4", "h263", "vp8", "vp9", "av1", "libdav1d", "mjpeg", "png", "bmp", "gif",
    "webp",
  ]
}
