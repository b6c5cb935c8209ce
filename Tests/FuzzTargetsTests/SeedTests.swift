import Foundation
import FuzzTargets
import Testing

/// The inputs that the fuzzers begin with, and what they have found: none may do more than be refused.
@Suite struct SeedTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz")

    private static func files(_ folder: String, _ target: FuzzTarget) throws -> [URL] {
        let place = root.appending(path: "\(folder)/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
            .map { place.appending(path: $0) }
    }

    @Test(arguments: FuzzTarget.allCases)
    func seedsAreRead(_ target: FuzzTarget) throws {
        let files = try Self.files("Seeds", target)
        #expect(!files.isEmpty)
        for file in files {
            let isRead = target.run(Array(try Data(contentsOf: file)))
            #expect(isRead, "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func regressionsDoNoHarm(_ target: FuzzTarget) throws {
        try Self.checkRegressions(target, longest: 4_000)
    }

    static func checkRegressions(_ target: FuzzTarget, longest: Int) throws {
        let files = try files("Regressions", target)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            guard bytes.count <= longest else { continue }
            let isRead = target.run(bytes)
            if file.lastPathComponent.hasPrefix("refused") { #expect(!isRead, "\(file.lastPathComponent)") }
        }
    }

    /// A fuzzer's simplest steps, on every run of the tests: each seed cut off, and with single bytes changed.
    @Test(arguments: FuzzTarget.allCases)
    func damagedSeedsDoNoHarm(_ target: FuzzTarget) throws { try Self.checkDamagedSeeds(target, places: 8) }

    /// Damages each seed at about so many places.
    static func checkDamagedSeeds(_ target: FuzzTarget, places: Int) throws {
        for file in try files("Seeds", target) {
            let seed = Array(try Data(contentsOf: file))
            let step = max(1, seed.count / places)
            for place in stride(from: 0, to: seed.count, by: step) {
                target.run(Array(seed[..<place]))
                var damaged = seed
                damaged[place] ^= UInt8(truncatingIfNeeded: 1 << (place % 8))
                target.run(damaged)
            }
        }
        #expect(!target.run([]))
    }
}

@Suite struct SeedLongTests {
    @Test(arguments: FuzzTarget.allCases)
    func regressionsDoNoHarm(_ target: FuzzTarget) throws { try SeedTests.checkRegressions(target, longest: .max) }

    @Test(arguments: FuzzTarget.allCases)
    func damagedSeedsDoNoHarm(_ target: FuzzTarget) throws { try SeedTests.checkDamagedSeeds(target, places: 40) }
}
