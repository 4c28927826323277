// The connection below an exchange: libmicrohttpd's, or one of `HTTPTesting` without a socket.

/// What an exchange needs of the connection that its request came over.
protocol HTTPConnection: Sendable {
  /// The application that answers.
  var application: Application { get }
  /// Whether new requests are refused.
  var isStopping: Bool { get }
  /// Reads the header fields of the request.
  func readHeaders() -> Headers
  /// Takes no further step of the exchange until `resume`.
  func suspend()
  /// Continues with the step at which the connection was suspended.
  func resume()
  /// Runs a job on a worker; returns false if too many wait and the job is not `urgent`.
  func submit(urgent: Bool, _ job: @escaping @Sendable () -> Void) -> Bool
  /// Starts to send a reply; returns false if the connection is gone.
  func send(_ reply: EncodedResponse) -> Bool
  /// Reports the end of the request, after the last job for it.
  func requestEnded()
}
