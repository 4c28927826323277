// Why a request to a bucket failed.

/// A failed request to a bucket.
struct BucketFailure: Error {
  /// What happened, for the log.
  let reason: String
  /// The code of S3's report, such as `NoSuchKey`.
  let code: String?
  /// Whether the same request may succeed later.
  let isPassing: Bool

  /// Makes a failure from a response.
  init(status: Int, code: String?, what: String) {
    // It is written to the log, so it must be a word.
    let isWord = code?.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } == true
    self.code = isWord ? code.map { String($0.prefix(60)) } : nil
    reason = "\(what): \(status)\(self.code.map { " " + $0 } ?? "")"
    isPassing =
      status >= 500 && status != 501 || status == 429 || status == 408
      || ["RequestTimeout", "SlowDown", "InternalError"].contains(code ?? "")
    self.isMissing = status == 404 && code != "NoSuchBucket"
  }

  /// Makes a failure without a response that says it.
  init(what: String, reason: String, isPassing: Bool) {
    self.reason = "\(what): \(reason)"
    code = nil
    self.isPassing = isPassing
    isMissing = false
  }

  private let isMissing: Bool

  /// The failure as an error of this module: a sentence for the performer, with the reason for the
  /// operator.
  func storageError(_ address: BucketAddress) -> StorageError {
    if isMissing {
      return StorageError(.notFound, "A file that was expected is not there.", cause: reason)
    }
    return StorageError(
      .unreachable,
      "Songs and videos can't be read or stored at the moment: the storage that keeps them does not "
        + "answer as it should. Nothing is lost. Try again later.",
      cause: "\(address.text): \(advice ?? reason)")
  }

  /// What the operator can do; nil if only the reason tells.
  private var advice: String? {
    switch code {
    case "NoSuchBucket": "There is no such bucket. Make it first. (\(reason))"
    case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
      "The keys are not accepted. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. (\(reason))"
    case "AccessDenied":
      "These keys may not do this. They need to read, write, delete and list. (\(reason))"
    case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
      "The bucket is in another region. Add region=… to its address. (\(reason))"
    case "RequestTimeTooSkewed": "The clock of this machine is wrong. (\(reason))"
    default: nil
    }
  }
}
