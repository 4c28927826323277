// Jobs over HTTP.

import HTTP

enum JobRoutes {
  static func routes(_ runner: JobRunner) -> [Route] {
    [
      Route(
        .get, "/api/jobs/{id}", summary: "How a job stands",
        responses: [.json(200, "The job", "Job")], access: .person(.job)
      ) { request in try .json(try status(request, runner)) },
      Route(
        .delete, "/api/jobs/{id}", summary: "Cancel a job; one that ended stays as it is",
        responses: [.json(202, "The job; it is cancelled now or in a moment", "Job")],
        access: .person(.job, to: .write)
      ) { request in
        try runner.cancel(try status(request, runner).id)
        return try .json(try status(request, runner), status: 202)
      },
    ]
  }

  private static func status(_ request: Request, _ runner: JobRunner) throws -> JobStatus {
    guard let status = try runner.status(request.parameters["id"]) else {
      throw HTTPError.notFound("There is no such job.")
    }
    return status
  }
}
