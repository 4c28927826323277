// Passes a reply to libmicrohttpd: memory, a file descriptor for sendfile, or a stream.

import CMicrohttpd
import Glibc
import Logging

enum ResponseWriter {
  /// The common headers as C strings, allocated once and never freed or changed.
  nonisolated(unsafe) private static let commonHeaders:
    [(name: UnsafeMutablePointer<CChar>?, value: UnsafeMutablePointer<CChar>?)] =
      EncodedResponse.commonHeaders.map { (name: strdup($0.name), value: strdup($0.value)) }

  /// Queues a reply on a connection; returns false if the connection is gone.
  static func send(_ reply: EncodedResponse, on connection: OpaquePointer, of daemon: Daemon)
    -> Bool
  {
    guard let response = response(for: reply, on: connection, of: daemon) else { return false }
    defer { MHD_destroy_response(response) }
    var isComplete = true
    for header in commonHeaders.dropFirst(reply.ownHeaders) {
      isComplete =
        MHD_add_response_header(response, header.name, header.value) == .YES && isComplete
    }
    for header in reply.headers.pairs {
      isComplete =
        MHD_add_response_header(response, header.name, header.value) == .YES && isComplete
    }
    if daemon.isStopping {
      isComplete = MHD_add_response_header(response, "Connection", "close") == .YES && isComplete
    }
    guard isComplete else {
      daemon.application.log.write(LogRecord(.error, "response.unsendable"))
      return false
    }
    return MHD_queue_response(connection, UInt32(reply.status), response) == .YES
  }

  private static func response(
    for reply: EncodedResponse, on connection: OpaquePointer, of daemon: Daemon
  ) -> OpaquePointer? {
    switch reply.payload {
    case .bytes(let bytes):
      bytes.withUnsafeBytes { buffer in
        // Copied by the call; libmicrohttpd's parameter only lacks the const.
        MHD_create_response_from_buffer(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
          .RESPMEM_MUST_COPY)
      }
    case .shared(let bytes):
      shared(bytes)
    case .file(let file, let range):
      if range.isEmpty {
        MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
      } else {
        self.file(file, range)
      }
    case .feed(let feed, let length):
      BodyStreamReader.response(feed, length: length, on: connection, of: daemon)
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
  private let daemon: Daemon
  private let connection: OpaquePointer

  private init(_ feed: any BodyStream, _ connection: OpaquePointer, _ daemon: Daemon) {
    self.feed = feed
    self.connection = connection
    self.daemon = daemon
  }

  static func response(
    _ feed: any BodyStream, length: Int?, on connection: OpaquePointer, of daemon: Daemon
  ) -> OpaquePointer? {
    daemon.add(feed)
    // Retained until the response is destroyed, which calls the second closure.
    let reader = Unmanaged.passRetained(BodyStreamReader(feed, connection, daemon))
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
    nonisolated(unsafe) let connection = self.connection
    let reading = feed.read(into: buffer) {
      MHD_suspend_connection(connection)
      return { MHD_resume_connection(connection) }
    }
    switch reading {
    case .copied(let count): return count
    case .waiting: return 0
    case .ended: return segmance_mhd_end_of_stream
    case .failed:
      // With a chunked body libmicrohttpd 0.9.75 closes the connection only at its next event. The
      // shutdown is one, so the client sees at once that the body is incomplete.
      shutdown(segmance_mhd_socket(connection), Int32(SHUT_RDWR))
      return segmance_mhd_end_with_error
    }
  }

  private func end() {
    daemon.remove(feed)
    feed.abandon()
  }
}
