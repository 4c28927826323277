// The OpenAPI 3.1 description, written from the table that routes requests.

/// Writes OpenAPI documents.
public enum OpenAPI {
  /// Describes the routes. `schemas` are the named types that they refer to. `pathSchemas` are the
  /// schemas of path parameters by name, for routes that give none; without one it is any text.
  public static func document(
    title: String, version: String, routes: [Route], schemas: [String: JSONValue] = [:],
    pathSchemas: [String: JSONValue] = [:]
  ) -> JSONValue {
    var paths: [String: [String: JSONValue]] = [:]
    for route in routes {
      paths[route.pattern, default: [:]][route.method.rawValue.lowercased()] = operation(
        route, pathSchemas)
    }
    var named = schemas
    named["Problem"] = problem
    return [
      "openapi": "3.1.0",
      "info": ["title": .string(title), "version": .string(version)],
      "paths": .object(paths.mapValues { .object($0) }),
      "components": ["schemas": .object(named)],
    ]
  }

  /// RFC 9457 problem details.
  private static let problem: JSONValue = [
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": [
      "type": ["type": "string"],
      "title": ["type": "string"],
      "status": ["type": "integer"],
      "detail": ["type": "string"],
      "code": ["type": "string"],
    ],
  ]

  private static func operation(
    _ route: Route, _ pathSchemas: [String: JSONValue]
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "summary": .string(route.summary),
      "x-access": .string(route.access.name),
      "responses": responses(of: route),
    ]
    let parameters = self.parameters(of: route, pathSchemas)
    if !parameters.isEmpty { members["parameters"] = .array(parameters) }
    if let body = route.requestBody {
      members["requestBody"] = [
        "required": .bool(body.required),
        "content": .object([body.contentType: ["schema": body.schema]]),
      ]
    }
    return .object(members)
  }

  private static func parameters(
    of route: Route, _ pathSchemas: [String: JSONValue]
  ) -> [JSONValue] {
    var all = route.parameters
    for segment in route.pattern.split(separator: "/") where segment.hasPrefix("{") {
      let name = String(segment.dropFirst().dropLast())
      if !all.contains(where: { $0.place == .path && $0.name == name }) {
        all.append(
          ParameterDoc(name, in: .path, schema: pathSchemas[name] ?? ["type": "string"]))
      }
    }
    return all.map { parameter in
      var members: [String: JSONValue] = [
        "name": .string(parameter.name),
        "in": .string(parameter.place.rawValue),
        "required": .bool(parameter.required),
        "schema": parameter.schema,
      ]
      members["description"] = parameter.description.map { .string($0) }
      return .object(members)
    }
  }

  private static func responses(of route: Route) -> JSONValue {
    var members: [String: JSONValue] = [
      "default": [
        "description": "What went wrong, as problem details.",
        "content": [
          "application/problem+json": ["schema": .reference(toSchema: "Problem")]
        ],
      ]
    ]
    for response in route.responses {
      var parts: [String: JSONValue] = ["description": .string(response.description)]
      if let contentType = response.contentType {
        let media: JSONValue = response.schema.map { ["schema": $0] } ?? [:]
        parts["content"] = .object([contentType: media])
      }
      if !response.headers.isEmpty {
        parts["headers"] = .object(
          response.headers.mapValues { ["required": true, "schema": $0] })
      }
      members[String(response.status)] = .object(parts)
    }
    return .object(members)
  }
}
