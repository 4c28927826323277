// The network's listener: switched on and off while the server runs, with a certificate that fits
// the machine's present names and addresses.

import Database
import Dispatch
import FoundationEssentials
import HTTP
import Logging
import Network
import Storage
import Synchronization

/// Lets paired devices in from the network. Threads: any.
public final class LANServer: Sendable {
  let options: NetworkOptions
  let pairings: Pairings
  /// The key by which the command line is the owner.
  let ownerKey = Token().text
  private let folder: DataDirectory
  private let devices: Devices
  private let hub: EventHub
  private let health: Health
  private let log: Logger
  private let metrics: RequestMetrics?
  private let now: @Sendable () -> Int
  private let look: @Sendable () -> LocalAddresses

  private struct Running {
    let server: HTTPServer
    let port: Int
    let identity: ServerCertificate
  }

  private struct State {
    var router: Router?
    var isOn = false
    var running: Running?
    var problem: String?
    /// Whether the authority's certificate can be had; its text.
    var authority: CertificateAuthority?
  }

  private let state = Mutex(State())
  /// Held while the listener starts or stops, which takes a moment.
  private let switching = Mutex(())
  private let watch = DispatchQueue(label: "segmance.network", qos: .utility)
  /// How often the machine's addresses and the certificate's files are looked at.
  private static let watchSeconds = 15

  /// Prepares the network of a library; `start` begins to listen if the owner wants it.
  ///
  /// - Parameters:
  ///   - now: tells the milliseconds since 1970.
  ///   - look: tells the machine's names and addresses.
  init(
    library: Library, options: NetworkOptions = NetworkOptions(), metrics: RequestMetrics? = nil,
    now: @escaping @Sendable () -> Int = Library.now,
    look: @escaping @Sendable () -> LocalAddresses = LocalAddresses.current
  ) {
    self.options = options
    log = library.log
    self.metrics = metrics
    self.now = now
    self.look = look
    folder = library.folder
    devices = library.devices
    hub = library.hub
    health = library.health
    pairings = Pairings(devices: library.devices, now: now)
  }

  /// What the settings show.
  struct Status: Encodable {
    struct AuthorityStatus: Encodable {
      let fingerprint: String
      let address: String
    }
    let isOn: Bool
    let addresses: [String]
    let authority: AuthorityStatus?
    let problem: String?

    private enum Key: CodingKey { case isOn, addresses, authority, problem }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(isOn, forKey: .isOn)
      try container.encode(addresses, forKey: .addresses)
      try container.encode(authority, forKey: .authority)
      try container.encode(problem, forKey: .problem)
    }
  }

  /// How the network stands.
  func status() -> Status {
    watch.async { [weak self] in self?.check() }
    // All of one moment.
    let (isOn, problem, authority, running) = state.withLock {
      ($0.isOn, $0.problem, $0.authority, $0.running)
    }
    let addresses = addresses(of: running)
    var shown: Status.AuthorityStatus?
    if let authority, let first = addresses.first,
      let fingerprint = try? Certificate(pem: authority.certificate).fingerprint()
    {
      shown = Status.AuthorityStatus(
        fingerprint: fingerprint, address: first + "/api/authority.crt")
    }
    return Status(isOn: isOn, addresses: addresses, authority: shown, problem: problem)
  }

  /// Where other devices reach the studio, the likeliest first; empty while the network is off.
  public var addresses: [String] { addresses(of: state.withLock { $0.running }) }

  private func addresses(of running: Running?) -> [String] {
    let own = options.publicURL.map { [$0.origin] } ?? []
    guard let running else { return own }
    return own + running.identity.addresses(look(), port: running.port)
  }

  /// Whether it is switched on, even if something keeps it from listening.
  public var isOn: Bool { state.withLock { $0.isOn } }

  /// The connections that are open.
  var connectionCount: Int { state.withLock { $0.running }?.server.connectionCount ?? 0 }

  /// What the listener shows of itself while it runs.
  var currentIdentity: ServerCertificate? { state.withLock { $0.running?.identity } }

  /// The authority's certificate for installing, if the network's listener uses it.
  func authorityCertificate() throws -> [UInt8]? {
    try state.withLock { $0.authority }.map { try Certificate(pem: $0.certificate).der() }
  }

  /// An address at which a phone becomes a device, in whose fragment the token stands: browsers send
  /// no fragment to anybody, so that it comes into no log.
  struct Invitation: Sendable {
    let token: String
    let expiresAt: Int
    let address: String
    /// Where the authority can be installed first; nil where there is none.
    let installAddress: String?
  }

  /// Makes a pairing code for a device, or for the owner; throws `conflict` while no other device could
  /// reach this server.
  func invite(by maker: String? = nil) throws(LibraryError) -> Invitation {
    guard let origin = addresses.first else {
      throw LibraryError(
        .conflict,
        "Other devices can't reach this server yet. Switch the network on first, or start it with "
          + "--lan.")
    }
    let (token, expiresAt) = pairings.make(by: maker)
    log.info("pairing.offered")
    let hasAuthority = options.publicURL == nil && state.withLock { $0.authority != nil }
    return Invitation(
      token: token, expiresAt: expiresAt, address: "\(origin)/pair#\(token)",
      installAddress: hasAuthority ? "\(origin)/install" : nil)
  }
}

extension LANServer {
  /// Makes a device of whoever shows a token, as `Pairings.claim` does, and notes it; the event
  /// streams of the device that it replaces end.
  func claim(
    _ token: String, name: String, from address: IPAddress?, replacing replaced: String?
  ) throws -> (row: DeviceRow, token: String) {
    let from = address.map { LogRecord.Value.text($0.description) }
    do {
      let paired = try pairings.claim(
        token, name: name, from: address?.description, replacing: replaced)
      // Nobody could end them later: they would go on under an id that no device has.
      if let replaced { hub.close { $0.device == replaced } }
      log.info(
        "device.paired",
        [
          "device": .text(paired.row.id), "by": .text(paired.row.invitedBy ?? "owner"),
          "address": from, "replaced": replaced.map { .text($0) },
        ])
      return paired
    } catch let error as LibraryError {
      // Guesses are limited by their number, and so are these lines; beyond it, the refused request is
      // told, once a minute.
      if let status = error.httpError?.status, status != 429 {
        log.warning("pairing.refused", ["status": .integer(status), "address": from])
      }
      throw error
    }
  }
}

// MARK: On and off

extension LANServer {
  /// Begins to listen if the owner said so now, or last time, or for as long as nothing was chosen.
  ///
  /// - Throws: what is in the way, if the owner asked for it just now and is there to be told.
  func start(_ router: Router) throws {
    state.withLock { $0.router = router }
    if options.isOn ?? remembersOn() {
      let keepsTrying = options.keepsTrying || options.isOn == nil
      do {
        try turnOn(keepsTrying: keepsTrying)
      } catch {
        guard keepsTrying else { throw error }
        log.error("network.failed", error)
      }
    }
    scheduleCheck()
  }

  /// Takes no new connections and requests, before `stop`.
  func stopAccepting() { state.withLock { $0.running }?.server.stopAccepting() }

  /// Stops to listen, for the end of the server; what was chosen stays chosen.
  func stop() {
    switching.withLock { _ in
      let running = state.withLock { state in
        state.router = nil
        state.isOn = false
        defer { state.running = nil }
        return state.running
      }
      running?.server.stop()
    }
  }

  /// Switches the network on or off, and remembers it.
  func set(isOn: Bool) throws {
    if isOn { try turnOn(keepsTrying: false) } else { turnOff() }
    try folder.writePrivately(
      [UInt8](try JSONEncoder().encode(Choice(isOn: isOn))), to: folder.networkChoice)
  }

  private struct Choice: Codable { let isOn: Bool }

  private func remembersOn() -> Bool {
    guard FileManager.default.fileExists(atPath: folder.networkChoice) else {
      return options.isOnAtFirst
    }
    // What can't be read opens no door.
    let data = FileManager.default.contents(atPath: folder.networkChoice) ?? Data()
    return (try? JSONDecoder().decode(Choice.self, from: data))?.isOn ?? false
  }

  private func turnOn(keepsTrying: Bool) throws {
    try switching.withLock { _ in
      guard state.withLock({ $0.running == nil }) else { return }
      do {
        try listen()
      } catch {
        state.withLock { state in
          state.isOn = keepsTrying
          state.problem = "\(error)"
        }
        tellHealth()
        throw error
      }
    }
  }

  private func turnOff() {
    switching.withLock { _ in
      let running = state.withLock { state in
        state.isOn = false
        state.problem = nil
        state.authority = nil
        defer { state.running = nil }
        return state.running
      }
      tellHealth()
      running?.server.stop()
      if running != nil { log.info("network.off") }
    }
  }

  /// Starts the listener; `switching` is held.
  private func listen() throws {
    guard let router = state.withLock({ $0.router }) else {
      throw LibraryError(.conflict, "The server is stopping.")
    }
    let identity = try makeIdentity()
    var configuration = Configuration(host: options.host, port: options.port)
    configuration.certificate = identity.files
    configuration.findHosts = { [look] port in identity.hosts(look(), port: port) }
    let server = HTTPServer(
      configuration: configuration, router: router,
      authenticator: StudioAuthenticator(listener: .network, devices: devices, ownerKeyHash: nil),
      log: log,
      observer: metrics)
    let port = try server.start()
    state.withLock { state in
      state.isOn = true
      state.running = Running(server: server, port: port, identity: identity)
      state.authority = identity.authority
    }
    note(problem: identity.problem(now: now() / 1000))
    log.info("network.on", ["port": .integer(port)])
  }

  private func makeIdentity() throws -> ServerCertificate {
    try ServerCertificate.make(
      options, folder: folder, local: look(), now: now() / 1000, log: log)
  }
}

// MARK: What changes while it runs

extension LANServer {
  private func scheduleCheck() {
    watch.asyncAfter(deadline: .now() + .seconds(LANServer.watchSeconds)) { [weak self] in
      guard let self, state.withLock({ $0.router != nil }) else { return }
      check()
      scheduleCheck()
    }
  }

  /// Starts the listener anew when its certificate no longer fits: the machine has other addresses,
  /// the certificate ends soon, or its files have changed. Where it could not start, tries again.
  func check() {
    switching.withLock { _ in
      let (isOn, running) = state.withLock { ($0.isOn, $0.running) }
      guard isOn else { return }
      if let running {
        guard running.identity.isOutdated(look(), now: now() / 1000) else {
          note(problem: running.identity.problem(now: now() / 1000))
          return
        }
        do {
          // The new one is made first: while it can't be, the old one stays.
          _ = try makeIdentity()
        } catch {
          note(problem: "\(error)")
          return
        }
        state.withLock { $0.running = nil }
        running.server.stop()
      }
      do { try listen() } catch { note(problem: "\(error)") }
    }
  }

  /// Notes what is wrong with the network that is on, or with nil that nothing is.
  private func note(problem: String?) {
    let isNew = state.withLock { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
    tellHealth()
    if isNew, let problem { log.warning("network.problem", ["error": .text(problem)]) }
  }

  /// A network that is off is not missed.
  private func tellHealth() {
    health.set(.network, state.withLock { $0.isOn ? $0.problem : nil })
  }
}
