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
    private let bundle: Bundle
    private let log = Log()

    private final class Log {
        var lines: [String] = []
    }

    /// Compiles the model, as Xcode does for an app.
    init() throws {
        folder = try TemporaryFolder()
        let resources = folder.url.appending(path: "FooTriage.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        try ManagedObjectModel(contentsOf: Samples.url("Triage/Triage.xcdatamodeld"))
            .write(to: resources.appending(path: "FooTriage.momd"))
        bundle = try #require(Bundle(path: resources.path))
    }

    private var url: URL { folder.url.appending(path: "FooTriage.sqlite") }

    private func make(documents: URL? = nil) -> FooTriage {
        FooTriage(bundle: bundle, documents: documents ?? folder.url) { [log] in log.lines.append($0) }
    }

    @Test("The initialiser loads the model, adds the file and makes the context; there are no injuries yet")
    func steps() throws {
        let triage = make()
        #expect(triage.dbModel?.entity(named: "Injury") != nil)
        #expect(triage.dbSource?.persistentStores.map(\.url) == [url])
        #expect(triage.dbContext?.persistentStoreCoordinator === triage.dbSource)
        #expect(triage.dbError == nil)
        #expect(try triage.injuries().isEmpty)
        #expect(log.lines.isEmpty)
    }

    @Test("initInjury inserts the constant table; save2file saves it; a second run changes nothing")
    func saved() throws {
        let triage = make()
        try triage.initInjury()
        #expect(triage.dbContext?.insertedObjects.count == 8)
        #expect(triage.save2file())
        #expect(log.lines == ["successful save"])
        #expect(try make().injuries() == names)
        let bytes = try Data(contentsOf: url)
        let second = make()
        try second.initInjury()
        #expect(second.save2file())
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test("Changes are saved when the object is released; without changes nothing is logged")
    func released() throws {
        try make().initInjury()
        #expect(log.lines == ["successful save"])
        #expect(try make().injuries() == names)
        #expect(log.lines == ["successful save"])
    }

    @Test("A save that the model refuses is logged as failed, and the changes are kept")
    func refused() throws {
        let triage = make()
        try triage.initInjury()
        let first = try #require(try triage.dbContext?.fetch("Injury").first)
        try first.setValue("", forKey: "name")
        #expect(!triage.save2file())
        #expect(log.lines == ["failed save"])
        #expect((triage.dbError as? GranaryError)?.code == .refused)
        try first.setValue("Blunt Trauma", forKey: "name")
        #expect(triage.save2file())
        #expect(log.lines == ["failed save", "successful save"])
    }

    @Test("Without the store there is a coordinator and no context; the save fails with the store's error")
    func noStore() throws {
        try Data("This is no store.".utf8).write(to: url)
        let triage = make()
        #expect(triage.dbModel != nil && triage.dbSource != nil && triage.dbContext == nil)
        let error = try #require(triage.dbError as? GranaryError)
        #expect(throws: FooTriage.NoContext.self) { try triage.initInjury() }
        #expect(!triage.save2file())
        #expect(log.lines == ["failed save"])
        #expect((triage.dbError as? GranaryError)?.message == error.message)
        #expect(try Data(contentsOf: url) == Data("This is no store.".utf8))
    }

    @Test("Without the model there is nothing else")
    func noModel() throws {
        let empty = try TemporaryFolder()
        let bundle = try #require(Bundle(path: empty.url.path))
        let triage = FooTriage(bundle: bundle, documents: empty.url) { [log] in
            log.lines.append($0)
        }
        #expect(triage.dbModel == nil && triage.dbSource == nil && triage.dbContext == nil)
        #expect((triage.dbError as? GranaryError)?.code == .unreadable)
        #expect(!triage.save2file() && log.lines == ["failed save"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty.url.path).isEmpty)
    }

    @Test("The table in the program is the sample's")
    func terms() throws {
        let file = try Data(contentsOf: Samples.url("Triage/injuries.terms"))
        #expect(file == Data((FooTriage.injuryTerms + "\n").utf8))
    }
}
