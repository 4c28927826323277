// Requests to a bucket that fails in every way.

import HTTPClient
import Testing

@testable import Storage

@Suite struct BucketClientTests {
  private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private func hash(_ bytes: [UInt8]) -> String {
    var hasher = SHA256Hasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    return hasher.digest()
  }

  private func get(_ client: BucketClient, _ name: String, size: Int) throws -> [UInt8] {
    var got: [UInt8] = []
    try client.get(name, size: size) { got += $0 }
    return got
  }

  @Test func `an object comes back as it was stored, and goes`() throws {
    let (workshop, bucket) = (try Workshop(), try FakeBucket())
    let path = try workshop.file(bytes)
    try bucket.client.upload("blobs/a", fileAt: path, size: bytes.count, sha256: hash(bytes))
    #expect(bucket.objects == ["studio/blobs/a": bytes])
    #expect(try get(bucket.client, "blobs/a", size: bytes.count) == bytes)
    try bucket.client.delete("blobs/a")
    #expect(bucket.objects.isEmpty)
    #expect(code { _ = try bucket.client.size(of: "blobs/a") } == .notFound)
  }

  @Test func `a body that changes on its way is refused and not stored`() throws {
    let (workshop, bucket) = (try Workshop(), try FakeBucket())
    let path = try workshop.file(bytes)
    let wrong = hash([1])
    #expect(
      code { try bucket.client.upload("a", fileAt: path, size: bytes.count, sha256: wrong) }
        == .unreachable)
    #expect(bucket.objects.isEmpty)
    #expect(bucket.pauses.isEmpty, "it would be wrong again")
  }

  @Test func `what may pass is tried again, with longer pauses`() throws {
    let bucket = try FakeBucket()
    bucket.fail("PUT", .timeout, .status(503, "SlowDown"), .status(500, "InternalError"))
    try bucket.client.put("a", bytes)
    #expect(bucket.objects["studio/a"] == bytes)
    let pauses = bucket.pauses
    #expect(pauses.count == 3)
    for (pause, shortest) in zip(pauses, [200, 400, 800]) {
      #expect((shortest...shortest * 3 / 2).contains(pause))
    }
  }

  @Test func `after four attempts it is given up, with a sentence and the reason`() throws {
    let bucket = try FakeBucket()
    bucket.failAlways("GET")
    let error = #expect(throws: StorageError.self) { _ = try bucket.client.get("a") }
    #expect(error?.code == .unreachable)
    #expect(error?.message.contains("Nothing is lost") == true)
    #expect(error?.reason.contains("it took too long") == true)
    #expect(bucket.takeRequests().count == 4)
  }

  @Test(arguments: [
    ("AccessDenied", 403, "read, write, delete and list"),
    ("SignatureDoesNotMatch", 403, "AWS_SECRET_ACCESS_KEY"),
    ("NoSuchBucket", 404, "Make it first"), ("PermanentRedirect", 301, "region="),
    ("RequestTimeTooSkewed", 403, "clock"),
  ])
  func `what the operator can mend is said, and not tried again`(
    code: String, status: Int, advice: String
  ) throws {
    let bucket = try FakeBucket()
    bucket.fail("GET", .status(status, code))
    let error = #expect(throws: StorageError.self) { _ = try bucket.client.get("a") }
    #expect(error?.code == .unreachable)
    #expect(error?.reason.contains(advice) == true)
    #expect(bucket.takeRequests().count == 1)
  }

  @Test func `a code that is no word is not written to the log`() throws {
    let bucket = try FakeBucket()
    bucket.fail("GET", .status(403, "a\nb"))
    let error = #expect(throws: StorageError.self) { _ = try bucket.client.get("a") }
    #expect(error?.reason.hasSuffix("GET: 403") == true)
  }

  @Test func `a broken transfer goes on where it was, however often it breaks`() throws {
    let bucket = try FakeBucket()
    bucket.objects = ["studio/a": bytes]
    for _ in 0..<10 { bucket.fail("GET", .broken(after: 9_000)) }
    #expect(try get(bucket.client, "a", size: bytes.count) == bytes)
    #expect(bucket.takeRequests().count == 11)
    bucket.fail("GET", .short(5), .broken(after: 0), .broken(after: 0), .broken(after: 0))
    #expect(
      code { _ = try get(bucket.client, "a", size: bytes.count) } == .unreachable, "nothing comes")
  }

  @Test func `an object of another size is damage`() throws {
    let bucket = try FakeBucket()
    bucket.objects = ["studio/a": bytes]
    #expect(code { _ = try get(bucket.client, "a", size: bytes.count - 1) } == .corrupt)
  }

  @Test func `an error of the receiver ends the request at once`() throws {
    struct Full: Error {}
    let bucket = try FakeBucket()
    bucket.objects = ["studio/a": bytes]
    #expect(throws: Full.self) {
      try bucket.client.get("a", size: bytes.count) { _ in throw Full() }
    }
    #expect(bucket.takeRequests().count == 1)
  }

  @Test func `a list has many pages, and only what begins with the prefix`() throws {
    let bucket = try FakeBucket(pageSize: 3)
    bucket.objects = Dictionary(
      uniqueKeysWithValues: (0..<10).map {
        ("studio/blobs/\($0)", [UInt8](repeating: 0, count: $0))
      })
    let list = try bucket.client.list("blobs/")
    #expect(list.map(\.size) == Array(0..<10))
    #expect(list[7].name == "blobs/7")
    #expect(bucket.takeRequests().count == 4)
  }

  @Test func `a large file goes in parts, and a part that fails is sent again`() throws {
    let (workshop, bucket) = (try Workshop(), try FakeBucket())
    let path = try workshop.file(bytes)
    bucket.fail("PUT", .timeout)
    try bucket.client.uploadInParts("a", fileAt: path, size: bytes.count, partBytes: 30_000)
    #expect(bucket.objects["studio/a"] == bytes)
    #expect(bucket.unfinished == 0)
    #expect(bucket.takeRequests().filter { $0.hasPrefix("PUT") }.count == 5)
  }

  @Test func `an upload in parts that fails leaves none`() throws {
    let (workshop, bucket) = (try Workshop(), try FakeBucket())
    let path = try workshop.file(bytes)
    bucket.fail("PUT", .status(403, "AccessDenied"))
    #expect(
      code {
        try bucket.client.uploadInParts("a", fileAt: path, size: bytes.count, partBytes: 30_000)
      } == .unreachable)
    #expect(bucket.unfinished == 0)
    #expect(bucket.objects.isEmpty)
  }

  @Test func `an upload whose last answer was lost counts if the object is there`() throws {
    let (workshop, bucket) = (try Workshop(), try FakeBucket())
    let path = try workshop.file(bytes)
    bucket.before { [bytes] line in
      // An attempt before this one succeeded, and its answer was lost: the upload is no longer known.
      if line == "POST studio/a", bucket.unfinished == 1 {
        bucket.objects = ["studio/a": bytes]
        bucket.forgetParts()
      }
    }
    try bucket.client.uploadInParts("a", fileAt: path, size: bytes.count, partBytes: 30_000)
    #expect(bucket.objects["studio/a"] == bytes)
  }

  @Test func `parts that nobody completed are deleted`() throws {
    let bucket = try FakeBucket()
    _ = try bucket.client.document(
      "POST", "blobs/x", query: [("uploads", "")], root: "InitiateMultipartUploadResult")
    #expect(bucket.unfinished == 1)
    #expect(try bucket.client.deleteAbandonedParts("blobs/") == 1)
    #expect(bucket.unfinished == 0)
  }

  @Test func `XML is elements and text`() throws {
    let xml = try #require(
      BucketXML(
        Array(
          "<?xml version=\"1.0\"?>\n<A xmlns=\"x\"><B>1 &lt; 2 &amp; &#x41;&#66;</B><C/></A>\n".utf8
        )))
    #expect(xml.name == "A")
    #expect(xml["B"] == "1 < 2 & AB")
    #expect(xml["C"] == "")
    #expect(xml["D"] == nil)
  }

  @Test(arguments: [
    "", "text", "<A>", "<A></B>", "<A/><B/>", "<A></A>x", "x<A/>", "<A>&bomb;</A>",
    "<A>&#x110000;</A>",
    "<A>&amp</A>", "<!DOCTYPE A [<!ENTITY b \"c\">]><A>&b;</A>", "<A><!-- x --></A>",
    "<A><![CDATA[x]]></A>", "<A><?x?></A>", "< A/>", "<>", "<A", "</A>",
    String(repeating: "<A>", count: 9) + String(repeating: "</A>", count: 9),
    "<A>" + String(repeating: "<B/>", count: 50_000) + "</A>",
  ])
  func `XML that is none, hostile or huge is refused`(text: String) {
    #expect(BucketXML(Array(text.utf8)) == nil)
  }

  @Test func `bytes that are no text are no XML`() {
    #expect(BucketXML([0x3C, 0x41, 0x3E, 0xFF, 0x3C, 0x2F, 0x41, 0x3E]) == nil)
  }
}
