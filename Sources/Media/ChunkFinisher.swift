// Makes the pieces that ffmpeg cuts into files of their own, on another thread, while ffmpeg goes on.

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

  /// Starts work on all pieces that ffmpeg will not touch again: a piece is closed when the next
  /// one exists. Returns at once.
  func finishClosedChunks() {
    queue.async { [self] in
      work { next in Files.exists(source + "/" + DataDirectory.chunkName(next + 1)) }
    }
  }

  /// Finishes all pieces, when ffmpeg has ended; returns how many frames each chunk holds. When a
  /// track ends on the border of a chunk, ffmpeg begins one more piece: it is empty and left out.
  func finishAll() throws -> [Int] {
    queue.sync {
      work { next in Files.exists(source + "/" + DataDirectory.chunkName(next)) }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.frames.last == 0 ? state.frames.dropLast() : state.frames
    }
  }

  /// Waits until nothing is at work any more, so that the folders can be removed.
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
