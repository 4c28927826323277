// Finds the route for a normalised path.

/// Holds the route table.
public struct Router: Sendable {
  /// The routes, as given; the OpenAPI document is written from the same list.
  public let routes: [Route]
  let fallback: Route.Handler?
  let gate: Gate?
  private let root: Node

  /// Says why a request is not answered at the moment; nil lets it in. Called on the threads that serve
  /// connections, so it must not block.
  public typealias Gate = @Sendable (Request) -> HTTPError?

  /// The result of a look-up.
  enum Match {
    case route(Route, Parameters)
    /// The path exists for other methods only.
    case otherMethods([Method])
    case nothing
  }

  /// One segment's place in the tree of patterns.
  fileprivate final class Node: Sendable {
    let literals: [String: Node]
    let parameter: Node?
    let routes: [(route: Route, names: [String])]

    init(_ entries: [Entry], depth: Int = 0) {
      routes = entries.filter { $0.segments.count == depth }.map { ($0.route, $0.names) }
      let deeper = entries.filter { $0.segments.count > depth }
      let named = deeper.filter { $0.segments[depth] == nil }
      parameter = named.isEmpty ? nil : Node(named, depth: depth + 1)
      var children: [String: Node] = [:]
      for literal in Set(deeper.compactMap { $0.segments[depth] }) {
        children[literal] = Node(
          deeper.filter { $0.segments[depth] == literal }, depth: depth + 1)
      }
      literals = children
    }
  }

  /// A route with its pattern taken apart; nil stands for a parameter.
  fileprivate struct Entry {
    let route: Route
    let segments: [String?]
    let names: [String]

    init(_ route: Route) {
      self.route = route
      var segments: [String?] = []
      var names: [String] = []
      for segment in Router.segments(of: route.pattern) {
        if segment.hasPrefix("{"), segment.hasSuffix("}") {
          names.append(String(segment.dropFirst().dropLast()))
          segments.append(nil)
        } else {
          segments.append(String(segment))
        }
      }
      self.segments = segments
      self.names = names
    }
  }

  /// Makes a router; the fallback answers `GET` outside `/api` where no route does. The gate stands before all.
  ///
  /// Two routes with the same method and pattern are a programming error.
  public init(routes: [Route], fallback: Route.Handler? = nil, gate: Gate? = nil) {
    var seen: Set<String> = []
    for route in routes {
      let shape = Router.segments(of: route.pattern).map { $0.hasPrefix("{") ? "{}" : $0 }
      let key = "\(route.method.rawValue) /\(shape.joined(separator: "/"))"
      precondition(seen.insert(key).inserted, "Two routes answer \(key).")
    }
    self.routes = routes
    self.fallback = fallback
    self.gate = gate
    root = Node(routes.map(Entry.init))
  }

  /// Finds the route for a method (nil: one that no route knows) and a path.
  func match(_ method: Method?, _ path: String) -> Match {
    var values: [String] = []
    guard let node = find(Router.segments(of: path)[...], in: root, &values) else {
      return .nothing
    }
    if let method, let found = node.route(for: method) {
      var parameters = Parameters()
      for (name, value) in zip(found.names, values) {
        parameters.items.append((name: name, value: value))
      }
      return .route(found.route, parameters)
    }
    return .otherMethods(node.methods)
  }

  private func find(
    _ segments: ArraySlice<Substring>, in node: Node, _ values: inout [String]
  ) -> Node? {
    guard let first = segments.first else { return node.routes.isEmpty ? nil : node }
    let rest = segments.dropFirst()
    if !node.literals.isEmpty, let child = node.literals[String(first)],
      let found = find(rest, in: child, &values)
    {
      return found
    }
    guard let child = node.parameter, !first.isEmpty else { return nil }
    values.append(String(first))
    if let found = find(rest, in: child, &values) { return found }
    values.removeLast()
    return nil
  }

  /// The segments of a path, split by bytes as in `RequestTarget`: a combining mark after a slash forms
  /// one Swift character with it.
  static func segments(of path: String) -> [Substring] {
    path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
  }
}

extension Router.Node {
  /// Finds the route for a method; one for `GET` answers `HEAD` too.
  fileprivate func route(for method: Method) -> (route: Route, names: [String])? {
    if let exact = routes.first(where: { $0.route.method == method }) { return exact }
    return method == .head ? routes.first { $0.route.method == .get } : nil
  }

  /// The methods of a path, with the implied `HEAD` and `OPTIONS`.
  fileprivate var methods: [Method] {
    let own = Set(routes.map(\.route.method))
    return Method.allCases.filter {
      own.contains($0) || $0 == .options || ($0 == .head && own.contains(.get))
    }
  }
}
