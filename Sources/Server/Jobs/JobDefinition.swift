// The definition of a job kind: parameters, work, and steps at its end.

import Database
import FoundationEssentials
import Model

/// A job with decoded parameters.
struct Job<Parameters: JobParameters>: Sendable {
  /// The id of the job's row.
  let id: String
  let parameters: Parameters
}

/// One kind of job. Each kind has a type in this folder.
protocol JobDefinition: Sendable {
  /// The input of a job of this kind.
  associatedtype Parameters: JobParameters

  /// The name of the kind in the job table and on the wire.
  static var kind: String { get }
  /// Whether a server fault makes the job wait and run again instead of failing. For work whose
  /// input is stored nowhere else.
  var retries: Bool { get }
  /// Whether no user waits for the job. Background jobs run one at a time, and only when no other
  /// job waits.
  var isBackground: Bool { get }
  /// The maximum number of concurrent jobs of this kind.
  var limit: Int { get }

  /// Does the work. The returned edits are committed in the same transaction as the end of the job.
  func run(_ job: Job<Parameters>, _ context: JobContext) throws -> [Library.Edit]
  /// The edits for a job that failed, with `problem` as the reason, or that was cancelled.
  func onFailure(_ job: Job<Parameters>, problem: String?) -> [Library.Edit]
  /// Changes files after the end of the job is committed.
  func cleanUp(_ job: Job<Parameters>, after end: JobRow.State) throws
  /// Updates health before the job's status reports the end. It is called without a lock of the
  /// runner, and may read tables.
  func onEnd(_ row: JobRow)
  /// The job that is added in the transaction that completes this one.
  func followUp(_ job: Job<Parameters>) throws -> JobRow?
  /// Throws the server fault that prevents the work. Called after a job with `retries` has failed,
  /// before the failure is attributed to the file.
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

// The same operations on a stored row, for callers that do not know the parameter type.
extension JobDefinition {
  /// Makes the row of a new job; a nil `id` generates one.
  static func row(id: String? = nil, _ parameters: Parameters) throws -> JobRow {
    JobRow(
      id: id ?? Identifier.make(milliseconds: Library.now()), kind: kind,
      parameters: try parameters.text())
  }

  /// Returns the record that a job of this kind works on; nil if it has none.
  static func record(of row: JobRow) -> JobRecord? { read(row)?.parameters.record }

  /// Does the work of `row`. Throws a `LibraryError` when its parameters can't be read.
  func run(_ row: JobRow, _ context: JobContext) throws -> [Library.Edit] {
    guard let job = Self.read(row) else { throw LibraryError.unknownWork }
    return try run(job, context)
  }

  /// The edits for a `row` that failed or was cancelled.
  func onFailure(_ row: JobRow, problem: String?) -> [Library.Edit] {
    Self.read(row).map { onFailure($0, problem: problem) } ?? []
  }

  /// Changes files after `row` has ended.
  func cleanUp(_ row: JobRow) throws {
    if let job = Self.read(row) { try cleanUp(job, after: row.state) }
  }

  /// The job that is added when `row` is done.
  func followUp(_ row: JobRow) throws -> JobRow? { try Self.read(row).flatMap(followUp) }

  /// Throws the server fault that prevents the work of `row`.
  func diagnose(_ row: JobRow, _ context: JobContext) throws {
    if let job = Self.read(row) { try diagnose(job, context) }
  }

  private static func read(_ row: JobRow) -> Job<Parameters>? {
    Parameters(text: row.parameters).map { Job(id: row.id, parameters: $0) }
  }
}

/// Thrown when a job replaced the library, so that its end is not written to the old one.
struct JobSuperseded: Error {}

/// The kinds of jobs.
enum JobKinds {
  private static let types: [any JobDefinition.Type] = [
    AlignmentJob.self, AnalysisJob.self, BackupJob.self, ConversionJob.self, ExportJob.self,
    ImportJob.self, ReconvertJob.self, RecordingJob.self, RenewJob.self, RerecordJob.self,
    RestoreJob.self,
  ]
  private static let byName = Dictionary(uniqueKeysWithValues: types.map { ($0.kind, $0) })

  /// The kinds that make a track, a video or a recording ready.
  static let preparing: Set = [
    ImportJob.kind, RenewJob.kind, ConversionJob.kind, ReconvertJob.kind, RecordingJob.kind,
    RerecordJob.kind,
  ]

  /// Those of them whose record was not ready before.
  static let preparingFirst: Set = [ImportJob.kind, ConversionJob.kind, RecordingJob.kind]

  /// Returns the record that a job works on; nil if it has none, or its kind is unknown.
  static func record(of row: JobRow) -> JobRecord? { byName[row.kind]?.record(of: row) }

  /// The definitions of all kinds by name.
  ///
  /// - Parameter onReplaced: called when a restored library is ready to be opened in place of
  ///   `library`.
  static func definitions(
    of library: Library, onReplaced: @escaping @Sendable () -> Void
  ) -> [String: any JobDefinition] {
    let all: [any JobDefinition] = [
      AlignmentJob(library: library), AnalysisJob(library: library), BackupJob(library: library),
      ConversionJob(library: library), ExportJob(library: library), ImportJob(library: library),
      ReconvertJob(library: library), RecordingJob(library: library),
      RenewJob(library: library), RerecordJob(library: library),
      RestoreJob(library: library, onReplaced: onReplaced),
    ]
    return Dictionary(uniqueKeysWithValues: all.map { (type(of: $0).kind, $0) })
  }
}

extension JobRow {
  /// The record that the job works on; nil if it has none.
  var record: JobRecord? { JobKinds.record(of: self) }

  /// Whether the job makes a track, a video or a recording ready.
  var isPreparing: Bool { JobKinds.preparing.contains(kind) }
}
