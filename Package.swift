// swift-tools-version: 6.3
// The targets and the arrows between them. See docs/ARCHITECTURE.md.

import PackageDescription

let buildsForBrowser = Context.environment["SEGMANCE_WASM"] != nil

/// Settings that every Swift target shares.
let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    swiftSettings: swiftSettings)
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let practiceEngine = module("PracticeEngine")

let browserTargets: [Target] = [
  practiceEngine,
  .target(name: "CFreestanding"),
  .target(
    name: "PracticeEngineWasm", dependencies: ["PracticeEngine", "CFreestanding"],
    swiftSettings: swiftSettings),
]

let nativeTargets: [Target] = [
  practiceEngine,
  systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
  systemLibrary("CNettle", pkgConfig: "nettle", apt: "nettle-dev"),
  systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
  systemLibrary("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
  module("Model"),
  module("Analysis"),
  module("Database", ["Model", "CSQLite"]),
  module("Media", ["Model", "Analysis", "CNettle"]),
  module("HTTP", ["CMicrohttpd", "CZlib"]),
  module("Server", ["HTTP", "Media", "Database", "Model", "Analysis"]),
  .executableTarget(
    name: "segmance", dependencies: ["Server"], swiftSettings: swiftSettings),
  module("TestSupport"),
  tests(of: "PracticeEngine"),
  tests(of: "Model"),
  tests(of: "Analysis"),
  tests(of: "Database", ["Model"]),
  tests(of: "Media", ["Model", "Analysis"]),
  tests(of: "HTTP"),
  tests(of: "Server", ["HTTP", "Media", "Database", "Model"]),
]

let package = Package(
  name: "segmance",
  products: buildsForBrowser
    ? [.executable(name: "PracticeEngineWasm", targets: ["PracticeEngineWasm"])]
    : [.executable(name: "segmance", targets: ["segmance"])],
  targets: buildsForBrowser ? browserTargets : nativeTargets,
  swiftLanguageModes: [.v6]
)
