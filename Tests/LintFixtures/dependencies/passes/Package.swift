// swift-tools-version: 6.2
import PackageDescription

let core: [Target.Dependency] = ["Base", "Model"]

let package = Package(
    name: "Fixture",
    dependencies: [.package(url: "https://example.com/Yams", from: "6.0.0")],
    targets: [
        .systemLibrary(name: "GranaryCZlib"),
        .target(name: "Base", dependencies: [.target(name: "GranaryCZlib", condition: .when(platforms: [.linux]))]),
        .target(name: "Model", dependencies: ["Base", .product(name: "Yams", package: "Yams")]),
        .target(name: "Umbrella", dependencies: core),
        .executableTarget(name: "model-tool", dependencies: ["Model"], path: "Tools/tool"),
        .plugin(name: "ModelPlugin", capability: .buildTool(), dependencies: ["model-tool"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "BaseTests", dependencies: core + ["TestSupport"]),
        .testTarget(name: "ToolTests", dependencies: ["model-tool"]),
    ]
)
