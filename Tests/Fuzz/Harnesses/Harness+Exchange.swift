// A whole request, through guards, routing, decoding and reply, without a socket.

import FoundationEssentials
import HTTPTesting
import TestSupport

@testable import HTTP

extension Harness {
  /// A request as it stands on the wire: method and target, header fields, an empty line, a body.
  static let request = Harness(
    "request", "no request is the server's fault, and what is answered is what is there",
    texts: [
      "GET /api/file\nRange: bytes=10-19\nIf-Range: \"tag\"\n\n",
      "GET /api/file\nRange: bytes=10-19\nIf-Range: W/\"tag\"\n\n",
      "GET /api/text\nAccept-Encoding: gzip;q=0, *\n\n", "HEAD /api/file\nRange: bytes=1-\n\n",
      "GET /api/text\nAccept-Encoding: br;q=1, gzip;q=0.5\nIf-None-Match: W/\"x\", \"tag\"\n\n",
      "POST /api/json\nContent-Type: application/json; charset=utf-8\n\n"
        + #"{"a":[1,-2.5e3,true,null,"\u00e4\n"],"b":{}}"#,
      "PATCH /api/sink/7\nContent-Length: 3\n\nabc",
      "PATCH /api/sink/7\nContent-Length: 3\nContent-Length: 3\n\nabc", "HEAD /api/file\n\n",
      "DELETE /api/items/12?count=3\n\n", "OPTIONS *\n\n",
      "GET http://localhost:7700/api/query?n=-1\n\n",
      "POST /api/order\n\n" + #"{"name":"x","count":[1,2],"inner":{"at":5}}"#,
    ],
    words: [
      "Range: bytes=", "If-None-Match: ", "If-Range: ", "\"tag\"", "W/", "Accept-Encoding: ",
      "gzip",
      "q=0.000", "Content-Length: ", "Transfer-Encoding: chunked\n", "Content-Type: ", "Host: ",
      "application/json", "Cookie: ", "1e308", "9223372036854775808", "\\ud800", "/api/", "null",
    ], shortRounds: 800
  ) {
    let folder = try TemporaryFolder()
    let content = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try folder.write("file.bin", content)
    let application = Application(
      configuration: Configuration(), router: Router(routes: routes(file: path)))
    return { bytes in
      _ = folder
      guard let request = read(bytes) else { return }
      let sent = InProcessRequest(request, to: application)
      sent.send(request.body)
      guard let response = sent.finish() else {
        return try holds(
          announcedLength(request) ?? 0 > request.body.count, "no answer for \(request.target)")
      }
      try holds(response.status < 500, "\(response.status) for \(request.target)")
      try holds(
        EncodedResponse(
          status: response.status, headers: response.headers, payload: EncodedResponse.empty
        )
        .unsafeHeader == nil, "a header breaks the message")
      if request.headers.values(of: "Content-Length").count > 1 {
        try holds(response.status >= 400, "a length given twice is taken")
      }
      try checkBody(response, request, content)
      try checkConditions(response, request)
    }
  }

  /// Whether the client has it already, may have a part, and can unpack it (RFC 9110, 12.5.3, 13, 14).
  private static func checkConditions(_ response: Response, _ request: Request) throws {
    guard ["/api/file", "/api/text"].contains(request.target),
      response.status < 400 || response.status == 416,
      [.get, .head].contains(request.method)
    else { return }
    let isFile = request.target == "/api/file"
    let known = elements(of: request.headers["If-None-Match"])
    let isKnown =
      known.elementsEqual(["*"])
      || known.contains { $0 == "\"tag\"" || $0 == "W/\"tag\"" }
    try holds((response.status == 304) == isKnown, "\(response.status), and it has \(known)")
    if isKnown { return }
    if let version = request.headers["If-Range"], elements(of: version) != ["\"tag\""] {
      try holds(response.status == 200, "a part of another version than \(version)")
    }
    let mayBePart = isFile && request.method == .get && request.headers["Range"] != nil
    try holds(mayBePart || response.status == 200, "a part that nobody asked for")
    guard !isFile else { return }
    var worth: [String: Bool] = [:]
    for element in elements(of: request.headers["Accept-Encoding"]) {
      // One that begins with a semicolon names nothing.
      let parts = element.utf8.split(
        separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
      ).map { trimmed($0) }
      let name = Headers.lowercased(parts.first ?? "")
      let isNothing = parts.dropFirst().contains { part in
        let text = Headers.lowercased(part)
        return text.hasPrefix("q=") && text.utf8.dropFirst(2).allSatisfy { "0.".utf8.contains($0) }
      }
      if worth[name] == nil { worth[name] = !isNothing }
    }
    let isPacked = response.headers["Content-Encoding"] == "gzip"
    try holds(response.headers["Vary"] == "Accept-Encoding", "nothing tells what it depends on")
    let named = [worth["gzip"], worth["x-gzip"]].compactMap(\.self)
    // Two names for the same, with different worth, say nothing.
    guard Set(named).count < 2 else { return }
    try holds(isPacked == named.first ?? worth["*"] ?? false, "packed \(isPacked) for \(worth)")
  }

  /// The elements of a list, without the blanks around them.
  private static func elements(of field: String?) -> [String] {
    (field ?? "").utf8.split(separator: UInt8(ascii: ",")).map { trimmed($0) }.filter {
      !$0.isEmpty
    }
  }

  private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    return String(
      decoding: bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed(), as: UTF8.self
    )
  }

  private static func checkBody(
    _ response: Response, _ request: Request, _ content: [UInt8]
  ) throws {
    guard case .bytes(let body) = response.body else {
      try holds(
        response.status != 206 || request.method == .head, "a part without bytes")
      return
    }
    try holds(![204, 304].contains(response.status), "\(response.status) has a body")
    if response.status == 206 {
      let words = (response.headers["Content-Range"] ?? "").split(whereSeparator: {
        " -/".contains($0)
      })
      let numbers = words.compactMap { Int($0) }
      try holds(
        numbers.count == 3 && numbers[2] == content.count && numbers[0] <= numbers[1]
          && numbers[1] < content.count && body.elementsEqual(content[numbers[0]...numbers[1]]),
        "a part is not what its header says")
    }
    if response.headers["X-Echo"] != nil {
      let sent = try JSONDecoder().decode(JSONValue.self, from: Data(request.body))
      let echoed = try JSONDecoder().decode(JSONValue.self, from: Data(body))
      try holds(sent == echoed, "a value is written as another")
    }
  }

  private static func announcedLength(_ request: Request) -> Int? {
    request.headers["Content-Length"].flatMap { Int($0) }
  }

  /// Takes the text apart; nil where it names no method.
  private static func read(_ bytes: [UInt8]) -> Request? {
    var lines = bytes.lines(40)[...]
    let words = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 1)
    guard words.count == 2, let method = Method(rawValue: String(words[0])) else { return nil }
    var headers = Headers()
    while let line = lines.popFirst(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { headers.add(String(parts[0]), String(parts[1].trimmingSpaces())) }
    }
    if headers["Host"] == nil { headers["Host"] = "localhost:7700" }
    if headers["Sec-Fetch-Site"] == nil { headers["Sec-Fetch-Site"] = "same-origin" }
    var body = Array(lines.joined(separator: "\n").utf8)
    if let length = headers["Content-Length"] {
      if let length = Int(length) { body = Array(body.prefix(max(0, length))) }
    } else if !body.isEmpty, headers["Transfer-Encoding"] == nil {
      headers["Content-Length"] = String(body.count)
    }
    return Request(method, String(words[1]), headers: headers, body: body)
  }

  private struct Order: Decodable {
    struct Inner: Decodable { var at: Int }
    var name: String
    var count: [Int]
    var inner: Inner?
  }

  private final class CountingSink: BodySink {
    private var count = 0
    func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
    func finish() -> Response { .text("\(count)") }
    func abort() {}
  }

  private static func routes(file: String) -> [Route] {
    let text = String(repeating: "A page that is worth compressing. ", count: 60)
    return [
      Route(.get, "/api/file", summary: "") { _ in
        .file(
          path: file, contentType: "application/octet-stream", etag: "tag", downloadName: "ä\"b")
      },
      Route(.get, "/api/text", summary: "") { _ in
        .bytes(Array(text.utf8), contentType: "text/plain", etag: "tag")
      },
      Route(.post, "/api/json", summary: "", body: .buffered(limit: 4_096)) { request in
        var response = Response.json(
          encoded: try request.decode(JSONValue.self).serialized())
        response.headers["X-Echo"] = "1"
        return response
      },
      Route(.post, "/api/order", summary: "", body: .buffered(limit: 4_096)) { request in
        .text(try request.decode(Order.self).name)
      },
      .streamed(.patch, "/api/sink/{id}", summary: "", limit: 1_000) { _ in CountingSink() },
      Route(.delete, "/api/items/{id}", summary: "") { request in
        .text("\(try request.parameters.integer("id")) \(try request.query.integer("count") ?? 0)")
      },
      Route(.get, "/api/query", summary: "") { request in
        .text("\(try request.query.requiredInteger("n"))")
      },
    ]
  }
}
