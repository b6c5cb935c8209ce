import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

private let names = [
    "Blunt Trauma", "Burn", "C-Spine", "Cardiac", "Crushing", "Fracture", "Laceration", "Penetration",
]

@Suite("Sample: FooTriage") struct FooTriageTests {
    private let folder: TemporaryFolder

    /// Compiles the model, as Xcode does for an app.
    init() throws {
        folder = try TemporaryFolder()
        try ManagedObjectModel(contentsOf: Samples.url("Triage/Triage.xcdatamodeld"))
            .write(to: folder.url.appending(path: "FooTriage.momd"))
    }

    private var url: URL { folder.url.appending(path: "Triage.sqlite") }

    private func linked() throws -> FooTriage {
        let triage = try FooTriage(modelIn: folder.url)
        try triage.link2file(url)
        return triage
    }

    @Test("prepModel loads FooTriage.momd, and link2file creates the file without injuries")
    func steps() throws {
        #expect(try FooTriage.prepModel(in: folder.url).entity(named: "Injury") != nil)
        let triage = try FooTriage(modelIn: folder.url)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try triage.link2file(url)
        #expect(FileManager.default.fileExists(atPath: url.path))
        #expect(try triage.injuries().isEmpty)
        #expect(triage.save2file() && triage.saveError == nil)
    }

    @Test("initInjury fills the store from the constant table and saves; a second run changes nothing")
    func makeSeed() throws {
        #expect(try FooTriage.makeSeed(modelIn: folder.url, at: url))
        #expect(try linked().injuries() == names)
        let bytes = try Data(contentsOf: url)
        #expect(try FooTriage.makeSeed(modelIn: folder.url, at: url))
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test("Without a linked file save2file gives false; the injuries wait for one")
    func noFile() throws {
        let triage = try FooTriage(modelIn: folder.url)
        #expect(try !triage.initInjury())
        #expect((triage.saveError as? GranaryError)?.code == .refused)
        try triage.link2file(url)
        #expect(triage.save2file() && triage.saveError == nil)
        #expect(try triage.injuries() == names)
        #expect(try linked().injuries() == names)
    }

    @Test("A missing model is an error")
    func noModel() throws {
        let empty = try TemporaryFolder()
        let error = #expect(throws: GranaryError.self) { try FooTriage(modelIn: empty.url) }
        #expect(error?.code == .unreadable)
    }

    @Test("The table in the program is the sample's")
    func terms() throws {
        let file = try Data(contentsOf: Samples.url("Triage/injuries.terms"))
        #expect(file == Data((FooTriage.injuryTerms + "\n").utf8))
    }
}
