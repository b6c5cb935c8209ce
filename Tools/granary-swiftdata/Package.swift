// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds `granary` or uses its library compiles swift-syntax.
let package = Package(
    name: "granary-swiftdata",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "granary-swiftdata", targets: ["granary-swiftdata"])],
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0")],
    targets: [
        .executableTarget(
            name: "granary-swiftdata",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ],
            // `Declarations` is a link to the module of Granary that reads the output.
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
            ])
    ]
)
