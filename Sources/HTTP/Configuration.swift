// A server's settings and limits.

/// A certificate chain and its key, as PEM text.
public struct CertificateFiles: Sendable, Equatable {
  /// The certificates, the server's own first.
  public var chain: String
  /// The private key.
  public var key: String

  /// Makes a pair of texts.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}

/// Address, allowed hosts and limits of a server.
public struct Configuration: Sendable {
  /// The address to listen at.
  public var host: String
  /// The port; 0 lets the system choose.
  public var port: Int
  /// Hosts that a request may name besides the server's own address, exactly as browsers send them:
  /// with the port unless it is the scheme's default. A scheme may stand before a host
  /// (`https://studio.example`) where a proxy in front speaks TLS; without one it is `http`.
  public var allowedHosts: [String]

  /// Returns further hosts for a port, written as in `allowedHosts`. Called again when a request names
  /// an unknown host, at most once a second. If it is set, the server's own address is allowed only
  /// if it is among the result.
  public var findHosts: (@Sendable (_ port: Int) -> [String])?
  /// The certificate and its key; nil: no TLS.
  public var certificate: CertificateFiles?
  /// Addresses of proxies whose `X-Forwarded-For` is trusted.
  public var trustedProxies: [AddressRange] = []

  /// Threads that serve connections.
  public var connectionThreads = 2
  /// Handlers that run at once on the worker pool.
  public var workerThreads = 8
  /// Requests that may wait for a worker; the next one gets a 503.
  public var queuedRequestLimit = 1024

  /// Connections at once.
  public var connectionLimit = 2048
  /// Connections at once from one address of the network.
  public var connectionsPerAddress = 128
  /// Connections at once from this machine or a trusted proxy, which may stand for many clients.
  public var connectionsPerLoopbackAddress = 1536

  /// A connection is closed when its first header is not complete this long after its start, or that
  /// of a later request this long after its first line.
  public var headerTimeoutSeconds = 10
  /// A connection is closed when it is idle this long between requests.
  public var idleTimeoutSeconds = 75
  /// A connection is closed when the client reads nothing of its response for this long.
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
