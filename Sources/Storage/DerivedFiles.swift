// The versioned files derived from a track's practice rendition: its waveform and its analysis.

import Model

/// One version of a file that is derived from a track's practice rendition.
public struct DerivedFile: Sendable, Equatable {
  public let path: String
  public let version: Int

  /// Returns all of its bytes.
  public func read() throws -> [UInt8] { try Files.read(path) }
}

extension DataDirectory {
  private enum Kind: String {
    case peaks, analysis

    /// The first version has no number in its name, for compatibility.
    func name(_ version: Int) -> String {
      let ending = self == .peaks ? "dat" : "json"
      return version == 1 ? "\(rawValue).\(ending)" : "\(rawValue)-\(version).\(ending)"
    }
  }

  /// The current file name of a waveform in its track's folder.
  public var peaksName: String { Kind.peaks.name(versions.peaks) }
  /// The current file name of an analysis in its track's folder.
  public var analysisName: String { Kind.analysis.name(versions.analysis) }
  /// The names that waveforms and analyses had in earlier versions.
  var earlierNames: [String] {
    (1..<versions.peaks).map(Kind.peaks.name) + (1..<versions.analysis).map(Kind.analysis.name)
  }

  /// Returns whether a track, whose files are told by their names, has a waveform that this program can read.
  public func hasPeaks(among hasFile: (_ name: String) -> Bool) -> Bool {
    peaksName(among: hasFile) != nil
  }

  /// Returns the name of the newest waveform that this program can read among the files of a track.
  func peaksName(among hasFile: (_ name: String) -> Bool) -> String? {
    newest(.peaks, versions.peaks, hasFile).map(Kind.peaks.name)
  }

  /// Returns the name of the newest analysis, like `peaksName(among:)`.
  func analysisName(among hasFile: (_ name: String) -> Bool) -> String? {
    newest(.analysis, versions.analysis, hasFile).map(Kind.analysis.name)
  }

  /// Returns a track's waveform at the stored resolution: the newest existing version that this
  /// program can read; nil if there is none.
  public func peaks(track: String) -> DerivedFile? { newest(.peaks, of: track, versions.peaks) }

  /// Returns the attacks and suggested cuts of a track as a file of JSON, like `peaks(track:)`.
  public func analysis(track: String) -> DerivedFile? {
    newest(.analysis, of: track, versions.analysis)
  }

  /// Returns whether a file of a track has an older version than this program writes.
  public func isOutdated(track: String) -> Bool {
    isOutdated { Files.exists(derived(track) + "/" + $0) }
  }

  /// Returns whether one of a track's files has an older version than this program writes.
  func isOutdated(among hasFile: (_ name: String) -> Bool) -> Bool {
    newest(.peaks, versions.peaks, hasFile).map { $0 < versions.peaks } == true
      || newest(.analysis, versions.analysis, hasFile).map { $0 < versions.analysis } == true
  }

  /// Stores the analysis, as JSON, of a track that has a practice rendition, atomically. Removes
  /// earlier versions.
  package func storeAnalysis(_ json: [UInt8], track: String) throws {
    let scratch = temporaryPath("analysis")
    do {
      try Files.writeNew(scratch, json)
      try place(scratch, as: .analysis, of: track, versions.analysis)
    } catch {
      try Files.remove(scratch)
      throw error
    }
  }

  /// Moves a synced waveform under `tmp` to its place. Removes earlier versions.
  public func storePeaks(fileAt path: String, track: String) throws {
    try place(path, as: .peaks, of: track, versions.peaks)
  }

  private func newest(_ kind: Kind, of track: String, _ version: Int) -> DerivedFile? {
    newest(kind, version) { Files.exists(derived(track) + "/" + $0) }.map {
      DerivedFile(path: derived(track) + "/" + kind.name($0), version: $0)
    }
  }

  private func newest(
    _ kind: Kind, _ version: Int, _ hasFile: (_ name: String) -> Bool
  ) -> Int? {
    stride(from: version, to: 0, by: -1).first { hasFile(kind.name($0)) }
  }

  private func place(_ path: String, as kind: Kind, of track: String, _ version: Int) throws {
    try Files.move(path, to: derived(track) + "/" + kind.name(version))
    try Files.syncFolder(derived(track))
    for earlier in 1..<version { try Files.remove(derived(track) + "/" + kind.name(earlier)) }
  }
}
