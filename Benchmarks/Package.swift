// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    targets: [
        .target(
            name: "CFloor", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("csv")]),
        .executableTarget(
            name: "Benchmarks", dependencies: ["CFloor"],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    ]
)
