// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TriageTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Granary", path: "../..")],
    targets: [
        .target(name: "TriageRules", dependencies: [.product(name: "Granary", package: "Granary")]),
        .testTarget(
            name: "TriageRulesTests",
            dependencies: [
                "TriageRules", .product(name: "GranaryTesting", package: "Granary"),
                .product(name: "GranaryXCTest", package: "Granary"),
            ],
            // The build does not need them: `expectStore` reads them beside the test files.
            exclude: ["__Snapshots__"]),
    ]
)
