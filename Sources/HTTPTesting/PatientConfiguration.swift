// The settings of servers that tests ask over real sockets.

import HTTP

extension Configuration {
  /// Listens at a free port, with limits of time that a test on a busy machine does not reach.
  public static var patient: Configuration {
    var configuration = Configuration(port: 0)
    configuration.headerTimeoutSeconds = 3_600
    configuration.idleTimeoutSeconds = 3_600
    configuration.minimumBodyBytesPerSecond = 0
    configuration.drainSeconds = 60
    return configuration
  }
}
