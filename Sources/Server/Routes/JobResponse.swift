// The answer to a request whose work a job does.

/// Names the job.
struct JobResponse: Encodable {
  var job: String
}
