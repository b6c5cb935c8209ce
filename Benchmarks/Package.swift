// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name, because the folder of a checkout may be called anything.
        .package(name: "Granary", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "CFloor", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("csv")]),
        .target(name: "Fixtures", swiftSettings: settings),
        .target(name: "Measuring", swiftSettings: settings),
        .executableTarget(
            name: "ExportBenchmarks", dependencies: ["CFloor", "Fixtures", "Measuring"],
            exclude: ["compare.py", "rivals.py"], swiftSettings: settings),
        .executableTarget(
            name: "FetchBenchmarks",
            dependencies: [
                "CFloor", "Measuring", .product(name: "Granary", package: "Granary"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            // As for PersistenceBenchmarks.
            swiftSettings: settings + [.enableUpcomingFeature("MemberImportVisibility")]),
        .executableTarget(
            name: "GenerationBenchmarks", dependencies: ["CFloor", "Measuring"], exclude: ["generators.py"],
            swiftSettings: settings),
        .executableTarget(
            name: "ImportBenchmarks", dependencies: ["CFloor", "Fixtures", "Measuring"], exclude: ["rivals.py"],
            swiftSettings: settings),
        .executableTarget(
            name: "PersistenceBenchmarks",
            dependencies: [
                "CFloor", "Measuring", .product(name: "Granary", package: "Granary"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            // Granary and GRDB both name a FetchRequest: what a file does not import it does not see.
            swiftSettings: settings + [.enableUpcomingFeature("MemberImportVisibility")]),
        .executableTarget(
            name: "PostgreSQLBenchmarks", dependencies: ["Fixtures", "Measuring"], swiftSettings: settings),
    ]
)
