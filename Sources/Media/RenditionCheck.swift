// Verifies that a practice rendition is unchanged since the import.

import Analysis
import Model
import Storage

#if canImport(Glibc)
  import Glibc
#endif

extension DataDirectory {
  /// Returns one sentence for each fault in the chunks and the waveform of a track, all of which
  /// exist. Verifies the checksums of every FLAC frame; the waveform has none, so only its header
  /// and length are checked.
  public func damage(track id: String, lengthFrames: Int) -> [String] {
    var problems: [String] = []
    let count = Timeline.chunkCount(lengthFrames: lengthFrames)
    for number in 0..<count {
      let start = number * Timeline.chunkFrames
      let expected = min(Timeline.chunkFrames, lengthFrames - start)
      do throws(FLACChunk.Malformed) {
        let bytes = try bytes(ofChunk: number, of: id)
        let (file, frames) = try FLACChunk.standalone(bytes)
        if frames != expected {
          problems.append("Chunk \(number) has \(frames) frames instead of \(expected).")
        } else if file != bytes {
          problems.append("Chunk \(number) has another header than it should.")
        }
      } catch {
        problems.append("Chunk \(number) can't be read: \(error.reason).")
      }
    }
    let pixels =
      (lengthFrames + TrackImporter.peaksFramesPerPixel - 1) / TrackImporter.peaksFramesPerPixel
    let header = Waveform.header(
      framesPerPixel: TrackImporter.peaksFramesPerPixel, pixelCount: pixels)
    do {
      guard let stored = peaks(track: id) else { throw StorageError.system("open", derived(id)) }
      let file = try OpenFile(stored.path, O_RDONLY)
      if try file.size() != header.count + 2 * pixels {
        problems.append("The waveform has another length than the track.")
      } else if try file.read(at: 0, count: header.count) != header {
        problems.append("The waveform has another header than it should.")
      }
    } catch {
      problems.append("The waveform can't be read: \(error).")
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
