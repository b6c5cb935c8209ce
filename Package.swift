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

/// What moves objects between files and stores.
let seeding: [Target.Dependency] = [
    "GranaryComparison", "GranaryExport", "GranaryGeneration", "GranaryImport", "GranaryMigration", "GranarySeedPlans",
    "GranarySubset",
]

/// The persistence core and what it stands on, for the targets of tests.
let core: [Target.Dependency] = [
    "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
    "GranaryInspection", "GranaryModel", "GranaryModelFiles", "GranaryPredicates", "GranaryPropertyLists",
    "GranaryRecords", "GranarySQLite",
]

/// The folder of Scripts/static-parts, for the static binary of `make dist` on Linux. Libraries in it precede those of the
/// system, unless pkg-config adds the folder of the system's libraries.
let staticParts = Context.environment["GRANARY_STATIC_PARTS"]

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
    traits: [
        .trait(name: "PostgreSQL", description: "Stores in PostgreSQL databases, through libpq (docs/postgresql.md).")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        // C libraries of the system, each imported by exactly one module.
        .systemLibrary(
            name: "GranaryCSQLite", pkgConfig: staticParts == nil ? "sqlite3" : nil,
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "GranaryCLibCSV", providers: [.apt(["libcsv-dev"]), .brew(["libcsv"])]),
        .systemLibrary(
            name: "GranaryCZlib", pkgConfig: staticParts == nil ? "zlib" : nil,
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // SHA-256 and SHA-512 where there is no CryptoKit.
        .systemLibrary(
            name: "GranaryCLibCrypto", pkgConfig: staticParts == nil ? "libcrypto" : nil,
            providers: [.apt(["libssl-dev"])]),
        // Used with the trait PostgreSQL only.
        .systemLibrary(
            name: "GranaryCLibPQ", pkgConfig: staticParts == nil ? "libpq" : nil,
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // A header of our own around system calls.
        .systemLibrary(name: "GranaryCBytes"),
        .systemLibrary(name: "GranaryCSystem"),

        // Modules from the ground up; `make lint` holds the source to these arrows.
        library("GranaryBase", ["GranaryCBytes", "GranaryCSystem", "GranaryCZlib"]),
        library("GranaryPropertyLists", ["GranaryBase"]),
        library("GranaryPredicates", ["GranaryBase"]),
        library(
            "GranaryModel",
            [
                "GranaryBase", "GranaryPredicates",
                .target(name: "GranaryCLibCrypto", condition: .when(platforms: [.linux])),
            ]),
        // YAML and JSON with positions, for seed plans and models as text.
        library("GranaryYAML", ["GranaryBase", .product(name: "Yams", package: "Yams")]),
        // SwiftData's schemas from Swift sources.
        library(
            "GranarySwiftData",
            ["GranaryBase", "GranaryModel", "GranaryPredicates", "GranaryPropertyLists", "GranaryYAML"]),
        library(
            "GranaryModelFiles",
            [
                "GranaryBase", "GranaryModel", "GranaryPredicates", "GranaryPropertyLists", "GranarySwiftData",
                "GranaryYAML",
            ]),
        // Elsewhere there is no libcsv; GranaryFormats has a tokeniser of its own.
        library(
            "GranaryFormats",
            [
                "GranaryCBytes", "GranaryBase", "GranaryPropertyLists",
                .target(name: "GranaryCLibCSV", condition: .when(platforms: [.linux, .macOS])),
            ]),
        library(
            "GranaryProfile",
            [
                "GranaryBase", "GranaryCoordination", "GranaryFormats", "GranaryModel", "GranaryPredicates",
                "GranaryRecords",
            ]),
        library(
            "GranaryPages",
            [
                "GranaryBase", "GranaryComparison", "GranaryCoordination", "GranaryCoreDataStore", "GranaryImport",
                "GranaryInspection",
                "GranaryProfile",
            ]),
        library("GranaryDiagrams", ["GranaryBase", "GranaryModel"]),
        library("GranarySQLite", ["GranaryBase", "GranaryCSQLite"]),
        library(
            "GranaryCoordination",
            ["GranaryBase", "GranaryFormats", "GranaryModel", "GranaryPredicates", "GranaryPropertyLists"]),
        library("GranaryContexts", ["GranaryBase", "GranaryCoordination", "GranaryModel", "GranaryPredicates"]),
        library(
            "GranaryCoreDataStore",
            [
                "GranaryBase", "GranaryCoordination", "GranaryModel", "GranaryPredicates", "GranaryModelFiles",
                "GranaryPropertyLists",
                "GranarySQLite",
            ]),
        // Without its trait, the module refuses to open a store and says how to build it.
        library(
            "GranaryPostgreSQL",
            [
                "GranaryBase", "GranaryCoordination", "GranaryModel", "GranaryPredicates", "GranaryPropertyLists",
                .target(name: "GranaryCLibPQ", condition: .when(traits: ["PostgreSQL"])),
            ]),
        library(
            "GranaryInspection",
            [
                "GranaryBase", "GranaryCoordination", "GranaryCoreDataStore", "GranaryModel", "GranaryPropertyLists",
                "GranarySQLite",
            ]),
        library(
            "GranaryRecords",
            [
                "GranaryBase", "GranaryCoordination", "GranaryFormats", "GranaryModel", "GranaryPredicates",
                "GranaryPropertyLists", "GranarySQLite",
            ]),
        library(
            "GranaryImport",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryModel", "GranaryPredicates", "GranaryRecords",
            ]),
        library(
            "GranarySurvey",
            [
                "GranaryBase", "GranaryFormats", "GranaryImport", "GranaryModel",
                "GranaryRecords",
            ]),
        library(
            "GranaryExport",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryModel", "GranaryPredicates", "GranaryRecords",
            ]),
        library("GranaryGeneration", ["GranaryBase", "GranaryCoordination", "GranaryModel", "GranaryPredicates"]),
        library(
            "GranarySubset",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryExport",
                "GranaryFormats", "GranaryGeneration", "GranaryImport", "GranaryModel", "GranaryPostgreSQL",
                "GranaryPredicates", "GranaryRecords", "GranaryYAML",
            ]),
        library(
            "GranaryComparison",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryImport", "GranaryModel", "GranaryPostgreSQL", "GranaryPredicates", "GranaryRecords",
                "GranarySQLite",
            ]),
        library(
            "GranaryMigration",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryModel",
                "GranaryModelFiles", "GranaryPostgreSQL", "GranaryPredicates", "GranaryRecords",
            ]),
        library(
            "GranaryProposals",
            ["GranaryBase", "GranaryFormats", "GranaryModel", "GranaryRecords", "GranarySQLite"]),
        library(
            "GranarySeedPlans",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryGeneration", "GranaryImport", "GranaryModel", "GranaryPostgreSQL", "GranaryRecords",
                "GranarySubset", "GranaryYAML",
            ]),
        // The pages of `granary browse`, without sockets to the network.
        library(
            "GranaryBrowsing",
            [
                "GranaryBase", "GranaryCoordination", "GranaryDiagrams", "GranaryExport", "GranaryFormats",
                "GranaryModel", "GranaryPages", "GranaryPredicates", "GranaryProfile", "GranaryRecords",
            ]),
        library(
            "GranaryCommands",
            seeding + [
                "GranaryBase", "GranaryBrowsing", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryInspection", "GranaryModel", "GranaryPostgreSQL", "GranaryPredicates", "GranaryModelFiles",
                "GranaryProposals", "GranarySurvey", "GranarySwiftData", "GranaryRecords", "GranaryDiagrams",
                "GranaryPages", "GranaryProfile",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Not "granary": beside "Granary" that is the same folder on a disk that ignores case.
        .executableTarget(name: "granary-tool", dependencies: ["GranaryCommands"], swiftSettings: settings),
        // Generates the classes of a target's models during its build. The tool is small because a package that uses the
        // plugin builds it.
        .executableTarget(
            name: "granary-model-tool",
            dependencies: ["GranaryBase", "GranaryModel", "GranaryModelFiles"],
            swiftSettings: settings),
        .plugin(name: "GranaryModelPlugin", capability: .buildTool(), dependencies: ["granary-model-tool"]),
        library(
            "Granary",
            seeding + [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryInspection", "GranaryModel", "GranaryPostgreSQL", "GranaryPredicates", "GranaryModelFiles",
                "GranaryRecords", "GranarySwiftData",
            ]),
        // What the two libraries for tests share.
        library(
            "GranaryFixtures",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryFormats",
                "GranaryExport", "GranaryGeneration", "GranaryImport", "GranaryMigration", "GranaryModel",
                "GranaryModelFiles", "GranaryPredicates", "GranaryRecords", "GranarySeedPlans", "GranarySwiftData",
            ]),
        library("GranaryTesting", ["Granary", "GranaryFixtures"]),
        library("GranaryXCTest", ["Granary", "GranaryFixtures"]),
        // Reads a whole collection of stores and models twice: Scripts/survey; no product.
        .executableTarget(
            name: "store-survey",
            dependencies: [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryInspection",
                "GranaryModel", "GranaryModelFiles", "GranaryPredicates", "GranaryPropertyLists", "GranarySQLite",
            ],
            path: "Tools/store-survey", swiftSettings: settings),
        // Measures clones of fixtures: Scripts/bench; no product, because it uses the inner interface.
        .executableTarget(
            name: "fixture-benchmarks",
            dependencies: ["GranaryContexts", "GranaryFixtures", "GranaryModel", "GranaryPredicates"],
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
        library(
            "FuzzTargets",
            [
                "GranaryBase", "GranaryContexts", "GranaryCoordination", "GranaryCoreDataStore", "GranaryInspection",
                "GranaryModel", "GranaryModelFiles", "GranaryPredicates", "GranaryPropertyLists",
            ],
            path: "Fuzz/Targets"),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        tests("GranaryBaseTests", ["GranaryBase"]),
        tests("GranaryYAMLTests", ["GranaryBase", "GranaryYAML"]),
        tests("GranaryPropertyListsTests", ["GranaryBase", "GranaryPropertyLists"]),
        tests("GranaryPredicatesTests", ["GranaryBase", "GranaryModel", "GranaryPredicates", "StoreTestSupport"]),
        tests(
            "GranaryModelTests",
            ["GranaryBase", "GranaryModel", "GranaryPredicates", "GranaryModelFiles", "StoreTestSupport"]),
        tests(
            "GranaryModelFilesTests",
            [
                "GranaryBase", "GranaryModel", "GranaryPredicates", "GranaryModelFiles", "GranaryPropertyLists",
                "GranarySQLite", "GranaryYAML",
            ]),
        tests("GranarySwiftDataTests", ["GranaryBase", "GranaryModel", "GranaryPredicates", "GranarySwiftData"]),
        tests("GranaryFormatsTests", ["GranaryCBytes", "GranaryBase", "GranaryFormats", "GranaryPropertyLists"]),
        tests("GranarySQLiteTests", ["GranaryBase", "GranarySQLite"]),
        tests(
            "GranaryDiagramsTests",
            ["GranaryBase", "GranaryDiagrams", "GranaryModel", "GranaryModelFiles", "GranaryPropertyLists"]),
        // Models, objects and files that the tests of the persistence core share.
        library("StoreTestSupport", core + ["GranaryPostgreSQL", "TestSupport"], path: "Tests/StoreTestSupport"),
        tests("GranaryCoordinationTests", core + ["StoreTestSupport"]),
        tests("GranaryContextsTests", core + ["StoreTestSupport"]),
        tests("GranaryCoreDataStoreTests", core + ["GranaryPostgreSQL", "StoreTestSupport"]),
        tests("GranaryInspectionTests", core + ["StoreTestSupport"]),
        tests("GranaryPostgreSQLTests", core + ["GranaryComparison", "GranaryPostgreSQL", "StoreTestSupport"]),
        // Imports, exports and stores that the tests of the next targets share.
        library("SeedingTestSupport", core + seeding + ["TestSupport"], path: "Tests/SeedingTestSupport"),
        tests("GranaryRecordsTests", core + seeding + ["SeedingTestSupport"]),
        tests("GranaryImportTests", core + seeding + ["SeedingTestSupport", "StoreTestSupport"]),
        tests("GranaryExportTests", core + seeding + ["SeedingTestSupport", "StoreTestSupport"]),
        tests("GranaryBrowsingTests", core + seeding + ["GranaryBrowsing", "SeedingTestSupport"]),
        tests("GranaryGenerationTests", core + seeding + ["SeedingTestSupport", "StoreTestSupport"]),
        tests(
            "GranaryProposalsTests",
            [
                "GranaryBase", "GranaryFormats", "GranaryModel", "GranaryModelFiles", "GranaryProposals",
                "GranaryRecords",
                "GranarySQLite",
            ]),
        tests("GranaryPagesTests", ["GranaryBase", "GranaryImport", "GranaryPages", "GranaryPropertyLists"]),
        tests("GranaryProfileTests", core + seeding + ["GranaryProfile", "SeedingTestSupport"]),
        tests("GranarySubsetTests", core + seeding + ["SeedingTestSupport"]),
        tests("GranaryComparisonTests", core + seeding + ["SeedingTestSupport"]),
        tests(
            "GranaryMigrationTests", core + seeding + ["GranaryPostgreSQL", "SeedingTestSupport", "StoreTestSupport"]),
        tests("GranarySeedPlansTests", core + seeding + ["GranaryYAML", "SeedingTestSupport"]),
        tests(
            "GranaryCommandsTests",
            core + seeding + [
                "GranaryCommands", "GranaryPostgreSQL", "GranarySwiftData", "GranaryYAML", "StoreTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The public API as a user sees it: `import Granary` and nothing else.
        tests("GranaryTests", ["Granary"]),
        tests("GranaryFixturesTests", core + seeding + ["GranaryFixtures"]),
        tests("GranaryTestingTests", ["Granary", "GranaryTesting"], exclude: ["__Snapshots__"]),
        tests("GranaryXCTestTests", ["Granary", "GranaryXCTest"], exclude: ["__Snapshots__"]),
        // Granary against Apple's Core Data. Without that framework the files are empty.
        tests("CoreDataTests", ["Granary", "GranaryInspection", "GranaryModel"]),
        tests("SampleProgramsTests", ["Granary", "SamplePrograms"]),
        tests("FuzzTargetsTests", ["FuzzTargets"]),
        tests(
            "EndToEndTests",
            [
                "Granary", "GranaryModel", "GranaryModelFiles", "GranarySQLite", "crash-program", "granary-tool",
                "store-survey",
            ]),
    ]
)

// Its `main` is libFuzzer's, so that it links with `--sanitize fuzzer` only: Scripts/fuzz builds it.
if Context.environment["GRANARY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz-program", dependencies: ["FuzzTargets"], path: "Fuzz/Program",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}

// The object file has to precede the archives of the toolchain, which define the same symbol; no option of `swift build`
// can do that.
if let staticParts {
    let tool = package.targets.first { $0.name == "granary-tool" }
    // A build identifier would depend on the paths in the debug information. Exported symbols would keep what nobody calls.
    let linker = ["--build-id=none", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] }
    tool?.linkerSettings = [.unsafeFlags(["\(staticParts)/icu-data.o", "-L", staticParts] + linker)]
}

// SwiftPM compiles the modules of a plugin's tool a second time, for the host. The tests of this package do not use the
// plugin, so the Makefile leaves it out.
if Context.environment["GRANARY_WITHOUT_PLUGIN"] != nil {
    package.products.removeAll { $0.name == "GranaryModelPlugin" }
    package.targets.removeAll { $0.name == "GranaryModelPlugin" }
}

// Only `make docs` needs this package.
if Context.environment["GRANARY_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
