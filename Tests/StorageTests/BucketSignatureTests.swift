// Signatures against the examples that Amazon publishes, and the addresses and keys of buckets.

import Testing

@testable import Storage

@Suite struct BucketSignatureTests {
  /// The keys, region and moment of the examples in "Authenticating Requests: Using the Authorization
  /// Header (AWS Signature Version 4)".
  private let signature = BucketSignature(
    credentials: BucketCredentials(
      key: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  private let moment = 1_369_353_600

  private func signed(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], payload: String = BucketSignature.emptyHash
  ) -> String? {
    signature.headers(
      of: BucketSignature.Request(
        method: method, host: "examplebucket.s3.amazonaws.com", path: path, query: query,
        headers: headers), payload: payload, at: moment
    ).first { $0.name == "Authorization" }?.value
  }

  @Test func `a range of an object is signed as Amazon signs it`() {
    #expect(
      signed("GET", "/test.txt", headers: [("Range", "bytes=0-9")])
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `a stored object is signed as Amazon signs it`() {
    let authorization = signed(
      "PUT", "/" + BucketSignature.escaped("test$file.text", isPath: true),
      headers: [
        ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ], payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
    #expect(
      authorization?.hasSuffix(
        "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") == true)
  }

  @Test func `a parameter without a value and a sorted query are signed as Amazon signs them`() {
    #expect(
      signed("GET", "/", query: [("lifecycle", "")])?.hasSuffix(
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543") == true)
    #expect(
      signed("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])?.hasSuffix(
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true)
  }

  @Test func `an address for others is signed as Amazon signs it`() {
    let query = signature.query(
      of: BucketSignature.Request(
        method: "GET", host: "examplebucket.s3.amazonaws.com", path: "/test.txt"),
      from: moment, for: 86_400)
    #expect(
      query == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
        + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test func `the token of keys that expire is signed too`() {
    let signature = BucketSignature(
      credentials: BucketCredentials(key: "k", secret: "s", token: "t"), region: "x")
    let headers = signature.headers(
      of: BucketSignature.Request(method: "GET", host: "h", path: "/"),
      payload: BucketSignature.emptyHash, at: moment)
    #expect(headers.contains { $0 == ("x-amz-security-token", "t") })
    #expect(headers.last?.value.contains(";x-amz-security-token,") == true)
  }

  @Test func `an address names bucket, prefix, endpoint and region`() throws {
    let plain = try #require(BucketAddress("s3://songs"))
    #expect(plain.base == ("https://songs.s3.us-east-1.amazonaws.com", "/"))
    #expect(plain.prefix.isEmpty)
    let dotted = try #require(BucketAddress("s3://my.songs/a/b/?region=eu-central-1"))
    #expect(dotted.base == ("https://s3.eu-central-1.amazonaws.com", "/my.songs/"))
    #expect(dotted.prefix == "a/b/")
    let other = try #require(
      BucketAddress("s3://songs/a?endpoint=https%3A%2F%2Fobjects.test:443&region=garage"))
    #expect(other.base == ("https://objects.test", "/songs/"))
    #expect(BucketAddress(other.text) == other)
    #expect(!other.isPlain)
    #expect(BucketAddress("s3://songs?endpoint=http://127.0.0.1:9000")?.isPlain == true)
  }

  @Test(arguments: [
    "", "s3://", "s3://ab", "s3://Songs", "https://songs", "s3://key:secret@songs", "s3://-songs",
    "s3://songs/../a", "s3://songs//a", "s3://songs/a b", "s3://songs?endpoint=ftp://x",
    "s3://songs?endpoint=http://", "s3://songs?endpoint=http://user@host",
    "s3://songs?endpoint=http://host/path", "s3://songs?region=", "s3://songs?region=a/b",
    "s3://songs?key=abc", "s3://songs?region=a&region=b", "s3://songs?endpoint=%zz",
  ])
  func `what is no address is refused`(text: String) { #expect(BucketAddress(text) == nil) }

  @Test func `keys come from the environment, or from a profile of a file`() throws {
    let workshop = try Workshop()
    let file = try workshop.file(
      Array(
        """
        [default]
        aws_access_key_id = one
        # aws_secret_access_key = no
        aws_secret_access_key=two==
        [other]
        aws_access_key_id=three
        """.utf8))
    let named = try BucketCredentials.read([
      "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c",
      "AWS_SHARED_CREDENTIALS_FILE": file,
    ])
    #expect([named.key, named.secret, named.token] == ["a", "b", "c"])
    let stored = try BucketCredentials.read(["AWS_SHARED_CREDENTIALS_FILE": file])
    #expect([stored.key, stored.secret, stored.token] == ["one", "two==", nil])
    #expect(
      code {
        _ = try BucketCredentials.read([
          "AWS_SHARED_CREDENTIALS_FILE": file, "AWS_PROFILE": "other",
        ])
      }
        == .unreachable)
    #expect(code { _ = try BucketCredentials.read(["HOME": "/nowhere"]) } == .unreachable)
  }

  @Test func `keys are in no text`() {
    let keys = BucketCredentials(key: "KEY", secret: "SECRET", token: "TOKEN")
    var dumped = ""
    dump(keys, to: &dumped)
    for text in ["\(keys)", String(reflecting: keys), dumped] {
      #expect(!text.contains("KEY") && !text.contains("SECRET") && !text.contains("TOKEN"))
    }
  }
}
