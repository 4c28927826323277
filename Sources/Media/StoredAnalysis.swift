// The stored analysis of a track.

import Analysis
import FoundationEssentials
import Storage

extension DataDirectory {
  /// Stores the analysis of a track that has a practice rendition, atomically. Removes earlier
  /// versions.
  public func store(_ analysis: TrackAnalysis, track: String) throws {
    try storeAnalysis(Array(try JSONEncoder().encode(analysis)), track: track)
  }
}
