// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PluginApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Granary", path: "../..")],
    targets: [
        .executableTarget(
            name: "PluginApp",
            dependencies: [.product(name: "Granary", package: "Granary")],
            // The plugin compiles the model.
            exclude: ["Company.xcdatamodeld"],
            plugins: [.plugin(name: "GranaryModelPlugin", package: "Granary")])
    ]
)
