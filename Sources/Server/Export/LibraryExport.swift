// Exports routines from a library that a server may have open at the same time.

import Analysis
import Database
import FoundationEssentials
import Model
import Storage

/// A finished export.
public struct ExportedFile: Sendable {
  /// The suggested file name.
  public var name: String
  public var mediaType: String
  public var bytes: [UInt8]
}

/// Exports the routines of one library.
public struct LibraryExport: Sendable {
  /// The names of the formats.
  public static var formats: [String] { ExportFormat.allCases.map(\.rawValue) }
  /// The names of the paper sizes.
  public static var papers: [String] { Paper.allCases.map(\.rawValue) }

  private let records: RecordStore
  private let derived: DerivedReader

  init(records: RecordStore, derived: DerivedReader) {
    self.records = records
    self.derived = derived
  }

  /// Prepares the export from the library in `root`, without changing it. If derived files are in a bucket that
  /// can't be read, waveforms and counts are left out.
  public init(root: String) throws {
    let folder = DataDirectory(root: root)
    guard folder.hasLibrary else {
      throw LibraryError(.notFound, "There is no library in \(folder.root).")
    }
    try RestoreTransaction(folder).requireNonePending()
    self.init(
      records: RecordStore(database: try LibraryDatabase(reading: folder)),
      derived: DerivedReader(folder: folder, bucket: try? Library.storedDerived(of: folder)))
  }

  /// Exports the routine with the id or title `name`, or all routines. `format` and `paper` are
  /// names from the lists above; a nil `paper` means the printer's default.
  ///
  /// - Throws: `LibraryError` if no routine or several match, or the format cannot represent the
  ///   result.
  public func export(routine name: String?, format: String, paper: String?) throws -> ExportedFile {
    guard let format = ExportFormat(rawValue: format) else {
      throw LibraryError(.unusable, "There is no format “\(format)”.")
    }
    let printing = Printing(paper: paper.flatMap(Paper.init))
    guard let name else { return try exportAll(format, printing, for: owner()) }
    guard let exportModel = try ExportModel(routine: try id(of: name), from: records) else {
      throw LibraryError(.notFound, "There is no routine “\(name)”.")
    }
    return try file(exportModel, exportModel.routines[0].routine.title, format, printing)
  }

  /// Exports one routine; nil if the id is unknown.
  func export(
    routineId id: String, _ format: ExportFormat, _ printing: Printing
  ) throws -> ExportedFile? {
    guard let exportModel = try ExportModel(routine: id, from: records) else { return nil }
    return try file(exportModel, exportModel.routines[0].routine.title, format, printing)
  }

  /// Exports all routines that `viewer` may read.
  func exportAll(
    _ format: ExportFormat, _ printing: Printing, for viewer: Viewer
  ) throws -> ExportedFile {
    try file(ExportModel(allOf: records, for: viewer), nil, format, printing)
  }

  /// What the owner may read, for whom the command line exports.
  private func owner() throws -> Viewer {
    try People(store: records.people).viewer(Person.owner)
  }

  private func id(of name: String) throws -> String {
    if Identifier.isValid(name), try records.record(.routine, name) != nil { return name }
    let found = try records.present(.routine).map(Routine.init)
      .filter { $0.isComplete && $0.title == name }
    guard found.count < 2 else {
      let ids = found.map(\.id).joined(separator: ", ")
      throw LibraryError(
        .unusable, "\(found.count) routines are called “\(name)”. Name one by its id: \(ids).")
    }
    return found.first?.id ?? name
  }

  private func file(
    _ routines: ExportModel, _ title: String?, _ format: ExportFormat, _ printing: Printing
  ) throws -> ExportedFile {
    let exportModel = routines.withCounts(from: derived)
    let text: String
    switch format {
    case .html: text = HTMLExport(exportModel, waveforms: WaveformDrawings(derived: derived)).text()
    case .markdown: text = MarkdownExport(exportModel).text()
    case .json:
      return ExportedFile(
        name: format.fileName(title: title), mediaType: format.mediaType,
        bytes: JSONExport(exportModel).bytes(now: Library.now()))
    case .labels, .counts:
      guard exportModel.routines.count < 2 else {
        throw LibraryError(
          .unusable,
          "A label file holds one routine, because the times of several would overlap."
            + " Export each routine by itself.")
      }
      let labels = LabelExport(exportModel)
      text = format == .labels ? labels.text() : try labels.countsText()
    case .cuesheet: text = CueSheet(exportModel, printing).text()
    case .countsheet: text = CountSheet(exportModel, printing).text()
    case .countsheetTable: text = CountSheetTable(exportModel).text()
    }
    return ExportedFile(
      name: format.fileName(title: title), mediaType: format.mediaType, bytes: Array(text.utf8))
  }
}
