// Which job failures are retried, and when.

import Media
import Storage
import Testing

@testable import Database
@testable import Server

@Suite struct RetryPolicyTests {
  private let failure = MediaError(.toolFailed, "The program ended.")
  private let isFull = StorageError(.noSpace, "The disk is full.")

  private func message(_ error: any Error, after errors: [any Error] = []) -> String? {
    var attempts = RetryPolicy.Attempts()
    for error in errors { attempts.add(error) }
    return RetryPolicy.message(for: error, after: attempts)
  }

  @Test func `a failing program is tried ten times in a row`() {
    for count in 0..<10 {
      let message = message(failure, after: Array(repeating: failure, count: count))
      #expect(message == "The program ended. It is tried again.")
    }
    #expect(message(failure, after: Array(repeating: failure, count: 10)) == nil)
  }

  @Test func `waiting for space does not count as a try of a failing program`() {
    let waits: [any Error] = Array(repeating: isFull, count: 20)
    let failures: [any Error] = Array(repeating: failure, count: 9)
    #expect(message(failure, after: waits + failures) != nil)
    #expect(message(failure, after: failures + [failure, isFull]) != nil)
    #expect(message(failure, after: waits + failures + [failure]) == nil)
  }

  @Test func `server errors are retried forever and errors of the file never`() {
    let many: [any Error] = Array(repeating: failure, count: 100)
    #expect(message(isFull, after: many) == "The disk is full. What waits goes on by itself then.")
    let faults: [any Error] = [
      StorageError(.fileSystem, "It is so."), StorageError(.corrupt, "It is so."),
      MediaError(.toolMissing, "It is so."), MediaError(.sandboxUnavailable, "It is so."),
    ]
    for fault in faults {
      #expect(message(fault, after: many) == "It is so. It is tried again.")
    }
    #expect(message(DatabaseError(.busy, "busy"))?.hasSuffix("It is tried again.") == true)
    #expect(message(MediaError(.notAudio, "It is none.")) == nil)
    #expect(message(LibraryError(.gone, "The track is gone.")) == nil)
  }

  @Test func `the delay doubles from five seconds to a minute`() {
    var attempts = RetryPolicy.Attempts()
    let delays = (0..<6).map { _ in
      attempts.add(isFull)
      return RetryPolicy.delaySeconds(after: attempts)
    }
    #expect(delays == [5, 10, 20, 40, 60, 60])
  }
}
