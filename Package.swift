// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is built with.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // a boxed value is seen in the source
    .enableUpcomingFeature("InternalImportsByDefault"),  // a dependency leaks into no public interface unasked
    .enableUpcomingFeature("MemberImportVisibility"),  // an extension is used only where its module is imported
    .treatAllWarnings(as: .error),  // a warning is a defect that has not happened yet
]

func library(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: settings)
}

/// The persistence core and what it stands on.
let core: [Target.Dependency] = [
    "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
    "GranaryInspection", "GranaryModel", "GranaryModelFiles", "GranaryPropertyLists", "GranarySQLite",
]

let package = Package(
    name: "Granary",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Granary", targets: ["Granary"]),
        .library(name: "GranaryTesting", targets: ["GranaryTesting"]),
        .library(name: "GranaryXCTest", targets: ["GranaryXCTest"]),
        .executable(name: "granary", targets: ["granary-tool"]),
        .plugin(name: "GranaryModelPlugin", targets: ["GranaryModelPlugin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        // C libraries of the system, each imported by exactly one module.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CLibCSV", providers: [.apt(["libcsv-dev"]), .brew(["libcsv"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // SHA-256 and SHA-512 where there is no CryptoKit.
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // A header of our own around system calls.
        .systemLibrary(name: "CBytes"),
        .systemLibrary(name: "CSystem"),

        // Modules from the ground up; `make lint` holds the source to these arrows.
        library("GranaryBase", ["CBytes", "CSystem", "CZlib"]),
        library("GranaryPropertyLists", ["GranaryBase"]),
        library(
            "GranaryModel", ["GranaryBase", .target(name: "CLibCrypto", condition: .when(platforms: [.linux]))]),
        library("GranaryModelFiles", ["GranaryBase", "GranaryModel", "GranaryPropertyLists"]),
        // Elsewhere there is no libcsv; GranaryFormats has a tokeniser of its own.
        library(
            "GranaryFormats",
            [
                "CBytes", "GranaryBase", "GranaryPropertyLists",
                .target(name: "CLibCSV", condition: .when(platforms: [.linux, .macOS])),
            ]),
        library("GranarySQLite", ["GranaryBase", "CSQLite"]),
        library(
            "GranaryCoordination",
            ["GranaryBase", "GranaryFormats", "GranaryModel", "GranaryPropertyLists"]),
        library("GranaryContexts", ["GranaryBase", "GranaryCoordination", "GranaryModel"]),
        library(
            "GranaryCoreDataStore",
            [
                "GranaryBase", "GranaryCoordination", "GranaryModel", "GranaryModelFiles", "GranaryPropertyLists",
                "GranarySQLite",
            ]),
        library(
            "GranaryInspection",
            [
                "GranaryBase", "GranaryCoordination", "GranaryCoreDataStore", "GranaryModel", "GranaryPropertyLists",
                "GranarySQLite",
            ]),
        library(
            "GranarySeeding",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryModel", "GranarySQLite", .product(name: "Yams", package: "Yams"),
            ]),
        library(
            "GranaryCommands",
            [
                "GranaryBase", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryInspection", "GranaryModel", "GranaryModelFiles", "GranarySeeding",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Not "granary": beside "Granary" that is the same folder on a disk that ignores case.
        .executableTarget(name: "granary-tool", dependencies: ["GranaryCommands"], swiftSettings: settings),
        // Generates the classes of a target's models during its build. The tool is small because a package that uses the
        // plugin builds it.
        .executableTarget(
            name: "granary-model-tool", dependencies: ["GranaryBase", "GranaryModel", "GranaryModelFiles"],
            swiftSettings: settings),
        .plugin(name: "GranaryModelPlugin", capability: .buildTool(), dependencies: ["granary-model-tool"]),
        library(
            "Granary",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryInspection", "GranaryModel", "GranaryModelFiles", "GranarySeeding",
            ]),
        // What the two libraries for tests share.
        library(
            "GranaryFixtures",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryModel", "GranaryModelFiles", "GranarySeeding",
            ]),
        library("GranaryTesting", ["Granary", "GranaryFixtures"]),
        library("GranaryXCTest", ["Granary", "GranaryFixtures"]),
        // Reads a whole collection of stores and models twice: Scripts/survey; no product.
        .executableTarget(
            name: "store-survey", dependencies: core, path: "Tools/store-survey", swiftSettings: settings),
        // Measures clones of fixtures: Scripts/bench; no product, because it uses the inner interface.
        .executableTarget(
            name: "fixture-benchmarks", dependencies: ["GranaryContexts", "GranaryFixtures", "GranaryModel"],
            path: "Tools/fixture-benchmarks", swiftSettings: settings),
        // Programs as users write them; no product, but they compile and run in the tests.
        .target(
            name: "SamplePrograms", dependencies: ["Granary"], path: "samples/Programs", exclude: [".swift-format"],
            swiftSettings: settings),
        // Runs one of them for `make demo`; no product.
        .executableTarget(
            name: "sample-program", dependencies: ["SamplePrograms"], path: "samples/Demo", swiftSettings: settings),

        // What tests kill while it saves; no product.
        .executableTarget(
            name: "crash-program", dependencies: ["Granary"], path: "Tests/CrashProgram", swiftSettings: settings),
        // What fuzzers and tests feed with broken input; no product.
        .target(
            name: "FuzzTargets", dependencies: core, path: "Fuzz/Targets", swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        tests("GranaryBaseTests", ["GranaryBase"]),
        tests("GranaryPropertyListsTests", ["GranaryBase", "GranaryPropertyLists"]),
        tests("GranaryModelTests", ["GranaryBase", "GranaryModel", "GranaryModelFiles"]),
        tests(
            "GranaryModelFilesTests",
            ["GranaryBase", "GranaryModel", "GranaryModelFiles", "GranaryPropertyLists", "GranarySQLite"]),
        tests("GranaryFormatsTests", ["CBytes", "GranaryBase", "GranaryFormats", "GranaryPropertyLists"]),
        tests("GranarySQLiteTests", ["GranaryBase", "GranarySQLite"]),
        // Models, objects and files that the tests of the persistence core share.
        library("StoreTestSupport", core + ["TestSupport"], path: "Tests/StoreTestSupport"),
        tests("GranaryCoordinationTests", core + ["StoreTestSupport"]),
        tests("GranaryContextsTests", core + ["StoreTestSupport"]),
        tests("GranaryCoreDataStoreTests", core + ["StoreTestSupport"]),
        tests("GranaryInspectionTests", core + ["StoreTestSupport"]),
        tests("GranarySeedingTests", core + ["GranarySeeding", "StoreTestSupport"]),
        tests(
            "GranaryCommandsTests",
            core + [
                "GranaryCommands", "GranarySeeding", "StoreTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The public API as a user sees it: `import Granary` and nothing else.
        tests("GranaryTests", ["Granary"]),
        tests("GranaryFixturesTests", core + ["GranaryFixtures", "GranarySeeding", "StoreTestSupport"]),
        tests("GranaryTestingTests", ["Granary", "GranaryTesting"], exclude: ["__Snapshots__"]),
        tests("GranaryXCTestTests", ["Granary", "GranaryXCTest"], exclude: ["__Snapshots__"]),
        // Granary against Apple's Core Data. Without that framework the files are empty.
        tests("CoreDataTests", ["Granary", "GranaryInspection", "GranaryModel"]),
        tests("SampleProgramsTests", ["Granary", "SamplePrograms"]),
        tests("FuzzTargetsTests", ["FuzzTargets"]),
        tests("EndToEndTests", ["Granary", "GranarySQLite", "crash-program", "granary-tool", "store-survey"]),
    ]
)

// Its `main` is libFuzzer's, so that it links with `--sanitize fuzzer` only: Scripts/fuzz builds it.
if Context.environment["GRANARY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz-program", dependencies: ["FuzzTargets"], path: "Fuzz/Program",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}

// Only `make docs` needs this package.
if Context.environment["GRANARY_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
