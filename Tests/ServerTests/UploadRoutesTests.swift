// tus 1.0 over the routes.

import Storage
import Testing

@testable import Media
@testable import Server

@Suite struct UploadRoutesTests {
  let studio: TestStudio
  private let tus = [("Tus-Resumable", "1.0.0")]

  init() throws { studio = try TestStudio() }

  private func create(length: String, metadata: String? = nil) -> TestStudio.Answer {
    studio.send(
      .post, "/api/uploads",
      headers: tus + [("Upload-Length", length)]
        + (metadata.map { [("Upload-Metadata", $0)] } ?? []))
  }

  @Test func `an interrupted upload continues at its offset`() throws {
    let location = try #require(create(length: "10").headers["Location"])
    #expect(studio.patch(location, Array("hello".utf8), offset: 0).headers["Upload-Offset"] == "5")
    let head = studio.send(.head, location, headers: tus)
    #expect(head.headers["Upload-Offset"] == "5")
    #expect(head.headers["Upload-Length"] == "10")
    #expect(studio.patch(location, Array("again".utf8), offset: 0).status == 409)
    #expect(studio.patch(location, Array("world".utf8), offset: 5).status == 204)
    #expect(studio.patch(location, Array("!".utf8), offset: 10).status == 413)
  }

  @Test func `a request that is not tus is refused`() throws {
    #expect(studio.send(.post, "/api/uploads", headers: [("Upload-Length", "5")]).status == 412)
    for length in ["", "x", "-1", "+1", "99999999999999999999", "5.5"] {
      #expect(create(length: length).status == 400, "\(length)")
    }
    #expect(create(length: "4000000001").status == 413)
    #expect(create(length: "5", metadata: "filename ***").status == 400)
    let location = try #require(create(length: "5").headers["Location"])
    let plain = studio.send(
      .patch, location, headers: tus + [("Upload-Offset", "0"), ("Content-Type", "text/plain")],
      body: [1])
    #expect(plain.status == 415)
    #expect(studio.send(.head, "/api/uploads/none", headers: tus).status == 404)
    #expect(studio.send(.head, "/api/uploads/..%2f..%2fx", headers: tus).status != 200)
  }

  @Test func `an upload can be deleted`() throws {
    let location = try #require(create(length: "5").headers["Location"])
    #expect(studio.send(.delete, location, headers: tus).status == 204)
    #expect(studio.send(.head, location, headers: tus).status == 404)
  }

  @Test func `an incomplete upload makes no track`() {
    let location = create(length: "5").headers["Location"] ?? ""
    let id = location.split(separator: "/").last.map(String.init) ?? ""
    #expect(studio.post("/api/tracks", "{\"upload\":\"\(id)\"}").status == 409)
  }

  @Test func `the maximum integer as a length is refused beside an upload`() {
    _ = create(length: "5")
    #expect(throws: StorageError.self) { try studio.library.quota.requireDisk(for: .max) }
  }

  @Test func `the server reports its tus capabilities`() {
    let answer = studio.send(.options, "/api/uploads")
    #expect(answer.headers["Tus-Version"] == "1.0.0")
    #expect(answer.headers["Tus-Extension"]?.contains("creation") == true)
  }

  @Test func `a file's name is stored as text for any content`() throws {
    #expect(try UploadRoutes.fileName(in: "") == "Untitled")
    #expect(try UploadRoutes.fileName(in: "a Yg==,filename c29uZy5tcDM=") == "song.mp3")
    #expect(try UploadRoutes.fileName(in: "filename YQpiAGM=") == "a b c")
  }
}
