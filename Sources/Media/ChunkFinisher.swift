// Turns the pieces that ffmpeg cuts into standalone files, on another thread, while ffmpeg
// continues.

import Dispatch
import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Takes pieces from one folder and puts finished, synced chunks into another.
final class ChunkFinisher: Sendable {
  private struct State {
    var frames: [Int] = []
    var failure: (any Error)?
  }

  private let source: String
  private let target: String
  private let queue = DispatchQueue(label: "segmance.chunks", qos: .userInitiated)
  private let state = Mutex(State())

  init(from source: String, to target: String) {
    self.source = source
    self.target = target
  }

  /// Starts work on all closed pieces and returns at once. A piece is closed when the next one
  /// exists.
  func finishClosedChunks() {
    queue.async { [self] in
      work { next in Files.exists(source + "/" + DataDirectory.chunkName(next + 1)) }
    }
  }

  /// Finishes all pieces after ffmpeg has ended; returns the number of frames in each chunk. When a
  /// track ends exactly at the end of a chunk, ffmpeg writes one more, empty piece, which is left
  /// out.
  func finishAll() throws -> [Int] {
    queue.sync {
      work { next in Files.exists(source + "/" + DataDirectory.chunkName(next)) }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.frames.last == 0 ? state.frames.dropLast() : state.frames
    }
  }

  /// Waits until all work is done, so that the folders can be removed.
  func wait() { queue.sync {} }

  private func work(while isReady: (Int) -> Bool) {
    while state.withLock({ $0.failure == nil }),
      case let next = state.withLock({ $0.frames.count }), isReady(next)
    {
      do {
        let frames = try finish(next)
        state.withLock { $0.frames.append(frames) }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
  }

  private func finish(_ number: Int) throws -> Int {
    let name = "/" + DataDirectory.chunkName(number)
    let chunk = try Self.standalone(source + name)
    if chunk.frames > 0 { try Files.writeNew(target + name, chunk.file) }
    try Files.remove(source + name)
    return chunk.frames
  }

  private static func standalone(_ path: String) throws -> (file: [UInt8], frames: Int) {
    let piece = try Files.read(path)
    do {
      return try FLACChunk.standalone(piece)
    } catch {
      throw MediaError(
        .toolFailed, "This file could not be prepared for practice. Try it again.",
        cause: "\(path): \(error.reason)")
    }
  }
}
