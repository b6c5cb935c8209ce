import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// What became of every record; all of them or none.
@Suite struct LedgerTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing", [.attribute("id", .integer32, .required), .attribute("name", .string, .length(0...5))],
            unique: [["id"]])
    ])

    /// Rows of every kind of mistake, against a plain count of the good ones.
    @Test(arguments: 0..<6)
    func `The counts always add up`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var text = "id,name\n"
        var seen: Set<Int> = []
        var good = 0
        let rows = Int.random(in: 0...2500, using: &generator)
        for _ in 0..<rows {
            let id = Int.random(in: 0...1_000_000, using: &generator)
            switch seed == 0 ? 9 : Int.random(in: 0..<200, using: &generator) {
            case 0: text += "x,a\n"
            case 1: text += ",a\n"
            case 2: text += "\(id + 2_000_000),abcdef\n"
            case 3: text += "\(id)\n"
            case 4: text += "\(id),\"a\"b\n"
            default:
                text += "\(id),a\n"
                good += seen.insert(id).inserted ? 1 : 0
                continue
            }
        }
        let run = try TestImport.csv(text, "Thing", Self.model)
        let report = run.report
        #expect(report.read == rows)
        #expect(report.isRefused == (good < rows))
        #expect(report.created == (good < rows ? 0 : rows))
        #expect(report.skipped == (good < rows ? good : 0))
        #expect(report.rejected == rows - good)
        #expect(report.diagnosticCount == rows - good)
        #expect(try run.store.count(entity: 0) == report.created)
    }

    @Test func `A refused import leaves the store as it was, in a file too`() throws {
        let (store, folder) = try TestImport.sqlite(Self.model)
        defer { withExtendedLifetime(folder) {} }
        let rows = (0..<5000).map { "\($0),a\n" }.joined()
        let run = try TestImport.csv("id,name\n" + rows + "x,a\n", "Thing", into: store)
        #expect(run.problems == ["5002:1 value.syntax id"])
        #expect(run.report.ledger == "read 5001 = created 0 + updated 0 + unchanged 0 + skipped 5000 + rejected 1")
        #expect(try store.count(entity: 0) == 0)
        let next = try TestImport.csv("id,name\n7,a\n", "Thing", into: store)
        #expect(try next.csv("Thing", columns: ["$id", "id"]) == "$id,id\nThing/p1,7\n")
    }

    @Test func `A dry run says the same and keeps nothing`() throws {
        let run = try TestImport.csv("id,name\n1,a\n", "Thing", Self.model, run: TestImport.dryRun)
        #expect(run.report.created == 1 && run.report.isDryRun && !run.report.isRefused)
        #expect(try run.store.count(entity: 0) == 0)
    }

    @Test func `Several files are one transaction`() throws {
        let store = try ExportSamples.store(Self.model)
        let names = ["a.csv", "b.csv"]
        let texts = ["id,name\n1,a\n", "name,id\nb,2\nc,1\n"]
        let refused = try TestImport.of(
            zip(texts, names).map { try TestImport.reader(csv: $0, name: $1) }, "Thing", store)
        #expect(refused.problems == ["3:3 unique.duplicate id"])
        #expect(refused.report.diagnostics.first?.position?.file == "b.csv")
        #expect(refused.report.diagnostics.first?.related.first?.file == "a.csv")
        #expect(refused.report.ledger == "read 3 = created 0 + updated 0 + unchanged 0 + skipped 2 + rejected 1")
        #expect(try store.count(entity: 0) == 0)
    }

    @Test func `A file that breaks off is refused with what came before it`() throws {
        let run = try TestImport.csv("id,name\n1,a\n2,\"b\n", "Thing", Self.model)
        #expect(run.problems == ["3:3 csv.syntax -"])
        #expect(run.report.read == 2 && run.report.skipped == 1 && run.report.rejected == 1)
    }

    @Test func `The report says how many problems there were, not only those it keeps`() throws {
        let rows = (0..<30).map { "x\($0),a\n" }.joined()
        var options = ImportRunOptions()
        options.diagnosticLimit = 4
        let run = try TestImport.csv("id,name\n" + rows, "Thing", Self.model, run: options)
        #expect(run.report.diagnostics.count == 4 && run.report.diagnosticCount == 30)
    }

    private static func cancelled(by cancellation: Cancellation) -> ImportRunOptions {
        var run = ImportRunOptions()
        run.cancellation = cancellation
        return run
    }

    @Test func `An interrupted import keeps nothing`() throws {
        let store = try ExportSamples.store(Self.model)
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: GranaryError.self) {
            try Importer(entity: "Thing", run: Self.cancelled(by: cancellation)).run(
                [try TestImport.reader(csv: "id\n1\n")], into: store)
        }
        #expect(error?.code == .interrupted)
        #expect(try store.count(entity: 0) == 0)
    }

    /// A pipe that gives nothing more, for one.
    private final class SilentReader: RecordReader {
        let sourceName = "pipe"
        let columns: [String] = []
        let entities: [String] = []
        let cancellation: Cancellation
        let silence = DispatchSemaphore(value: 0)

        init(_ cancellation: Cancellation) { self.cancellation = cancellation }

        func readHeader() {}

        func next(into record: inout Record) -> ReadOutcome {
            cancellation.cancel()
            silence.wait()
            return .end
        }
    }

    @Test func `An import is interrupted though its source is silent`() throws {
        let cancellation = Cancellation()
        let reader = SilentReader(cancellation)
        defer { reader.silence.signal() }
        let error = #expect(throws: GranaryError.self) {
            try Importer(entity: "Thing", run: Self.cancelled(by: cancellation)).run(
                [reader], into: try ExportSamples.store(Self.model))
        }
        #expect(error?.code == .interrupted)
    }

    @Test func `A container takes an import, and a refusal is thrown with its diagnostics`() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let text = "id,name\n1,a\n"
        let importer = Importer(entity: "Thing", from: .text(text, format: .csv))
        let report = try await importer.run(into: container)
        #expect(report.created == 1)
        let error = await #expect(throws: GranaryError.self) {
            try await importer.run(into: container)
        }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.code) == [.uniqueExists])
    }

    @Test(arguments: [("Nobody", GranaryError.Code.usage), ("Base", .refused)])
    func `The entity has to be one that has objects`(_ entity: String, _ code: GranaryError.Code) throws {
        var model = Self.model
        model.entities.append(EntityDescription("Base", [.attribute("a", .string)], isAbstract: true))
        let error = #expect(throws: GranaryError.self) { try TestImport.csv("id\n1\n", entity, model) }
        #expect(error?.code == code)
    }
}

@Suite struct LedgerLongTests {
    @Test(arguments: 6..<20)
    func `The counts always add up`(_ seed: UInt64) throws { try LedgerTests().`The counts always add up`(seed) }
}
