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
        let files = try Self.files("Regressions", target)
        #expect(!files.isEmpty)
        for file in files {
            let isRead = target.run(Array(try Data(contentsOf: file)))
            if file.lastPathComponent.hasPrefix("refused") { #expect(!isRead, "\(file.lastPathComponent)") }
        }
    }

    /// A fuzzer's simplest steps, on every run of the tests: each seed cut off, and with single bytes changed.
    @Test(arguments: FuzzTarget.allCases)
    func damagedSeedsDoNoHarm(_ target: FuzzTarget) throws {
        for file in try Self.files("Seeds", target) {
            let seed = Array(try Data(contentsOf: file))
            // About forty of each.
            let step = max(1, seed.count / 40)
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
