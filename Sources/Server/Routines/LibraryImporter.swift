// Importing files from the command line: the same tracks, jobs and changes as through the browser.

import Database
import FoundationEssentials
import Model
import Storage

/// Makes routines of files on this machine.
public struct LibraryImporter {
  private let library: Library
  private let runner: JobRunner

  /// Prepares to import into `library`, which no server has open.
  public init(library: Library) {
    self.library = library
    runner = JobRunner(library: library, leavesBackgroundJobs: true)
    library.jobQueue.connect(runner)
  }

  /// What was made.
  public struct Outcome: Encodable, Sendable {
    /// The routine's id.
    public var routine: String
    /// How many parts it has.
    public var parts: Int
    /// The tracks' ids, in the order of the files.
    public var tracks: [String]
  }

  /// Imports `files` and makes a routine of them: a part for each, or, with `cuts` (rising frames),
  /// the parts between the cuts of the one file.
  ///
  /// All or nothing: when one file can't be used, none of those that are new stays.
  /// - Throws: `LibraryError` with a sentence for each file that can't be used.
  public func importFiles(
    _ files: [String], routine title: String, subtitle: String, cuts: [Int]?
  ) throws -> Outcome {
    try requireUsableTitle(title, subtitle)
    var added: [AddedMedia] = []
    do {
      for file in files {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let staged = try library.blobs.stage(copyOf: file)
        let track = try library.tracks.add(fileName: name, staged: staged)
        added.append(track)
      }
      runner.waitUntilIdle()
      var parts: [Library.NewPart] = []
      for (file, track) in zip(files, added) {
        parts += try self.parts(of: track, file: file, cuts: cuts)
      }
      let routine = try library.addRoutine(title: title, subtitle: subtitle, parts: parts)
      return Outcome(routine: routine, parts: parts.count, tracks: added.map(\.id))
    } catch {
      runner.waitUntilIdle()
      for track in added where track.isNew {
        // One that can't be removed keeps none of the others; what is told is why it gave up.
        do {
          try library.tracks.remove(track.id)
        } catch {
          library.log.error("import.unremoved", error, ["track": .text(track.id)])
        }
      }
      throw error
    }
  }

  private func requireUsableTitle(_ title: String, _ subtitle: String) throws(LibraryError) {
    for (name, text) in [("title", title), ("subtitle", subtitle)] {
      if let problem = RecordType.routine.field(name)?.problem(with: .text(text)) {
        throw LibraryError(.unusable, "The routine's \(name): \(problem)")
      }
    }
  }

  private func parts(
    of added: AddedMedia, file: String, cuts: [Int]?
  ) throws -> [Library.NewPart] {
    guard let track = try library.records.track(added.id), track.state == .ready,
      let lengthFrames = track.lengthFrames
    else {
      let message = try added.job.flatMap { try library.jobs.job($0)?.message }
      throw LibraryError(.unusable, "\(file): \(message ?? "It could not be imported.")")
    }
    let title = track.title ?? "Part"
    guard let cuts else {
      let name = MediaRecords.shown(title, limit: 120)
      return [Library.NewPart(title: name, track: track.id, range: 0..<lengthFrames)]
    }
    if let last = cuts.last, last >= lengthFrames {
      throw LibraryError(
        .unusable,
        "\(file) ends at \(Timeline.text(frame: lengthFrames)), "
          + "before the cut at \(Timeline.text(frame: last)).")
    }
    let borders = [0] + cuts + [lengthFrames]
    return zip(borders, borders.dropFirst()).enumerated().map { index, border in
      Library.NewPart(
        title: "Part \(index + 1)", track: track.id, range: border.0..<border.1)
    }
  }
}
