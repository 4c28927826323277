// The HTTP responses for library errors.

import Database
import Testing

@testable import HTTP
@testable import Server

struct LibraryErrorTests {
  @Test(arguments: [
    (LibraryError.Code.invalidValue, 400), (.notFound, 404), (.conflict, 409), (.locked, 409),
    (.gone, 410), (.unusable, 422), (.tooOften(retryAfterSeconds: 7), 429),
    (.busy(retryAfterSeconds: 30), 503), (.damaged, 500),
  ])
  func `each code has a status, and the message is the detail`(
    code: LibraryError.Code, status: Int
  ) throws {
    let problem = try #require(LibraryError(code, "Try something else.").httpError)
    #expect(problem.status == status)
    #expect(problem.detail == "Try something else.")
  }

  @Test func `a response can say when to try again`() {
    let tooOften = LibraryError(.tooOften(retryAfterSeconds: 7), "Wait.").httpError
    #expect(tooOften?.headers["Retry-After"] == "7")
    let busy = LibraryError(.busy(retryAfterSeconds: 30), "Wait.").httpError
    #expect(busy?.headers["Retry-After"] == "30")
  }

  @Test(arguments: [DatabaseError.Code.busy, .unreachable, .sealed])
  func `a request that the database kept waiting for too long may be sent again`(
    code: DatabaseError.Code
  ) {
    #expect(DatabaseError(code, "canceling statement due to lock timeout").httpError?.status == 503)
  }

  @Test func `the response to an unpaired device asks for pairing`() {
    let problem = LibraryError.notPaired.httpError
    #expect(problem?.status == 401)
    #expect(problem?.detail == HTTPError.unauthenticated.detail)
    #expect(problem?.headers["WWW-Authenticate"] == "Pairing")
  }

  @Test func `the cause is kept for the log`() {
    let problem = LibraryError(.damaged, "The database is damaged.", cause: ServerFault()).httpError
    #expect(problem?.cause is ServerFault)
  }

  private struct ServerFault: Error {}
}
