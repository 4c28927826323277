// What a server needs to know before it starts, and its limits.

/// Says where a server listens, who may ask it, and what it bears.
public struct Configuration: Sendable {
  /// The address to listen at.
  public var host: String
  /// The port; 0 lets the system choose.
  public var port: Int
  /// Hosts that a request may name beside the server's own address, exactly as browsers send them:
  /// with the port unless it is the scheme's default. A scheme may stand before a host
  /// (`https://studio.example`) where a proxy in front speaks TLS; without one it is `http`.
  public var allowedHosts: [String]

  /// Threads that serve connections.
  public var connectionThreads = 2
  /// Handlers that may run at once away from those threads.
  public var workerThreads = 8
  /// Requests that may wait for a worker; the next one is told to come back.
  public var queuedRequestLimit = 1024

  /// Connections at once.
  public var connectionLimit = 2048
  /// Connections at once from one address of the network.
  public var connectionsPerAddress = 128
  /// Connections at once from this machine, where a proxy may stand for many clients.
  public var connectionsPerLoopbackAddress = 1536

  /// A connection is closed when its request's header is not complete this long after its start.
  public var headerTimeoutSeconds = 10
  /// A connection is closed when it is silent this long between requests.
  public var idleTimeoutSeconds = 75
  /// A connection is closed when the client takes nothing of its response for this long.
  public var stalledResponseSeconds = 900
  /// A request's body must come at least this fast, measured over ten seconds at a time.
  public var minimumBodyBytesPerSecond = 200
  /// How long `stop()` waits for responses that are being sent.
  public var drainSeconds = 10

  /// Makes a configuration with the usual limits.
  public init(host: String = "127.0.0.1", port: Int = 7700, allowedHosts: [String] = []) {
    self.host = host
    self.port = port
    self.allowedHosts = allowedHosts
  }
}
