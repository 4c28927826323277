// What the sanitizers have to find, or to leave alone, before their word on the tests counts: see
// `planted.sh`.

import Glibc
import Synchronization

@main
enum Planted {
  private static let numbers = Mutex<[Int]>([])
  // Without a lock: this is the race that is to be found.
  nonisolated(unsafe) private static var count = 0

  static func main() {
    switch CommandLine.arguments.last {
    case "mutex": onEightThreads { _ in Planted.append() }
    case "race":
      onEightThreads { _ in
        Planted.count += 1
        return Planted.append()
      }
    case "overflow":
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
      for index in 0...8 { bytes[index] = 1 }
      bytes.deallocate()
    default: fatalError("mutex, race or overflow?")
    }
  }

  /// Holds the lock for so long that others have to wait.
  private static func append() -> UnsafeMutableRawPointer? {
    for number in 0..<100 {
      numbers.withLock { numbers in
        for _ in 0..<1_000 { numbers.append(number) }
      }
    }
    return nil
  }

  private static func onEightThreads(
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) {
    var threads = [pthread_t](repeating: 0, count: 8)
    for index in threads.indices { pthread_create(&threads[index], nil, body, nil) }
    for thread in threads { pthread_join(thread, nil) }
  }
}
