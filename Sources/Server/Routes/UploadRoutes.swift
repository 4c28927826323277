// Uploads: tus 1.0 (https://tus.io/protocols/resumable-upload), core, creation, termination and
// expiration.

import FoundationEssentials
import HTTP
import Media
import Storage

enum UploadRoutes {
  /// The protocol version.
  private static let version = "1.0.0"
  private static let extensions = "creation,termination,expiration"
  private static let offsetType = "application/offset+octet-stream"
  private static let headers = [
    ParameterDoc("Tus-Resumable", in: .header, schema: spoken, required: true)
  ]
  private static let spoken: JSONValue = ["type": "string", "const": "1.0.0"]
  private static let text: JSONValue = ["type": "string"]
  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  /// The format of byte counts in headers.
  private static let digits: JSONValue = ["type": "string", "pattern": "^[0-9]{1,18}$"]

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .options, "/api/uploads", summary: "What this tus server can do",
        responses: [
          ResponseDoc(
            204, "In the header fields",
            headers: [
              "Tus-Resumable": spoken, "Tus-Version": text, "Tus-Extension": text,
              "Tus-Max-Size": count,
            ])
        ],
        access: .person(nil), execution: .inline
      ) { _ in
        .empty(
          headers: [
            "Tus-Resumable": version, "Tus-Version": version, "Tus-Extension": extensions,
            "Tus-Max-Size": "\(library.quota.limits.fileBytes)",
          ])
      },
      Route(
        .post, "/api/uploads", summary: "Begin an upload",
        parameters: headers + [
          ParameterDoc(
            "Upload-Length", in: .header, schema: digits, description: "Bytes of the whole file",
            required: true),
          ParameterDoc(
            "Upload-Metadata", in: .header, description: "filename, then the name in base64"),
        ],
        responses: [
          ResponseDoc(
            201, "Its address is in Location, and in Upload-Expires when it ends",
            headers: [
              "Tus-Resumable": spoken, "Location": ["type": "string", "pattern": "^/api/uploads/"],
              "Upload-Offset": count, "Upload-Expires": text,
            ])
        ], access: .person(nil)
      ) { request in try create(request, library) },
      Route(
        .head, "/api/uploads/{id}", summary: "How much of an upload is here",
        parameters: headers,
        responses: [
          ResponseDoc(
            200, "In Upload-Offset and Upload-Length",
            headers: ["Tus-Resumable": spoken, "Upload-Offset": count, "Upload-Length": count])
        ], access: .person(nil)
      ) { request in
        try requireVersion(request)
        let upload = try library.askingBucket {
          try library.uploads.upload(request.parameters["id"])
        }
        return .empty(
          status: 200,
          headers: [
            "Tus-Resumable": version, "Upload-Offset": "\(upload.offset)",
            "Upload-Length": "\(upload.length)", "Cache-Control": "no-store",
          ])
      },
      .streamed(
        .patch, "/api/uploads/{id}", summary: "Add bytes to an upload",
        parameters: headers + [
          ParameterDoc(
            "Upload-Offset", in: .header, schema: digits,
            description: "Bytes that are here already", required: true)
        ],
        requestBody: BodyDoc(offsetType, schema: ["type": "string", "format": "binary"]),
        responses: [
          ResponseDoc(
            204, "They are stored; Upload-Offset tells how many",
            headers: ["Tus-Resumable": spoken, "Upload-Offset": count, "Upload-Expires": text])
        ], access: .person(nil)
      ) { request in try UploadSink(request, library) },
      Route(
        .delete, "/api/uploads/{id}", summary: "Throw an upload away",
        parameters: headers,
        responses: [ResponseDoc(204, "It is gone", headers: ["Tus-Resumable": spoken])],
        access: .person(nil)
      ) { request in
        try requireVersion(request)
        try library.askingBucket { try library.uploads.delete(request.parameters["id"]) }
        return .empty(headers: ["Tus-Resumable": version])
      },
    ]
  }

  private static func create(_ request: Request, _ library: Library) throws -> Response {
    try requireVersion(request)
    guard let length = request.headers["Upload-Length"].flatMap(number(in:)) else {
      throw HTTPError.badRequest("Say in Upload-Length how many bytes the file has.")
    }
    let name = try fileName(in: request.headers["Upload-Metadata"] ?? "")
    let upload = try library.media.createUpload(length: length, fileName: name)
    return .empty(
      status: 201,
      headers: [
        "Tus-Resumable": version, "Location": "/api/uploads/\(upload.id)", "Upload-Offset": "0",
        "Upload-Expires": expiry(),
      ])
  }

  /// Parses a number in tus headers: decimal digits only.
  fileprivate static func number(in field: String) -> Int? {
    field.utf8.allSatisfy { (48...57).contains($0) } ? Int(field) : nil
  }

  /// The time at which an idle upload expires, in the date format of tus and HTTP.
  private static func expiry() -> String {
    HTTPDate.text(Library.now() / 1000 + Upload.lifeSeconds)
  }

  /// The value of `filename` in `Upload-Metadata`: pairs of key and base64, separated by commas.
  static func fileName(in metadata: String) throws(HTTPError) -> String {
    for pair in metadata.split(separator: ",") {
      let words = pair.split(separator: " ")
      guard words.count == 2, words[0] == "filename" else { continue }
      guard let bytes = Data(base64Encoded: String(words[1])) else {
        throw .badRequest("The filename in Upload-Metadata is not base64.")
      }
      return MediaRecords.shown(String(decoding: bytes, as: UTF8.self), limit: 255)
    }
    return "Untitled"
  }

  fileprivate static func requireVersion(_ request: Request) throws(HTTPError) {
    guard request.headers["Tus-Resumable"] == version else {
      throw HTTPError(
        412, detail: "This server speaks tus \(version); say so in Tus-Resumable.",
        headers: ["Tus-Version": version])
    }
  }

  /// The body of one PATCH; its bytes are stored as they arrive.
  private final class UploadSink: BodySink {
    private let library: Library
    private let appender: any UploadAppender

    init(_ request: Request, _ library: Library) throws {
      try requireVersion(request)
      guard request.headers["Content-Type"] == offsetType else {
        throw HTTPError.unsupportedMediaType("Send the bytes as \(offsetType).")
      }
      guard let offset = request.headers["Upload-Offset"].flatMap(number(in:)) else {
        throw HTTPError.badRequest("Say in Upload-Offset where the bytes belong.")
      }
      self.library = library
      appender = try library.askingBucket {
        try library.uploads.append(request.parameters["id"], offset: offset)
      }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      try appender.write(bytes)
      if appender.isPieceFull { try library.askingBucket { try appender.send() } }
    }

    func finish() throws -> Response {
      let offset = try library.askingBucket { try appender.finish() }
      return .empty(
        headers: [
          "Tus-Resumable": version, "Upload-Offset": "\(offset)",
          "Upload-Expires": expiry(),
        ])
    }

    func abort() {
      do {
        // What arrived need not be sent by the client again.
        try library.askingBucket { try appender.send() }
      } catch {
        // The store has reported why, and the client learns of it from the offset.
        library.log.warning("upload.cutShort")
      }
      appender.abort()
    }
  }
}
