// The analysis of a track on the disk.

import Analysis
import FoundationEssentials
import Storage

extension DataDirectory {
  /// Stores the analysis of a track that has a practice rendition: whole, or not at all. Earlier
  /// versions of it go.
  public func store(_ analysis: TrackAnalysis, track: String) throws {
    try storeAnalysis(Array(try JSONEncoder().encode(analysis)), track: track)
  }
}
