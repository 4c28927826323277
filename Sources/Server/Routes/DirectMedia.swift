// Answers that send a browser to the bucket for media, so that they need not pass this server.

import HTTP
import Storage

enum DirectMedia {
  static let parameter = ParameterDoc(
    "direct", schema: ["type": "string", "enum": ["1"]],
    description: """
      1: where the media are in a bucket and the server was started with --blob-links, the answer is \
      the address there
      """)
  static let response = ResponseDoc(
    307, "Its address in the bucket, which is good for half an hour at least and an hour at most",
    headers: ["Location": ["type": "string", "pattern": "^https?://"]])

  /// The answer to a request that wants an address in the bucket; nil if the bytes are to be sent.
  static func redirect(
    _ request: Request, _ library: Library, to address: (DirectAddresses) throws -> String
  ) throws -> Response? {
    switch request.query["direct"] {
    case nil: return nil
    case "1":
      guard let direct = library.direct else { return nil }
      return Response(
        status: 307,
        headers: ["Location": try address(direct), "Cache-Control": CacheControl.never],
        body: .none)
    default: throw HTTPError.badRequest("The query value direct can only be 1.")
    }
  }
}
