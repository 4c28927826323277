// Exports over HTTP. All are attachments, because text that a person typed must not become a page
// of this origin. The only exceptions are sheets for printing, which may run no script but their own.

import HTTP
import Model

enum ExportRoutes {
  private static let parameters = [
    ParameterDoc(
      "format",
      schema: ["type": "string", "enum": .array(LibraryExport.formats.map { .string($0) })],
      required: true),
    paperParameter("Of a cue sheet or eight-count sheet; default: the printer's own"),
    printParameter,
  ]
  private static let printParameter = ParameterDoc(
    "print", schema: ["type": "boolean"],
    description: "Whether a sheet is a page that opens the print dialogue")
  private static let responses = [
    ResponseDoc(200, "The file, as an attachment; a sheet to print: a page", contentType: "*/*")
  ]

  private static func paperParameter(_ description: String) -> ParameterDoc {
    ParameterDoc(
      "paper",
      schema: ["type": "string", "enum": .array(LibraryExport.papers.map { .string($0) })],
      description: description)
  }

  static func routes(_ library: Library) -> [Route] {
    let export = LibraryExport(
      records: library.records,
      derived: DerivedReader(folder: library.folder, bucket: library.derived))
    return [
      Route(
        .get, "/api/export", summary: "All routines in one file (labels: one routine at most)",
        parameters: parameters, responses: responses, access: .person(nil)
      ) { request in
        let (format, printing) = try words(request)
        let viewer = library.permissions.viewer(of: request.caller) ?? .owner
        return answer(
          try export.exportAll(format, printing, for: viewer), format, printing)
      },
      Route(
        .get, "/api/routines/{id}/export", summary: "One routine as a file",
        parameters: parameters, responses: responses, access: .person(.routine)
      ) { request in
        let (format, printing) = try words(request)
        guard let file = try export.export(routineId: request.parameters["id"], format, printing)
        else { throw HTTPError.notFound("There is no such routine.") }
        return answer(file, format, printing)
      },
      Route(
        .get, "/api/export/empty-countsheet", summary: "An empty eight-count sheet on one page",
        parameters: [
          ParameterDoc(
            "counts",
            schema: [
              "type": "integer", "minimum": .integer(EmptyCountSheet.counts.lowerBound),
              "maximum": .integer(EmptyCountSheet.counts.upperBound),
            ],
            description: "The counts of a row; default: 8"),
          paperParameter("Default: A4"), printParameter,
        ], responses: responses, access: .person(nil), execution: .inline
      ) { request in
        guard let counts = Int(request.query["counts"] ?? "8"),
          EmptyCountSheet.counts.contains(counts)
        else { throw HTTPError.badRequest("counts must be a number from 5 to 8.") }
        let printing = try printing(request)
        let sheet = EmptyCountSheet(counts: counts, printing)
        return answer(
          ExportedFile(
            name: EmptyCountSheet.fileName, mediaType: ExportFormat.countsheet.mediaType,
            bytes: Array(sheet.text().utf8)),
          .countsheet, printing)
      },
    ]
  }

  private static func words(_ request: Request) throws(HTTPError) -> (ExportFormat, Printing) {
    guard let format = request.query["format"].flatMap(ExportFormat.init) else {
      throw .badRequest(
        "format must be one of \(LibraryExport.formats.joined(separator: ", ")).")
    }
    return (format, try printing(request))
  }

  private static func printing(_ request: Request) throws(HTTPError) -> Printing {
    var printing = Printing()
    switch request.query["print"] {
    case nil, "false": break
    case "true": printing.isAtOnce = true
    default: throw .badRequest("print must be true or false.")
    }
    guard let word = request.query["paper"] else { return printing }
    guard let paper = Paper(rawValue: word) else {
      throw .badRequest("paper must be one of \(LibraryExport.papers.joined(separator: ", ")).")
    }
    printing.paper = paper
    return printing
  }

  private static func answer(
    _ file: ExportedFile, _ format: ExportFormat, _ printing: Printing
  ) -> Response {
    let isPage = format.isPrinted && printing.isAtOnce
    var response = Response.bytes(
      file.bytes, contentType: file.mediaType, cacheControl: CacheControl.never,
      downloadName: isPage ? nil : file.name)
    if isPage {
      response.headers["Content-Security-Policy"] =
        HTMLText.printingPolicy + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
    return response
  }
}
