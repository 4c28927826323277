// The network listener. It can be switched on and off while the server runs, and its certificate
// follows the machine's current names and addresses.

import Database
import Dispatch
import FoundationEssentials
import HTTP
import Logging
import Network
import Storage
import Synchronization
import Timing

/// Serves paired devices from the network.
public final class LANServer: Sendable {
  let options: NetworkOptions
  let pairings: Pairings
  /// The key that authenticates the command line as the owner.
  let ownerKey = Token().text
  private let folder: DataDirectory
  private let devices: Devices
  private let permissions: Permissions
  private let hub: EventHub
  private let health: Health
  private let log: Logger
  private let timers: any Timers
  private let observers: [any RequestObserver]
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
    /// The CA, if its certificate can be downloaded.
    var authority: CertificateAuthority?
  }

  private let state = Mutex(State())
  /// Held while the listener starts or stops, which takes a moment.
  private let switching = Mutex(())
  private let watch = DispatchQueue(label: "segmance.network", qos: .utility)
  /// The interval between checks of the machine's addresses and the certificate files, in seconds.
  private static let watchSeconds = 15

  /// Prepares the network of a library; `start` begins to listen if the owner enabled it.
  ///
  /// - Parameters:
  ///   - now: returns milliseconds since 1970.
  ///   - look: returns the machine's names and addresses.
  init(
    library: Library, options: NetworkOptions = NetworkOptions(),
    observers: [any RequestObserver] = [],
    now: @escaping @Sendable () -> Int = Library.now,
    look: @escaping @Sendable () -> LocalAddresses = LocalAddresses.current
  ) {
    self.options = options
    log = library.log
    timers = library.timers
    self.observers = observers
    self.now = now
    self.look = look
    folder = library.folder
    devices = library.devices
    permissions = library.permissions
    hub = library.hub
    health = library.health
    pairings = Pairings(
      store: PairingStore(database: library.database), devices: library.devices, now: now)
  }

  /// The network's state in the settings.
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

  /// Returns the network's state.
  func status() -> Status {
    watch.async { [weak self] in self?.check() }
    // Read together, so that the values are consistent.
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

  /// The addresses for other devices, most likely first; empty while the network is off.
  public var addresses: [String] { addresses(of: state.withLock { $0.running }) }

  private func addresses(of running: Running?) -> [String] {
    let own = options.publicURL.map { [$0.origin] } ?? []
    guard let running else { return own }
    return own + running.identity.addresses(look(), port: running.port)
  }

  /// Whether the network is switched on, even if a problem prevents listening.
  public var isOn: Bool { state.withLock { $0.isOn } }

  /// The number of open connections.
  var connectionCount: Int { state.withLock { $0.running }?.server.connectionCount ?? 0 }

  /// The certificate of the running listener.
  var currentIdentity: ServerCertificate? { state.withLock { $0.running?.identity } }

  /// The CA certificate to install, if the network listener uses it.
  func authorityCertificate() throws -> [UInt8]? {
    try state.withLock { $0.authority }.map { try Certificate(pem: $0.certificate).der() }
  }

  /// An address for pairing a phone. The token is in the fragment, which browsers do not send, so
  /// that no log contains it.
  struct Invitation: Sendable {
    let token: String
    let expiresAt: Int
    let address: String
    /// The address for installing the CA first; nil if there is no CA.
    let installAddress: String?
  }

  /// Makes a code that pairs a device of a person, nil being the owner; `maker` is the device that asks.
  /// Throws `conflict` while no other device can reach this server.
  func invite(
    by maker: String? = nil, for person: String? = nil
  ) throws -> Invitation {
    guard let origin = addresses.first else {
      throw LibraryError(
        .conflict,
        "Other devices can't reach this server yet. Switch the network on first, or start it with "
          + "--lan.")
    }
    let (token, expiresAt) = try pairings.make(by: maker, for: person)
    log.info("pairing.offered")
    let hasAuthority = options.publicURL == nil && state.withLock { $0.authority != nil }
    return Invitation(
      token: token, expiresAt: expiresAt, address: "\(origin)/pair#\(token)",
      installAddress: hasAuthority ? "\(origin)/install" : nil)
  }
}

extension LANServer {
  /// Redeems a token, as `Pairings.claim` does, and logs it. The event streams of the replaced
  /// device end.
  func claim(
    _ token: String, name: String, from address: IPAddress?, replacing replaced: String?
  ) throws -> (row: DeviceRow, token: String) {
    let from = address.map { LogRecord.Value.text($0.description) }
    do {
      let paired = try pairings.claim(
        token, name: name, from: address?.description, replacing: replaced)
      // Otherwise they would stay open under an id that no device has, and nothing could end them.
      if let replaced { hub.close { $0.device == replaced } }
      log.info(
        "device.paired",
        [
          "device": .text(paired.row.id), "by": .text(paired.row.invitedBy ?? "owner"),
          "address": from, "replaced": replaced.map { .text($0) },
        ])
      return paired
    } catch let error as LibraryError {
      // The number of attempts is limited, and so is the number of these lines. Above the limit,
      // the refused request is logged once a minute.
      if let status = error.httpError?.status, status != 429 {
        log.warning("pairing.refused", ["status": .integer(status), "address": from])
      }
      throw error
    }
  }
}

// MARK: On and off

extension LANServer {
  /// Begins to listen if the owner requested it now or last time, or as the default while nothing
  /// was chosen.
  ///
  /// - Throws: what prevents it, if the owner requested it just now and can be told.
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

  /// Refuses new connections and requests, before `stop`.
  func stopAccepting() { state.withLock { $0.running }?.server.stopAccepting() }

  /// Stops listening because the server stops. The owner's choice is kept.
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

  /// Switches the network on or off, and stores the choice.
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
    // An unreadable choice counts as off.
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

  /// Starts the listener. The caller holds `switching`.
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
      authenticator: StudioAuthenticator(
        listener: .network, devices: devices, permissions: permissions, ownerKeyHash: nil),
      log: log, observers: observers)
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
    timers.after(LANServer.watchSeconds * 1_000, on: watch) { [weak self] in
      guard let self, state.withLock({ $0.router != nil }) else { return }
      check()
      scheduleCheck()
    }
  }

  /// Restarts the listener when its certificate no longer fits: the machine's addresses changed,
  /// the certificate expires soon, or its files changed. If the listener could not start, tries
  /// again.
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
          // The new certificate is made first. If that fails, the old listener keeps running.
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

  /// Records the problem of a network that is on; nil means that there is none.
  private func note(problem: String?) {
    let isNew = state.withLock { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
    tellHealth()
    if isNew, let problem { log.warning("network.problem", ["error": .text(problem)]) }
  }

  /// A network that is off is not reported as a problem.
  private func tellHealth() {
    health.set(.network, state.withLock { $0.isOn ? $0.problem : nil })
  }
}
