// segmance serve

import FoundationEssentials
import Glibc
import HTTP
import Logging
import Media
import Server
import Storage

enum ServeCommand: Command {
  static let name = "serve"
  static let usage = "[--port N] [--data DIR] [--lan] [--public-url URL] [OPTION…]"
  static let summary = "Start the server"
  static let options = [
    Option(name: "port", value: "N", help: "the port (default: 7700; 0: any free one)"),
    Option(
      name: "host", value: "ADDRESS",
      help: "the address to listen on (default: 127.0.0.1); others than this machine's own only "
        + "with --public-url"),
    Option.data,
    Option(
      name: "database", value: "ADDRESS",
      help: "keep the records of a new library on a PostgreSQL server: postgres://host/database"),
    Option(
      name: "standby", value: nil,
      help:
        "wait while another server has the library open, and serve it when that one ends; needs "
        + "--database and --blobs"),
    Option(
      name: "shared", value: nil,
      help:
        "serve a library that other servers with this option serve as well; needs --database and "
        + "--blobs"),
    Option(
      name: "lan", value: nil,
      help: "let paired devices in from the network, with TLS, and show a code to pair the first"),
    Option(
      name: "lan-at-first", value: nil,
      help: "for services: let them in, unless the network was switched off in Settings"),
    Option(
      name: "lan-host", value: "ADDRESS",
      help: "the address for them (default: all of this machine)"
    ),
    Option(name: "lan-port", value: "N", help: "the port for them (default: 7743)"),
    Option(
      name: "tls-cert", value: "FILE",
      help: "your certificate with its chain, in PEM (default: an authority of this installation)"),
    Option(name: "tls-key", value: "FILE", help: "its private key, in PEM"),
    Option(
      name: "public-url", value: "URL",
      help: "where a reverse proxy serves Segmance: https://studio.example"),
    Option(
      name: "trusted-proxy", value: "ADDRESSES",
      help: "where that proxy stands, with commas, if not on this machine"),
    Option(
      name: "openid", value: "URL",
      help: "let people sign in at this provider of OpenID Connect, such as a school's"),
    Option(name: "openid-client", value: "ID", help: "the id that the provider gave this server"),
    Option(
      name: "openid-secret-file", value: "FILE",
      help: "a file with the secret that the provider gave this server, if it gave one"),
    Option(
      name: "openid-name", value: "NAME",
      help: "what the provider is called: \"Sign in with NAME\" (default: its host)"),
    Option(
      name: "openid-adds-people", value: nil,
      help: "add each person who signs in there and is not known yet"),
    Option(
      name: "client", value: "DIR",
      help: "the built client (default: client beside the program, or ../share/segmance/client)"),
    Option(name: "open", value: nil, help: "open a browser, where there is a desktop"),
    Option.noSandbox,
    Option(
      name: "backup-dir", value: "DIR", help: "write backups to this folder, best of another disk"),
    Option(name: "backup-every", value: "HOURS", help: "how often (default: 24)"),
    Option(name: "backup-keep", value: "N", help: "how many to keep (default: 7)"),
    Option(
      name: "blobs", value: "ADDRESS",
      help:
        "store songs and videos in a bucket: s3://bucket/prefix?endpoint=URL&region=NAME, with the "
        + "keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (default: the folder)"),
    Option(
      name: "blobs-cache", value: "SIZE",
      help: "how much of them the disk keeps (default: 10GB)"),
    Option(
      name: "blob-links", value: "ORIGIN",
      help:
        "let browsers fetch songs and videos from the bucket itself, which they reach at this origin: "
        + "https://objects.example"),
    Option(
      name: "max-file", value: "SIZE", help: "the largest song or video, as 500MB (default: 4GB)"),
    Option(
      name: "max-library", value: "SIZE",
      help: "how much originals, what is made of them, and uploads may take (default: the disk but "
        + "for a reserve)"),
    Option(
      name: "push-contact", value: "ADDRESS",
      help: "notify devices of comments through the push services of their browsers, which can "
        + "write to this address: mailto:you@school.example"),
    Option(
      name: "push-service", value: "ORIGINS",
      help: "push services besides those of the known browsers, with commas: https://push.example"),
    Option(
      name: "metrics", value: nil,
      help: "let the owner read figures for Prometheus at /metrics"),
    Option(
      name: "otlp-metrics", value: "URL",
      help: "send the same figures to a collector of OpenTelemetry, over OTLP/HTTP with JSON: "
        + "http://127.0.0.1:4318"),
    Option(
      name: "otlp-traces", value: "URL",
      help: "send traces of requests and jobs there, in the same way: "
        + "http://127.0.0.1:4318/v1/traces"),
    Option(
      name: "otlp-sample", value: "SHARE",
      help: "how many of the traces that begin here: 0 to 1 (default: 1)"),
    Option(
      name: "log-format", value: "FORM",
      help: "text, or json: an object in each line and no other words (default: text)"),
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty else { throw UsageError(message: "serve takes no file.") }
    let format = try logFormat(arguments)
    let log = Logger.lines(format, to: STDERR_FILENO)
    do {
      return try serve(arguments, log, isForPeople: format == .text)
    } catch let error as UsageError {
      throw error
    } catch {
      let isSandbox = (error as? MediaError)?.code == .sandboxUnavailable
      log.error(isSandbox ? "sandbox.missing" : "server.notStarted", error)
      // With JSON output, the sentence for people would not be a JSON object.
      if format == .json { return 1 }
      throw error
    }
  }

  private static func serve(
    _ arguments: Arguments, _ log: Logger, isForPeople: Bool
  ) throws -> Int32 {
    let end = ServerEnd()
    let host = arguments["host"] ?? "127.0.0.1"
    let network = try networkOptions(arguments)
    // Without --public-url every caller that reaches the port has the owner's rights, so only
    // loopback is allowed.
    guard network.publicURL != nil || ["127.0.0.1", "localhost", "::1"].contains(host) else {
      throw UsageError(
        message: "--host must be this machine itself: 127.0.0.1, localhost or ::1. For other "
          + "devices use --lan.")
    }
    var configuration = Configuration(
      host: host == "localhost" ? "127.0.0.1" : host,
      port: try arguments.integer("port", in: 0...65_535) ?? 7_700)
    let push = try pushOptions(arguments)
    let otlp = try collector(.metrics, "otlp-metrics", arguments)
    let traces = try traceOptions(arguments)
    let client = try clientFolder(arguments, log)
    let bucket = try bucket(
      arguments, page: network.publicURL?.origin ?? "http://localhost:\(configuration.port)")
    let database = try databaseAddress(arguments)
    let isShared = arguments.has("shared")
    if isShared, arguments.has("standby") {
      throw UsageError(
        message: "--shared and --standby exclude each other: with --shared all serve.")
    }
    if isShared {
      try Library.requireShareable(
        DataDirectory(root: arguments.dataFolder), server: database, hasBucket: bucket != nil)
    }
    var standby: Standby?
    if arguments.has("standby") {
      let waiting = try Standby(
        root: arguments.dataFolder, server: database, hasBucket: bucket != nil,
        configuration: configuration, network: network, hasMetrics: arguments.has("metrics"),
        otlp: otlp, log: log)
      configuration.port = try waiting.start { [requests = end.requests] in requests.end(.takeOver)
      }
      if isForPeople {
        print("A standby waits at http://localhost:\(configuration.port). Stop with Ctrl+C.")
        fflush(nil)
      }
      guard end.wait() == .takeOver else { leave(waiting, log) }
      standby = waiting
    }
    let library = try Library(
      root: arguments.dataFolder, tools: try arguments.mediaTools(),
      server: database, backupPlan: try backupPlan(arguments),
      limits: try limits(arguments), bucket: bucket,
      openID: try openID(arguments), isShared: isShared, standby: standby, log: log)
    if let aside = library.previousLibrary, isForPeople {
      note("The restored library is in its place. The one before is kept in \(aside).")
    }
    let server = try SegmanceServer(
      library: library, configuration: configuration,
      network: network, push: push, client: client, hasMetrics: arguments.has("metrics"),
      otlp: otlp, traces: traces,
      onReplaced: { [requests = end.requests] in requests.end(.restart) },
      onSuperseded: { [requests = end.requests] in requests.end(.superseded) })
    // It has answered that it is a standby until here.
    standby?.stop()
    if arguments.has("no-sandbox") { log.warning("sandbox.off") }
    let bound = try server.start()
    if isForPeople { greet(arguments, server, network, port: bound) }
    if arguments.has("open") { Desktop.open("http://localhost:\(bound)") }
    let reason = end.wait()
    if reason == .superseded {
      server.abandon()
      fflush(nil)
      // At once: what is under way must neither be stored nor answered.
      _exit(1)
    }
    let isNetworkOn = server.network.isOn
    server.stop()
    if reason == .restart { try Restart.run(port: bound, isNetworkOn: isNetworkOn) }
    return 0
  }

  /// Ends a standby that waits. Nothing of it is stored.
  private static func leave(_ standby: Standby, _ log: Logger) -> Never {
    log.info("server.stopping")
    standby.stop()
    log.info("server.stopped")
    fflush(nil)
    // A connection to the database may be under way, which nothing breaks off.
    _exit(0)
  }

  /// Prints the addresses and folders on standard output.
  private static func greet(
    _ arguments: Arguments, _ server: SegmanceServer, _ network: NetworkOptions, port bound: Int
  ) {
    print("Segmance is at http://localhost:\(bound)")
    print("The library is in \(arguments.dataFolder). Stop with Ctrl+C.")
    if arguments.has("no-sandbox") {
      print("ffmpeg runs without its sandbox, as you chose: open only files that you trust.")
    }
    if let origin = server.network.addresses.first { tell(server, origin, network) }
    fflush(nil)
  }

  private static func limits(_ arguments: Arguments) throws(UsageError) -> LibraryLimits {
    var limits = LibraryLimits()
    if let bytes = try arguments.bytes("max-file") { limits.fileBytes = bytes }
    limits.libraryBytes = try arguments.bytes("max-library")
    return limits
  }

  /// The choice of a bucket. `page` is the origin of the client's pages.
  private static func bucket(
    _ arguments: Arguments, page: String
  ) throws(UsageError) -> BucketOptions? {
    let cache = try arguments.bytes("blobs-cache")
    guard let text = arguments["blobs"] else {
      for option in ["blobs-cache", "blob-links"] where arguments.has(option) {
        throw UsageError(message: "--\(option) needs --blobs.")
      }
      return nil
    }
    guard let address = BucketAddress(text) else {
      throw UsageError(
        message: "--blobs takes the address of a bucket: "
          + "s3://bucket/prefix?endpoint=https://objects.example&region=eu-central-1.")
    }
    let direct = arguments["blob-links"]
    let origin = direct.flatMap(BucketAddress.origin)
    guard direct == nil || origin != nil else {
      throw UsageError(
        message: "--blob-links takes the origin of the bucket's server: https://objects.example.")
    }
    // Browsers fetch nothing without TLS for a page with it.
    guard origin?.hasPrefix("http://") != true || page.hasPrefix("http://") else {
      throw UsageError(message: "--blob-links needs an https origin with --public-url.")
    }
    return BucketOptions(
      address: address, cacheBytes: cache ?? BucketOptions.usualCacheBytes,
      direct: origin.map { ($0, page) })
  }

  private static func logFormat(_ arguments: Arguments) throws(UsageError) -> LogFormat {
    guard let name = arguments["log-format"] else { return .text }
    guard let format = LogFormat(rawValue: name) else {
      throw UsageError(message: "--log-format takes text or json.")
    }
    return format
  }

  /// Prints the address for other devices, and on a terminal a pairing code. The log of a service must
  /// not hold one.
  private static func tell(_ server: SegmanceServer, _ origin: String, _ options: NetworkOptions) {
    print("Other devices: \(origin)")
    guard options.isOn == true || options.publicURL != nil, isatty(STDOUT_FILENO) == 1,
      let invitation = server.invitation()
    else {
      print("To pair one: segmance devices pair, or Settings.")
      return
    }
    print(invitation)
  }

  private static func networkOptions(_ arguments: Arguments) throws(UsageError) -> NetworkOptions {
    var options = NetworkOptions()
    if arguments.has("lan") { options.isOn = true }
    options.isOnAtFirst = arguments.has("lan-at-first")
    // If the network fails, a server that was started by hand ends with the reason. A service
    // continues without the network, so that its library stays reachable.
    options.keepsTrying = isatty(STDOUT_FILENO) == 0
    if let host = arguments["lan-host"] { options.host = host }
    options.port = try arguments.integer("lan-port", in: 0...65_535) ?? options.port
    switch (arguments["tls-cert"], arguments["tls-key"]) {
    case (let chain?, let key?): options.certificate = (chain: chain, key: key)
    case (nil, nil): break
    default: throw UsageError(message: "--tls-cert and --tls-key go together.")
    }
    if let text = arguments["public-url"] {
      guard let url = PublicURL(text) else {
        throw UsageError(
          message: "--public-url needs an https address without a path: https://studio.example.")
      }
      options.publicURL = url
    }
    for text in arguments["trusted-proxy"]?.split(separator: ",") ?? [] {
      guard options.publicURL != nil else {
        throw UsageError(message: "--trusted-proxy needs --public-url.")
      }
      guard let range = AddressRange(String(text)) else {
        throw UsageError(
          message: "--trusted-proxy takes addresses, such as 10.0.0.2 or 10.0.0.0/8.")
      }
      options.trustedProxies.append(range)
    }
    return options
  }

  private static func databaseAddress(_ arguments: Arguments) throws -> String? {
    guard let address = arguments["database"] else { return nil }
    guard MigrateCommand.isServer(address) else {
      throw UsageError(message: "--database takes an address such as postgres://host/database.")
    }
    return address
  }

  private static func openID(_ arguments: Arguments) throws -> OpenIDOptions? {
    let others = ["openid-client", "openid-secret-file", "openid-name", "openid-adds-people"]
    guard let issuer = arguments["openid"] else {
      if let other = others.first(where: { arguments.has($0) }) {
        throw UsageError(message: "--\(other) needs --openid.")
      }
      return nil
    }
    guard let client = arguments["openid-client"] else {
      throw UsageError(message: "--openid needs --openid-client.")
    }
    let file = arguments["openid-secret-file"].map(arguments.absolute)
    guard
      let options = OpenIDOptions(
        issuer: issuer, name: arguments["openid-name"], client: client,
        secret: try file.map(line(of:)),
        addsPeople: arguments.has("openid-adds-people"))
    else {
      throw UsageError(
        message: "--openid needs the provider's https address, as it names itself: "
          + "https://id.school.example.")
    }
    return options
  }

  /// The only line of a file.
  private static func line(of path: String) throws -> String {
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 4_096 else {
      throw CommandFailure(description: "The file \(path) can't be read.")
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.count == 1 else {
      throw CommandFailure(description: "The file \(path) must hold one line: the secret.")
    }
    return String(lines[0])
  }

  private static func pushOptions(_ arguments: Arguments) throws(UsageError) -> PushOptions? {
    let origins = (arguments["push-service"] ?? "").split(separator: ",").map(String.init)
    guard let contact = arguments["push-contact"] else {
      guard arguments["push-service"] == nil else {
        throw UsageError(message: "--push-service needs --push-contact.")
      }
      return nil
    }
    guard let services = PushServices(adding: origins) else {
      throw UsageError(
        message: "--push-service takes origins, such as https://push.example; http only at this "
          + "machine.")
    }
    guard let options = PushOptions(contact: contact, services: services) else {
      throw UsageError(
        message: "--push-contact takes an address such as mailto:you@school.example, or one that "
          + "begins with https://.")
    }
    return options
  }

  private static func collector(
    _ signal: OTLPOptions.Signal, _ option: String, _ arguments: Arguments
  ) throws(UsageError) -> OTLPOptions? {
    guard let address = arguments[option] else { return nil }
    guard let options = OTLPOptions(signal, collector: address) else {
      throw UsageError(
        message: "--\(option) takes the http or https address of a collector, without a name, a "
          + "password or a query: http://127.0.0.1:4318.")
    }
    return options
  }

  private static func traceOptions(_ arguments: Arguments) throws(UsageError) -> TraceOptions? {
    guard let collector = try collector(.traces, "otlp-traces", arguments) else {
      guard arguments["otlp-sample"] == nil else {
        throw UsageError(message: "--otlp-sample needs --otlp-traces.")
      }
      return nil
    }
    guard let text = arguments["otlp-sample"] else { return TraceOptions(collector: collector) }
    guard let share = Double(text), (0...1).contains(share) else {
      throw UsageError(message: "--otlp-sample takes a number from 0 to 1, such as 0.1.")
    }
    return TraceOptions(collector: collector, share: share)
  }

  private static func backupPlan(_ arguments: Arguments) throws(UsageError) -> BackupPlan? {
    let hours = try arguments.integer("backup-every", in: 1...8_760)
    let keep = try arguments.integer("backup-keep", in: 1...10_000)
    guard let folder = arguments["backup-dir"] else {
      guard hours == nil, keep == nil else {
        throw UsageError(message: "Say with --backup-dir where backups go.")
      }
      return nil
    }
    return BackupPlan(path: arguments.absolute(folder), everyHours: hours ?? 24, keep: keep ?? 7)
  }

  private static func clientFolder(_ arguments: Arguments, _ log: Logger) throws -> String? {
    if let folder = arguments["client"] {
      guard FileManager.default.fileExists(atPath: folder + "/index.html") else {
        throw CommandFailure(description: "There is no built client in \(folder).")
      }
      return folder
    }
    guard let program = Bundle.executableFolder else { return nil }
    // As built, and as installed under /usr.
    let folders = [program + "/client", program + "/../share/segmance/client"]
    let folder = folders.first { FileManager.default.fileExists(atPath: $0 + "/index.html") }
    if folder == nil { log.warning("client.missing") }
    return folder
  }
}

private enum Desktop {
  /// Opens an address in the owner's browser; does nothing without a desktop.
  static func open(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
    defer { for word in words { free(word) } }
    // The browser must receive the signals that are blocked here.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    if posix_spawnp(&process, "xdg-open", nil, &attributes, &words, environ) != 0 {
      note("No browser could be opened; open \(address) yourself.")
    }
  }
}

private enum Bundle {
  /// The folder of the running program.
  static var executableFolder: String? {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      let slash = path.lastIndex(of: "/")
    else { return nil }
    return String(path[..<slash])
  }
}
