// The response to a request that is completed by a job.

/// The response body.
struct JobResponse: Encodable {
  var job: String
}
