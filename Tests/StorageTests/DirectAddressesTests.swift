// Addresses at which browsers fetch objects of a bucket themselves.

import HTTPClient
import Testing

@testable import Storage

@Suite struct DirectAddressesTests {
  private func addresses(
    at seconds: Int = FakeBucket.midnight, answering headers: [String: String] = [:]
  ) throws -> DirectAddresses {
    let bucket = try #require(BucketAddress("s3://songs/studio?endpoint=http://inside.test:9000"))
    let client = BucketClient(
      bucket, BucketCredentials(key: "key", secret: "secret"),
      transport: { request, _ in
        #expect(request.url == "http://inside.test:9000/songs/studio/segmance.json")
        #expect(request.headers.contains { $0 == ("origin", "https://studio.example") })
        return HTTPClient.Response(status: 200, headers: headers, body: [])
      }, pause: { _ in }, now: { seconds })
    return DirectAddresses(client, origin: "https://objects.example")
  }

  @Test func `an address is the same for half an hour, and is good for another`() throws {
    let track = "0193a5b0-0000-7000-8000-000000000001"
    func address(_ seconds: Int) throws -> String {
      try addresses(at: FakeBucket.midnight + seconds)
        .derived(track, "00000.flac", contentType: "audio/flac")
    }
    let first = try address(0)
    #expect(
      first.hasPrefix("https://objects.example/songs/studio/derived/\(track)/00000.flac?"))
    #expect(first.contains("&X-Amz-Date=20130524T000000Z&X-Amz-Expires=3600&"))
    #expect(first.contains("&response-cache-control=private%2C%20max-age%3D1800&"))
    #expect(try address(1_799) == first)
    #expect(try address(1_800).contains("&X-Amz-Date=20130524T003000Z&X-Amz-Expires=3600&"))
    let blob = try addresses().blob(String(repeating: "a", count: 64), contentType: "video/mp4")
    #expect(
      blob.hasPrefix(
        "https://objects.example/songs/studio/blobs/\(String(repeating: "a", count: 64))?"))
  }

  @Test(arguments: [
    ("*", "Content-Range"), ("https://studio.example", "ETag, content-range"), ("*", "*"),
  ])
  func `a bucket that lets pages read is used`(origin: String, exposed: String) throws {
    try addresses(answering: [
      "access-control-allow-origin": origin, "access-control-expose-headers": exposed,
    ]).requireReadable(from: "https://studio.example")
  }

  @Test(arguments: [
    ["access-control-expose-headers": "Content-Range"],
    [
      "access-control-allow-origin": "https://other.example",
      "access-control-expose-headers": "Content-Range",
    ],
    ["access-control-allow-origin": "*", "access-control-expose-headers": "ETag"],
    ["access-control-allow-origin": "*"],
  ])
  func `a bucket that lets them read too little is not`(headers: [String: String]) throws {
    #expect(throws: StorageError.self) {
      try addresses(answering: headers).requireReadable(from: "https://studio.example")
    }
  }
}
