// swift-tools-version: 6.3
// The targets and the arrows between them. See docs/ARCHITECTURE.md.

import PackageDescription

let buildsForBrowser = Context.environment["SEGMANCE_WASM"] != nil
/// What makes the client's TypeScript and the vectors of its tests: few modules, with the settings that they have in
/// the build of everything, which finds them compiled in the same folder.
let buildsWireTypes = Context.environment["SEGMANCE_WIRE_TYPES"] != nil
/// The short form of the sanitizers: HTTP and its tests, as building all of them takes minutes.
let buildsHTTPAlone = Context.environment["SEGMANCE_HTTP_ALONE"] != nil
/// The program that `Tests/Fuzz/fuzz.py` builds needs libFuzzer, which nothing else links.
let buildsFuzzer = Context.environment["SEGMANCE_FUZZ"] != nil

/// Settings that every Swift target shares.
let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny")
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    swiftSettings: swiftSettings + settings)
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

// Optimised in debug builds too, with the tests that look at every sample: without it, they would
// wait for every minute that they stretch.
let optimised = [SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))]
let practiceEngine = Target.target(
  name: "PracticeEngine", dependencies: ["Counts"],
  swiftSettings: buildsForBrowser ? swiftSettings : swiftSettings + optimised)

let counts = Target.target(
  name: "Counts", swiftSettings: buildsForBrowser ? swiftSettings : swiftSettings + optimised)

let practice = Target.target(
  name: "Practice", dependencies: ["Counts"],
  swiftSettings: buildsForBrowser ? swiftSettings : swiftSettings + optimised)

/// A module for the browser: exports and nothing else.
func browserProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["CFreestanding"], swiftSettings: swiftSettings,
    linkerSettings: [
      .unsafeFlags([
        "-Xclang-linker", "-nostdlib", "-Xlinker", "--no-entry", "-Xlinker", "--strip-all",
      ])
    ])
}

// Optimised as well: each word is looked at sample by sample.
let speech = Target.target(name: "Speech", swiftSettings: swiftSettings + optimised)

let countVoices = Target.executableTarget(
  name: "CountVoices", dependencies: ["Speech"], swiftSettings: swiftSettings)

let browserTargets: [Target] = [
  practiceEngine,
  counts,
  practice,
  .target(name: "CFreestanding"),
  browserProgram("PracticeEngineWasm", ["PracticeEngine"]),
  browserProgram("CountsWasm", ["Counts"]),
  browserProgram("PracticeWasm", ["Counts", "Practice"]),
]

let wireTargets: [Target] = [
  practiceEngine,
  counts,
  practice,
  module("Text"),
  module("Model", ["Counts", "Text"]),
  speech,
  countVoices,
  .executableTarget(
    name: "WireTypes", dependencies: ["Counts", "Model", "Practice", "PracticeEngine", "Speech"],
    swiftSettings: swiftSettings),
  .executableTarget(
    name: "ModelVectors", dependencies: ["Model"], path: "Tests/ModelVectors",
    swiftSettings: swiftSettings),
]

let httpTargets: [Target] = [
  systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
  systemLibrary("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
  module("Text"),
  module("Timing"),
  module("Logging", ["Text"]),
  module("HTTP", ["Logging", "Text", "Timing", "CMicrohttpd", "CZlib"]),
  module("HTTPTesting", ["HTTP"]),
  module("TestSupport", ["MutexAnnotations", "Timing"]),
  .target(name: "MutexAnnotations", path: "Tests/Sanitizers/MutexAnnotations"),
  tests(of: "Logging"),
  tests(of: "HTTP", ["HTTPTesting", "Logging"]),
]

let nativeTargets: [Target] =
  httpTargets + [
    practiceEngine,
    counts,
    practice,
    speech,
    countVoices,
    systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    systemLibrary("CNettle", pkgConfig: "nettle", apt: "nettle-dev"),
    systemLibrary("CHogweed", pkgConfig: "hogweed", apt: "nettle-dev"),
    systemLibrary("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
    systemLibrary("CFLAC", pkgConfig: "flac", apt: "libflac-dev"),
    systemLibrary("CGnuTLS", pkgConfig: "gnutls", apt: "libgnutls28-dev"),
    systemLibrary("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
    systemLibrary("CCrypt", pkgConfig: "libcrypt", apt: "libcrypt-dev"),
    .target(name: "CBeatWeights", exclude: ["beats.weights"]),
    .target(name: "CJemalloc", linkerSettings: [.linkedLibrary("jemalloc")]),
    .target(name: "CCurl"),
    .target(name: "CPostgreSQL"),
    module("HTTPClient", ["CCurl"]),
    module("Locking"),
    module("Model", ["Counts", "Text"]),
    // Optimised in debug builds too: without it, tests would wait for every minute that they import.
    .target(
      name: "Analysis", dependencies: ["Counts", "CBeatWeights"],
      swiftSettings: swiftSettings + [.unsafeFlags(["-O"])]),
    module("Storage", ["HTTPClient", "Locking", "Model", "Text", "CArchive", "CNettle"]),
    module("Database", ["Locking", "Model", "Storage", "Text", "CPostgreSQL", "CSQLite"]),
    module("Media", ["Model", "Text", "Analysis", "Speech", "Storage", "CFLAC"]),
    module("SampleSong"),
    module("Network", ["HTTP", "Text", "CCrypt", "CGnuTLS", "CHogweed", "CQREncode"]),
    module(
      "Server",
      [
        "HTTP", "HTTPClient", "Logging", "Network", "Media", "SampleSong", "Storage", "Database",
        "Locking", "Model", "Analysis", "Counts", "Speech", "Text", "Timing",
      ]),
    .executableTarget(
      name: "segmance",
      dependencies: ["Server", "Counts", "Logging", "PracticeEngine", "CJemalloc"],
      swiftSettings: swiftSettings),
    .target(name: "AllocationCounter", path: "Tests/Engine/AllocationCounter"),
    tests(of: "PracticeEngine", ["AllocationCounter"], settings: optimised),
    tests(of: "Counts"),
    // Simulated performers, who try plans. `make bench BENCH=practice` runs many of them.
    .executableTarget(
      name: "PracticeTrial", dependencies: ["Practice", "TestSupport"],
      path: "Tests/PracticeTrial", swiftSettings: swiftSettings + optimised),
    tests(of: "Practice", ["PracticeTrial"], settings: optimised),
    tests(of: "CountVoices"),
    tests(of: "Speech", settings: optimised),
    tests(of: "HTTPClient", ["HTTP"]),
    tests(of: "Locking"),
    tests(of: "Text"),
    tests(of: "Model", ["Counts"]),
    tests(of: "Analysis", ["Practice", "AllocationCounter"]),
    tests(of: "Database", ["Model", "Storage"]),
    tests(of: "Storage", ["HTTPClient", "Model"]),
    tests(of: "Media", ["Model", "Analysis", "Speech", "Storage"]),
    tests(of: "SampleSong", ["Analysis"]),
    tests(of: "Network", ["HTTP", "CGnuTLS"]),
    tests(
      of: "Server",
      [
        "HTTP", "HTTPTesting", "Logging", "Network", "Media", "Storage", "Database", "Model",
        "Analysis", "CGnuTLS", "Counts", "Speech",
      ]),
    .target(
      name: "Fuzzing",
      dependencies: [
        "HTTP", "HTTPTesting", "Server", "Media", "Storage", "Database", "Model", "Analysis",
        "TestSupport",
      ],
      path: "Tests/Fuzz/Harnesses", swiftSettings: swiftSettings),
    .testTarget(
      name: "FuzzTests", dependencies: ["Fuzzing"], path: "Tests/Fuzz/ShortForm",
      swiftSettings: swiftSettings),
  ]

let fuzzerTargets: [Target] = [
  .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
  .executableTarget(
    name: "fuzz", dependencies: ["Fuzzing", "CLibFuzzer"], path: "Tests/Fuzz/Runner",
    swiftSettings: swiftSettings),
]

/// What one build is about.
let chosen: (products: [Product], targets: [Target]) =
  if buildsForBrowser {
    (
      ["PracticeEngineWasm", "CountsWasm", "PracticeWasm"].map {
        .executable(name: $0, targets: [$0])
      },
      browserTargets
    )
  } else if buildsWireTypes {
    ([], wireTargets)
  } else if buildsHTTPAlone {
    ([], httpTargets)
  } else {
    (
      [.executable(name: "segmance", targets: ["segmance"])],
      nativeTargets + (buildsFuzzer ? fuzzerTargets : [])
    )
  }

let package = Package(
  name: "segmance", products: chosen.products, targets: chosen.targets,
  swiftLanguageModes: [.v6]
)
