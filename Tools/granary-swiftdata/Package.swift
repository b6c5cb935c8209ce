// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]
let syntax: [Target.Dependency] = [
    .product(name: "SwiftSyntax", package: "swift-syntax"), .product(name: "SwiftParser", package: "swift-syntax"),
]

// A package of its own, so that nobody who builds `granary` or uses its library compiles swift-syntax.
let package = Package(
    name: "granary-swiftdata",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "granary-swiftdata", targets: ["granary-swiftdata"])],
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0")],
    targets: [
        // `Declarations` is a link to the module of Granary that reads the output.
        .executableTarget(name: "granary-swiftdata", dependencies: syntax, swiftSettings: settings),
        .testTarget(
            name: "GranarySwiftDataToolTests",
            dependencies: [.target(name: "granary-swiftdata")] + syntax,
            swiftSettings: settings),
    ]
)

// The folder of Scripts/static-parts, for the static binary of `make dist` on Linux; Package.swift of Granary tells why the
// flags are here.
if let staticParts = Context.environment["GRANARY_STATIC_PARTS"] {
    let tool = package.targets.first { $0.name == "granary-swiftdata" }
    let linker = ["--build-id=none", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] }
    tool?.linkerSettings = [.unsafeFlags(["\(staticParts)/icu-none.o", "-L", staticParts] + linker)]
}
