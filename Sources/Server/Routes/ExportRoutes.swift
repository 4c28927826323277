// Exports over HTTP. All are attachments: what a person typed is never a page of this origin.

import HTTP
import Model

enum ExportRoutes {
  private static let parameters = [
    ParameterDoc(
      "format",
      schema: ["type": "string", "enum": .array(LibraryExport.formats.map { .string($0) })],
      required: true),
    ParameterDoc(
      "paper",
      schema: ["type": "string", "enum": .array(LibraryExport.papers.map { .string($0) })],
      description: "Of a cue sheet; default: the printer's own"),
  ]
  private static let responses = [
    ResponseDoc(200, "The file, as an attachment", contentType: "*/*")
  ]

  static func routes(_ library: Library) -> [Route] {
    let export = LibraryExport(records: library.records, folder: library.folder)
    return [
      Route(
        .get, "/api/export", summary: "All routines in one file (labels: one routine at most)",
        parameters: parameters, responses: responses
      ) { request in
        let (format, paper) = try words(request)
        do {
          return attachment(try export.exportAll(format, paper))
        } catch let problem as ExportProblem {
          throw HTTPError.unprocessable(problem.description)
        }
      },
      Route(
        .get, "/api/routines/{id}/export", summary: "One routine as a file",
        parameters: parameters, responses: responses
      ) { request in
        let (format, paper) = try words(request)
        guard let file = try export.export(routineId: request.parameters["id"], format, paper)
        else { throw HTTPError.notFound("There is no such routine.") }
        return attachment(file)
      },
    ]
  }

  private static func words(_ request: Request) throws(HTTPError) -> (ExportFormat, Paper?) {
    guard let format = request.query["format"].flatMap(ExportFormat.init) else {
      throw .badRequest(
        "format must be one of \(LibraryExport.formats.joined(separator: ", ")).")
    }
    guard let word = request.query["paper"] else { return (format, nil) }
    guard let paper = Paper(rawValue: word) else {
      throw .badRequest("paper must be one of \(LibraryExport.papers.joined(separator: ", ")).")
    }
    return (format, paper)
  }

  private static func attachment(_ file: ExportedFile) -> Response {
    .bytes(
      file.bytes, contentType: file.mediaType, cacheControl: CacheControl.never,
      downloadName: file.name)
  }
}
