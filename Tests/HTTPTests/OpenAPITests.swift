// The API description is generated from the route table.

import FoundationEssentials
import TestSupport
import Testing

@testable import HTTP

@Suite struct OpenAPITests {
  private let document = OpenAPI.document(
    title: "Segmance", version: "1.2",
    routes: [
      Route(
        .get, "/api/tracks/{id}/peaks", summary: "Peaks of a track",
        parameters: [
          ParameterDoc(
            "framesPerPixel", schema: ["type": "integer", "minimum": 64], required: true)
        ],
        responses: [ResponseDoc(200, "The peaks", contentType: "application/octet-stream")]
      ) { _ in .empty() },
      Route(
        .post, "/api/sync", summary: "Exchange changes", requestBody: .json("Exchange"),
        responses: [.json(200, "The news", "News")]
      ) { _ in .empty() },
      Route(
        .delete, "/api/chunks/{n}", summary: "Throw a chunk away",
        responses: [ResponseDoc(204, "It is gone", headers: ["Chunks-Left": ["type": "integer"]])]
      ) { _ in .empty() },
    ],
    schemas: ["Exchange": ["type": "object"], "News": ["type": "object"]],
    pathSchemas: ["n": ["type": "integer", "minimum": 0]])

  @Test func `each route is an operation with its parameters and responses`() {
    #expect(document["openapi"] == "3.1.0")
    #expect(document["info"] == ["title": "Segmance", "version": "1.2"])
    let peaks = document["paths"]?["/api/tracks/{id}/peaks"]?["get"]
    #expect(peaks?["summary"] == "Peaks of a track")
    #expect(peaks?["parameters"]?[0]?["schema"] == ["type": "integer", "minimum": 64])
    let id: JSONValue = [
      "name": "id", "in": "path", "required": true, "schema": ["type": "string"],
    ]
    #expect(peaks?["parameters"]?[1] == id)
    #expect(peaks?["responses"]?["200"]?["content"]?["application/octet-stream"] == [:])
    let sync = document["paths"]?["/api/sync"]?["post"]
    #expect(
      sync?["requestBody"]?["content"]?["application/json"]?["schema"]
        == ["$ref": "#/components/schemas/Exchange"])
    #expect(document["components"]?["schemas"]?["Problem"]?["type"] == "object")
    #expect(sync?["responses"]?["default"] != nil)
  }

  @Test func `path and header parameters are described`() {
    let chunk = document["paths"]?["/api/chunks/{n}"]?["delete"]
    #expect(chunk?["parameters"]?[0]?["schema"] == ["type": "integer", "minimum": 0])
    #expect(
      chunk?["responses"]?["204"]?["headers"]?["Chunks-Left"]
        == ["required": true, "schema": ["type": "integer"]])
    #expect(chunk?["responses"]?["204"]?["content"] == nil)
  }

  @Test func `the JSON text equals the value for any parser`() throws {
    let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(document.serialized()))
    #expect(decoded == document)
    let encoded = try JSONDecoder().decode(
      JSONValue.self, from: try JSONEncoder().encode(document))
    #expect(encoded == document)
  }

  @Test func `any text is preserved in the JSON`() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<8 {
        let value = UInt32.random(
          in: 0...(Bool.random(using: &random) ? 0x7F : 0x10FFFF), using: &random)
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let value = JSONValue.array([.string(text), .number(0.5), .integer(-3), .bool(true), .null])
      let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(value.serialized()))
      #expect(decoded == value)
    }
  }
}
