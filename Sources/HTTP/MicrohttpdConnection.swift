// A connection of libmicrohttpd, and replies on it: memory, a file descriptor for sendfile, or a stream.

import CMicrohttpd
import Glibc
import Logging

/// A connection of libmicrohttpd while it has a request.
///
/// Unchecked Sendable: the handle is valid until the request's end, and is used by the connection's
/// thread, or by a worker while the connection is suspended.
struct MicrohttpdConnection: HTTPConnection, @unchecked Sendable {
  let daemon: Daemon
  let handle: OpaquePointer

  var application: Application { daemon.application }
  var isStopping: Bool { daemon.isStopping }

  func suspend() { MHD_suspend_connection(handle) }
  func resume() { MHD_resume_connection(handle) }
  func requestEnded() { daemon.requestEnded() }

  func submit(urgent: Bool, _ job: @escaping @Sendable () -> Void) -> Bool {
    daemon.pool.submit(urgent: urgent, job)
  }

  func readHeaders() -> Headers {
    var headers = Headers()
    headers.reserveCapacity(16)
    withUnsafeMutablePointer(to: &headers) { headers in
      // Only used during the call, on this thread.
      _ = MHD_get_connection_values(
        handle, .HEADER_KIND,
        { context, _, name, value in
          if let context, let name {
            context.assumingMemoryBound(to: Headers.self).pointee
              .add(String(cString: name), value.map { String(cString: $0) } ?? "")
          }
          return .YES
        }, headers)
    }
    return headers
  }

  // MARK: The response

  /// The common headers as C strings, allocated once and never freed or changed.
  nonisolated(unsafe) private static let commonHeaders:
    [(name: UnsafeMutablePointer<CChar>?, value: UnsafeMutablePointer<CChar>?)] =
      EncodedResponse.commonHeaders.map { (name: strdup($0.name), value: strdup($0.value)) }

  func send(_ reply: EncodedResponse) -> Bool {
    guard let response = response(for: reply) else { return false }
    defer { MHD_destroy_response(response) }
    var isComplete = true
    for header in MicrohttpdConnection.commonHeaders.dropFirst(reply.ownHeaders) {
      isComplete =
        MHD_add_response_header(response, header.name, header.value) == .YES && isComplete
    }
    for header in reply.headers.pairs {
      isComplete =
        MHD_add_response_header(response, header.name, header.value) == .YES && isComplete
    }
    if isStopping {
      isComplete = MHD_add_response_header(response, "Connection", "close") == .YES && isComplete
    }
    guard isComplete else {
      application.log.write(LogRecord(.error, "response.unsendable"))
      return false
    }
    return MHD_queue_response(handle, UInt32(reply.status), response) == .YES
  }

  private func response(for reply: EncodedResponse) -> OpaquePointer? {
    switch reply.payload {
    case .bytes(let bytes):
      bytes.withUnsafeBytes { buffer in
        // Copied by the call; libmicrohttpd's parameter only lacks the const.
        MHD_create_response_from_buffer(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
          .RESPMEM_MUST_COPY)
      }
    case .shared(let bytes):
      MicrohttpdConnection.shared(bytes)
    case .file(let file, let range):
      if range.isEmpty {
        MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
      } else {
        MicrohttpdConnection.file(file, range)
      }
    case .feed(let feed, let length):
      BodyStreamReader.response(feed, length: length, on: self)
    }
  }

  private static func shared(_ bytes: SharedBytes) -> OpaquePointer? {
    // Retained until libmicrohttpd has sent the last byte and calls back.
    let retained = Unmanaged.passRetained(bytes)
    let response = MHD_create_response_from_buffer_with_free_callback_cls(
      bytes.count, UnsafeMutableRawPointer(mutating: bytes.buffer.baseAddress),
      { context in
        if let context { Unmanaged<SharedBytes>.fromOpaque(context).release() }
      }, retained.toOpaque())
    if response == nil { retained.release() }
    return response
  }

  private static func file(_ file: ServedFile, _ range: Range<Int>) -> OpaquePointer? {
    let descriptor = file.release()
    let response = MHD_create_response_from_fd_at_offset64(
      UInt64(range.count), descriptor, UInt64(range.lowerBound))
    if response == nil { close(descriptor) }
    return response
  }
}

/// Reads a feed for one connection, which is suspended while the feed is empty.
private final class BodyStreamReader {
  private let feed: any BodyStream
  private let connection: MicrohttpdConnection

  private init(_ feed: any BodyStream, _ connection: MicrohttpdConnection) {
    self.feed = feed
    self.connection = connection
  }

  static func response(
    _ feed: any BodyStream, length: Int?, on connection: MicrohttpdConnection
  ) -> OpaquePointer? {
    connection.daemon.add(feed)
    // Retained until the response is destroyed, which calls the second closure.
    let reader = Unmanaged.passRetained(BodyStreamReader(feed, connection))
    let response = MHD_create_response_from_callback(
      length.map { UInt64($0) } ?? segmance_mhd_size_unknown, length == nil ? 4096 : 1 << 16,
      { context, _, buffer, capacity in
        guard let context, let buffer else { return segmance_mhd_end_of_stream }
        return Unmanaged<BodyStreamReader>.fromOpaque(context).takeUnretainedValue()
          .read(UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
      }, reader.toOpaque(),
      { context in
        if let context { Unmanaged<BodyStreamReader>.fromOpaque(context).takeRetainedValue().end() }
      })
    if response == nil { reader.takeRetainedValue().end() }
    return response
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    // A suspended connection stays valid until it is resumed, and the feed resumes it once.
    let reading = feed.read(into: buffer) { [connection] in
      connection.suspend()
      return { connection.resume() }
    }
    switch reading {
    case .copied(let count): return count
    case .waiting: return 0
    case .ended: return segmance_mhd_end_of_stream
    case .failed:
      // With a chunked body libmicrohttpd 0.9.75 closes the connection only at its next event. The
      // shutdown is one, so the client sees at once that the body is incomplete.
      shutdown(segmance_mhd_socket(connection.handle), Int32(SHUT_RDWR))
      return segmance_mhd_end_with_error
    }
  }

  private func end() {
    connection.daemon.remove(feed)
    feed.abandon()
  }
}
