// Reads a practice rendition again, to see whether it still is what the importer wrote.

import Analysis
import Model

extension DataFolder {
  /// Returns what is wrong with the chunks and the waveform of a track, all of which are there: a
  /// sentence each. Every FLAC frame is read and its checksums compared.
  public func renditionProblems(track id: String, lengthFrames: Int) throws -> [String] {
    var problems: [String] = []
    let count = Timeline.chunkCount(lengthFrames: lengthFrames)
    for number in 0..<count {
      let start = number * Timeline.chunkFrames
      let expected = min(Timeline.chunkFrames, lengthFrames - start)
      do throws(FLACChunk.Malformed) {
        let frames = try FLACChunk.standalone(bytes(ofChunk: number, of: id)).frames
        if frames != expected {
          problems.append("Chunk \(number) has \(frames) frames instead of \(expected).")
        }
      } catch {
        problems.append("Chunk \(number) can't be read: \(error.reason).")
      }
    }
    let pixels =
      (lengthFrames + TrackImporter.peaksFramesPerPixel - 1) / TrackImporter.peaksFramesPerPixel
    if try Files.size(of: peaks(track: id)) != Waveform.headerByteCount + 2 * pixels {
      problems.append("The waveform has another length than the track.")
    }
    return problems
  }

  private func bytes(ofChunk number: Int, of id: String) throws(FLACChunk.Malformed) -> [UInt8] {
    do {
      return try Files.read(chunk(track: id, number))
    } catch {
      throw FLACChunk.Malformed(reason: "\(error)")
    }
  }
}
