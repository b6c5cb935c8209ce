import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

private let names = [
    "Blunt Trauma", "Burn", "C-Spine", "Cardiac", "Crushing", "Fracture", "Laceration", "Penetration",
]

@Suite("Sample: FooTriage") struct FooTriageTests {
    @Test("The injuries are in the file once save2file was called, and not before")
    func steps() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Triage.sqlite")
        let triage = try FooTriage()
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try triage.link2file(url)
        let empty = try Data(contentsOf: url)
        try triage.initInjury()
        #expect(try triage.injuries() == names)
        #expect(try Data(contentsOf: url) == empty)
        try triage.save2file()
        let other = try FooTriage()
        try other.link2file(url)
        #expect(try other.injuries() == names)
    }

    @Test("A second run finds the injuries and changes nothing")
    func secondRun() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Triage.sqlite")
        try FooTriage.makeSeed(at: url)
        let bytes = try Data(contentsOf: url)
        try FooTriage.makeSeed(at: url)
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test("Without a linked file saving is refused; the injuries wait for one")
    func noFile() throws {
        let folder = try TemporaryFolder()
        let triage = try FooTriage()
        try triage.initInjury()
        let error = #expect(throws: GranaryError.self) { try triage.save2file() }
        #expect(error?.code == .refused)
        try triage.link2file(folder.url.appending(path: "Triage.sqlite"))
        try triage.save2file()
        #expect(try triage.injuries() == names)
    }

    @Test("The table in the program is the sample's")
    func terms() throws {
        let file = try Data(contentsOf: Samples.url("Triage/injuries.terms"))
        #expect(file == Data((FooTriage.injuryTerms + "\n").utf8))
    }
}
