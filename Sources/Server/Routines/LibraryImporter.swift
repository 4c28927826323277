// Imports files from the command line, with the same tracks, jobs and changes as the browser.

import Database
import FoundationEssentials
import Model
import Storage

/// Makes routines from files on this machine.
public struct LibraryImporter {
  private let library: Library
  private let runner: JobRunner

  /// Makes an importer for `library`, which no server has open.
  public init(library: Library) {
    self.library = library
    runner = JobRunner(library: library, leavesBackgroundJobs: true)
    library.jobQueue.connect(runner)
  }

  /// The created records.
  public struct Outcome: Encodable, Sendable {
    /// The routine's id.
    public var routine: String
    /// The number of parts.
    public var parts: Int
    /// The tracks' ids, in the order of the files.
    public var tracks: [String]
    /// The files that hold the same bytes as an earlier one, and became no part.
    public var skipped: [Skip]
  }

  /// A file that was skipped.
  public struct Skip: Encodable, Equatable, Sendable {
    public var file: String
    /// The earlier file with the same bytes.
    public var sameAs: String
  }

  /// Imports `files` and makes one routine from them: a part for each different file or, with `cuts` (rising
  /// frames), the parts between the cuts of the only file.
  ///
  /// If one file is unusable, none of the new files stays.
  /// - Throws: `LibraryError` with a sentence for each unusable file.
  public func importFiles(
    _ files: [String], routine title: String, subtitle: String, cuts: [Int]?
  ) throws -> Outcome {
    try requireUsableTitle(title, subtitle)
    var added: [(file: String, track: AddedMedia)] = []
    var skipped: [Skip] = []
    do {
      for file in files {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let staged = try library.blobs.stage(copyOf: file)
        let track = try library.tracks.add(fileName: name, staged: staged)
        if let twin = added.first(where: { $0.track.id == track.id }) {
          skipped.append(Skip(file: file, sameAs: twin.file))
        } else {
          added.append((file, track))
        }
      }
      runner.waitUntilIdle()
      var parts: [Library.NewPart] = []
      for (file, track) in added {
        parts += try self.parts(of: track, file: file, cuts: cuts)
      }
      let routine = try library.addRoutine(title: title, subtitle: subtitle, parts: parts)
      return Outcome(
        routine: routine, parts: parts.count, tracks: added.map(\.track.id), skipped: skipped)
    } catch {
      runner.waitUntilIdle()
      for (_, track) in added where track.isNew {
        // A failed removal does not stop the others. The error reports why the import failed.
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
