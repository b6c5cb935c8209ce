// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fixture",
    dependencies: [.package(url: "https://example.com/Yams", from: "6.0.0")],
    targets: [
        .systemLibrary(name: "GranaryCZlib"),
        .target(name: "Base", dependencies: [.target(name: "GranaryCZlib", condition: .when(platforms: [.linux]))]),
        .target(name: "Model", dependencies: ["Base", .product(name: "Yams", package: "Yams")]),
        .target(name: "Plans", dependencies: ["Model"]),
        .target(name: "StoreTestSupport", path: "Tests/StoreTestSupport"),
        .testTarget(name: "BaseTests", dependencies: ["Base", "StoreTestSupport"]),
    ]
)
