// The job that writes the ordered clips to a zip.

import Database
import Media
import Model

/// Makes the zip of an export.
struct ExportJob: JobDefinition {
  static let kind = "export"

  let library: Library

  func run(_ job: Job<ExportOrder>, _ context: JobContext) throws -> [Library.Edit] {
    let order = job.parameters
    let clips = try library.exports.clips(of: order)
    let folder = library.folder
    let path = folder.temporaryPath("clips")
    do {
      let ranges = order.clips.map { (track: $0.track, frames: $0.start..<$0.end) }
      try library.withRenditions(of: ranges) {
        try ClipArchive(tools: library.tools, folder: folder).write(
          clips, try order.style(), notes: try library.exports.notes(of: order, clips), to: path,
          modifiedAt: Library.now() / 1000, progress: { context.report($0) },
          isCancelled: { context.shouldStop })
      }
    } catch {
      // If a track was deleted meanwhile, report that instead of the missing file.
      _ = try library.exports.clips(of: order)
      throw error
    }
    try library.exports.finish(job: job.id, movingFrom: path)
    return []
  }

  func cleanUp(_ job: Job<ExportOrder>, after end: JobRow.State) throws {
    if end != .done { try library.exports.remove(job: job.id) }
  }
}
