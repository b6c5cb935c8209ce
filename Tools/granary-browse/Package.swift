// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]
let sockets: Target.Dependency = .product(name: "FlyingSocks", package: "FlyingFox")

// A package of its own, so that nobody who builds `granary` or uses its library resolves a package of a web server.
let package = Package(
    name: "granary-browse",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "granary-browse", targets: ["granary-browse"])],
    dependencies: [.package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1"))],
    targets: [
        .executableTarget(name: "granary-browse", dependencies: [sockets], swiftSettings: settings),
        .testTarget(
            name: "GranaryBrowseToolTests", dependencies: [.target(name: "granary-browse"), sockets],
            swiftSettings: settings),
    ]
)

// The folder of Scripts/static-parts, for the static binary of `make dist` on Linux; Package.swift of Granary tells why the
// flags are here.
if let staticParts = Context.environment["GRANARY_STATIC_PARTS"] {
    let tool = package.targets.first { $0.name == "granary-browse" }
    let linker = ["--build-id=none", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] }
    tool?.linkerSettings = [.unsafeFlags(["\(staticParts)/icu-none.o", "-L", staticParts] + linker)]
}
