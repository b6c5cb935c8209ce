import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Records without natural keys do not depend on each other, so keep-good must reject exactly those that are also
/// rejected alone.
struct GoodAlonePlan {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Owner",
            [
                .attribute("size", .integer16, .maximum(9)), .toOne("crest", "Crest", inverse: "owner"),
                .toMany("notes", "Note", inverse: "owner"), .toOne("seat", "Seat", inverse: "owner"),
                .toMany("tools", "Tool", inverse: "owner"),
            ]),
        EntityDescription(
            "Crest",
            [
                .attribute("size", .integer16, .maximum(9)), .toOne("owner", "Owner", inverse: "crest", .required),
                .toOne("maker", "Maker", inverse: "crest"), .toMany("notes", "Note", inverse: "crest"),
            ]),
        EntityDescription(
            "Maker", [.attribute("size", .integer16, .maximum(9)), .toOne("crest", "Crest", inverse: "maker")]),
        EntityDescription(
            "Note",
            [
                .attribute("lang", .string), .attribute("size", .integer16, .maximum(9)),
                .toOne("owner", "Owner", inverse: "notes"), .toOne("crest", "Crest", inverse: "notes"),
            ], unique: [["owner", "lang"]]),
        EntityDescription(
            "Seat", [.attribute("code", .integer16), .toOne("owner", "Owner", inverse: "seat")], unique: [["code"]]),
        EntityDescription(
            "Tool", [.attribute("code", .integer16), .toOne("owner", "Owner", inverse: "tools")], unique: [["code"]]),
    ])

    let records: [String]
    static let count = 9

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        records = (1...Self.count).map { Self.record($0, &random) }
    }

    /// A good record refers to the seat and the tool of its own number. A bad one can take those of another record.
    private static func record(_ number: Int, _ random: inout SeededGenerator) -> String {
        let isBad = Int.random(in: 0..<3, using: &random) == 0
        let place = isBad ? Int.random(in: 0..<6, using: &random) : -1
        func size(_ own: Int) -> String { own == place ? "99" : "\(own)" }
        let target = isBad ? Int.random(in: 1...count, using: &random) : number
        var members = ["\"size\":\(size(0))"]
        if place == 1 || place == 2 || Bool.random(using: &random) {
            var crest = ["\"size\":\(size(1))"]
            if place == 2 || Bool.random(using: &random) { crest.append("\"maker\":{\"size\":\(size(2))}") }
            if Bool.random(using: &random) { crest.append("\"notes\":[{\"lang\":\"fr\",\"size\":1}]") }
            members.append("\"crest\":{\(crest.joined(separator: ","))}")
        }
        if place == 3 || Bool.random(using: &random) {
            members.append("\"notes\":[{\"lang\":\"en\",\"size\":\(size(3))},{\"lang\":\"de\",\"size\":2}]")
        }
        if place == 4 || Bool.random(using: &random) { members.append("\"seat\":\(place == 4 ? 99 : target)") }
        if place == 5 || Bool.random(using: &random) {
            members.append("\"tools\":[\(target)\(place == 5 ? ",99" : "")]")
        }
        members.shuffle(using: &random)
        return "{\(members.joined(separator: ","))}"
    }

    private static func store() throws -> any StoreBackend {
        let store = try ExportSamples.store(model)
        for entity in ["Seat", "Tool"] {
            let codes = (1...count).map { "\($0)\n" }.joined()
            _ = try TestImport.csv("code\n" + codes, entity, into: store) { _ in }
        }
        return store
    }

    private static func load(_ records: [String], _ mode: ImportRunOptions.Mode) throws -> TestImport {
        var run = ImportRunOptions()
        run.mode = mode
        let text = "[" + records.joined(separator: ",\n") + "]"
        return try TestImport.of([TestImport.reader(json: text)], "Owner", try store(), run: run)
    }

    /// - Returns: the number of bad records.
    func check(_ seed: Int) throws -> Int {
        let good = try records.filter { try !Self.load([$0], .allOrNothing).report.isRefused }
        let kept = try Self.load(records, .keepGood)
        #expect(kept.report.rejected == records.count - good.count, "seed \(seed): \(kept.problems) \(kept.messages)")
        let alone = try Self.load(good, .allOrNothing)
        #expect(!alone.report.isRefused, "seed \(seed): \(alone.messages)")
        #expect(try kept.document == alone.document, "seed \(seed)")
        // Without keep-good, a record that is good alone can only be reported because of a bad one's objects.
        let refused = try Self.load(records, .allOrNothing)
        let others = refused.report.diagnostics.filter { $0.code != .relationshipTaken }
        let lines = Set(others.compactMap(\.position?.line))
        #expect(lines.count == records.count - good.count, "seed \(seed): \(refused.problems)")
        return records.count - good.count
    }
}

@Suite struct GoodAloneTests {
    @Test func `Keep-good rejects only records that are rejected alone`() throws {
        var bad = 0
        for seed in 0..<5 { bad += try GoodAlonePlan(seed: seed).check(seed) }
        #expect(bad > 2)
    }

    @Test func `A rejected record takes no nested object away from the next`() throws {
        let text = """
            [{"size":1,"crest":{"size":99}},{"size":2,"crest":{"size":2}},{"size":3,"crest":{"size":3}},
             {"size":99,"notes":[{"lang":"en","size":1}]},{"size":5,"notes":[{"lang":"en","size":2}]}]
            """
        let run = try TestImport.of(
            [TestImport.reader(json: text)], "Owner", try ExportSamples.store(GoodAlonePlan.model),
            run: TestImport.keepGood)
        #expect(run.problems == ["1:28 value.tooLarge size", "2:10 value.tooLarge size"], "\(run.messages)")
        #expect(run.report.created == 3)
    }
}

@Suite struct GoodAloneLongTests {
    @Test(arguments: 0..<20)
    func `Keep-good rejects only records that are rejected alone`(_ part: Int) throws {
        for seed in part * 10..<(part + 1) * 10 { _ = try GoodAlonePlan(seed: seed).check(seed) }
    }
}
