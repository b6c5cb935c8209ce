import Foundation
import GranaryBase
import GranaryContexts
import GranaryFormats
import TestSupport
import Testing

@testable import GranaryFixtures

@Suite struct SnapshotFileTests {
    private let folder: TemporaryFolder
    private var testFile: String { folder.url.appending(path: "ClinicTests.swift").path }

    init() throws { folder = try TemporaryFolder() }

    @Test("A missing snapshot is a failure; an update writes it; then it is equal")
    func course() async throws {
        let file = try SnapshotFile("two injuries", besides: testFile)
        #expect(file.path == folder.url.appending(path: "__Snapshots__/ClinicTests/two injuries.txt").path)
        try await Clinic.fixture(Clinic.injuries).withClone { container in
            let missing = try await file.compare(with: container, updates: false)
            guard case .different(let message) = missing else {
                Issue.record("\(missing)")
                return
            }
            #expect(message.contains("there is no snapshot") && message.contains("GRANARY_UPDATE=1"))
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let written = try await file.compare(with: container, updates: true)
            #expect(written == .written(path: file.path))
            for updates in [false, true] {
                let again = try await file.compare(with: container, updates: updates)
                #expect(again == .equal)
            }
            // As Git writes it on some systems.
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            try Data(text.replacing("\n", with: "\r\n").utf8).write(to: URL(filePath: file.path))
            let withReturns = try await file.compare(with: container, updates: false)
            #expect(withReturns == .equal)
        }
    }

    @Test("A difference is shown, and an update replaces the snapshot")
    func difference() async throws {
        let file = try SnapshotFile("injuries", besides: testFile)
        try await Clinic.fixture(Clinic.injuries).withClone { container in
            _ = try await file.compare(with: container, updates: true)
            try await container.add("Injury", "Cardiac")
            let outcome = try await file.compare(with: container, updates: false)
            guard case .different(let message) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(message.contains("\n+Injury \"Cardiac\"\n+  name: \"Cardiac\"\n"))
            #expect(message.contains("GRANARY_UPDATE=1"))
            let ignoring = try await file.compare(with: container, ignoring: ["Injury.key"], updates: false)
            #expect(ignoring != .equal)
            let written = try await file.compare(with: container, updates: true)
            #expect(written == .written(path: file.path))
            let again = try await file.compare(with: container, updates: false)
            #expect(again == .equal)
        }
    }

    @Test("Texts that differ only in their normalisation are different")
    func normalisation() async throws {
        let file = try SnapshotFile("normalisation", besides: testFile)
        func outcome(_ name: String, updates: Bool) async throws -> SnapshotFile.Outcome {
            let fixture = Clinic.fixture(.text("name\n\(name)\n", format: .csv, entity: "Injury"))
            return try await fixture.withClone { try await file.compare(with: $0, updates: updates) }
        }
        let written = try await outcome("Caf\u{E9}", updates: true)
        #expect(written == .written(path: file.path))
        let same = try await outcome("Caf\u{E9}", updates: false)
        #expect(same == .equal)
        let decomposed = try await outcome("Cafe\u{301}", updates: false)
        guard case .different(let message) = decomposed else {
            Issue.record("\(decomposed)")
            return
        }
        #expect(message.contains("only the Unicode normalisation of texts differs"))
        #expect(message.contains("\n-  name: ") && message.contains("\n+  name: "))
    }

    @Test(
        "Names that are no file names",
        arguments: ["", ".", "../up", "a/b", "a\nb", String(repeating: "a", count: 300)])
    func names(name: String) {
        let error = #expect(throws: GranaryError.self) { try SnapshotFile(name, besides: testFile) }
        #expect(error?.code == .usage)
    }
}
