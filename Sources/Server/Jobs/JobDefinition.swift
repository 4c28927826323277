// What a kind of job is: its parameters, its work, and what belongs to its end.

import Database
import FoundationEssentials
import Model

/// A job whose parameters were read from its row.
struct Job<Parameters: JobParameters>: Sendable {
  /// The id of its row.
  let id: String
  let parameters: Parameters
}

/// One kind of job. A type for each is in this folder.
protocol JobDefinition: Sendable {
  /// What a job of this kind is told of its work.
  associatedtype Parameters: JobParameters

  /// The name of the kind in the job table and on the wire.
  static var kind: String { get }
  /// Whether a server fault makes the job wait and run again instead of failing. For work whose
  /// input is stored nowhere else.
  var retries: Bool { get }
  /// Whether no one waits for the job: such jobs run one at a time, and only when no other job
  /// waits.
  var isBackground: Bool { get }
  /// How many jobs of this kind run at a time at most.
  var limit: Int { get }

  /// Does the work; the edits it returns are committed together with the end of the job.
  func run(_ job: Job<Parameters>, _ context: JobContext) throws -> [Library.Edit]
  /// The edits of a job that failed, with the sentence that says why, or that was cancelled.
  func onFailure(_ job: Job<Parameters>, problem: String?) -> [Library.Edit]
  /// Changes files once the end is committed.
  func cleanUp(_ job: Job<Parameters>, after end: JobRow.State) throws
  /// Updates health with the ended job, before its status says that it has ended. It is called
  /// without a lock of the runner, and may read tables.
  func onEnd(_ row: JobRow)
  /// The job that is added in the same transaction when this one is done.
  func followUp(_ job: Job<Parameters>) throws -> JobRow?
  /// Throws the fault of the server that keeps the job from its work. Called after a job that
  /// retries has failed, before its failure is attributed to the file.
  func diagnose(_ job: Job<Parameters>, _ context: JobContext) throws
}

extension JobDefinition {
  var retries: Bool { false }
  var isBackground: Bool { false }
  var limit: Int { .max }

  func onFailure(_ job: Job<Parameters>, problem: String?) -> [Library.Edit] { [] }
  func cleanUp(_ job: Job<Parameters>, after end: JobRow.State) throws {}
  func onEnd(_ row: JobRow) {}
  func followUp(_ job: Job<Parameters>) throws -> JobRow? { nil }
  func diagnose(_ job: Job<Parameters>, _ context: JobContext) throws {}
}

// The same with the row as it is stored, for who does not know the type of the parameters.
extension JobDefinition {
  /// Makes the row of a new job; `id`: nil for a new one.
  static func row(id: String? = nil, _ parameters: Parameters) throws -> JobRow {
    JobRow(
      id: id ?? Identifier.make(milliseconds: Library.now()), kind: kind,
      parameters: try parameters.text())
  }

  /// Returns the record that a job of this kind works on; nil if there is none.
  static func record(of row: JobRow) -> JobRecord? { read(row)?.parameters.record }

  /// Does the work of `row`. Throws a `LibraryError` when its parameters can't be read.
  func run(_ row: JobRow, _ context: JobContext) throws -> [Library.Edit] {
    guard let job = Self.read(row) else { throw LibraryError.unknownWork }
    return try run(job, context)
  }

  /// The edits of `row` that failed or was cancelled.
  func onFailure(_ row: JobRow, problem: String?) -> [Library.Edit] {
    Self.read(row).map { onFailure($0, problem: problem) } ?? []
  }

  /// Changes files after `row` has ended.
  func cleanUp(_ row: JobRow) throws {
    if let job = Self.read(row) { try cleanUp(job, after: row.state) }
  }

  /// The job that is added when `row` is done.
  func followUp(_ row: JobRow) throws -> JobRow? { try Self.read(row).flatMap(followUp) }

  /// Throws the fault of the server that keeps `row` from its work.
  func diagnose(_ row: JobRow, _ context: JobContext) throws {
    if let job = Self.read(row) { try diagnose(job, context) }
  }

  private static func read(_ row: JobRow) -> Job<Parameters>? {
    Parameters(text: row.parameters).map { Job(id: row.id, parameters: $0) }
  }
}

/// Thrown by a job whose library was replaced while it ran, so that its end is not written here.
struct JobSuperseded: Error {}

/// The kinds of jobs.
enum JobKinds {
  private static let types: [any JobDefinition.Type] = [
    AlignmentJob.self, AnalysisJob.self, BackupJob.self, ConversionJob.self, ExportJob.self,
    ImportJob.self, ReconvertJob.self, RenewJob.self, RestoreJob.self,
  ]
  private static let byName = Dictionary(uniqueKeysWithValues: types.map { ($0.kind, $0) })

  /// Those that make a track or a video ready.
  static let preparing: Set = [
    ImportJob.kind, RenewJob.kind, ConversionJob.kind, ReconvertJob.kind,
  ]

  /// Returns the record that a job works on; nil if there is none, or its kind is not known.
  static func record(of row: JobRow) -> JobRecord? { byName[row.kind]?.record(of: row) }

  /// The definitions of all kinds by name.
  ///
  /// - Parameter onReplaced: called when a restored library waits to be opened in place of `library`.
  static func definitions(
    of library: Library, onReplaced: @escaping @Sendable () -> Void
  ) -> [String: any JobDefinition] {
    let all: [any JobDefinition] = [
      AlignmentJob(library: library), AnalysisJob(library: library), BackupJob(library: library),
      ConversionJob(library: library), ExportJob(library: library), ImportJob(library: library),
      ReconvertJob(library: library), RenewJob(library: library),
      RestoreJob(library: library, onReplaced: onReplaced),
    ]
    return Dictionary(uniqueKeysWithValues: all.map { (type(of: $0).kind, $0) })
  }
}

extension JobRow {
  /// The record that the job works on; nil if there is none.
  var record: JobRecord? { JobKinds.record(of: self) }

  /// Whether it makes a track or a video ready.
  var isPreparing: Bool { JobKinds.preparing.contains(kind) }
}
