import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// References to objects that do not exist.
@Suite struct MissingPolicyTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury",
            [
                .attribute("name", .string, .length(0...9)), .attribute("grade", .integer16, .defaultValue(3)),
                .toMany("patients", "Patient", inverse: "injuries"),
            ], unique: [["name"]]),
        EntityDescription(
            "Ward", [.attribute("name", .string), .attribute("floor", .integer16, .required)], unique: [["name"]]),
        EntityDescription("Person", [.attribute("code", .string)], isAbstract: true, unique: [["code"]]),
        EntityDescription("Doctor", [.attribute("title", .string)], superentity: "Person"),
        EntityDescription(
            "Patient",
            [
                .attribute("age", .integer16), .toOne("injury", "Injury", inverse: nil),
                .toMany("injuries", "Injury", inverse: "patients"), .toOne("ward", "Ward", inverse: nil),
                .toOne("doctor", "Person", inverse: nil),
            ]),
        EntityDescription(
            "Stay", [.attribute("day", .integer16), .toOne("injury", "Injury", inverse: nil, .required)]),
    ])

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "name\nBurn\n", "Injury")
        return bench
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `By default nothing may be missing`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "age,injury\n1,Burn\n2,Brun\n3,\n", "Patient")
        #expect(run.problems == ["3:3 relationship.notFound injury"])
        #expect(run.messages == ["there is no Injury with the key \"Brun\"; did you mean \"Burn\"?"])
        #expect(run.counts == RecordCounts(skipped: 2, rejected: 1))
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `With null they are left out`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = "age,injury,injuries\n1,Burn,Burn;x\n2,x,y\n3,,\n"
        let run = try bench.load(csv: text, "Patient") { $0.onMissing = .null }
        #expect(run.problems == [])
        #expect(run.counts == RecordCounts(created: 3) && run.report.madeByLookup == 0)
        #expect(
            try bench.table("Patient", "age", "injury", "injuries") == "age,injury,injuries\n1,Burn,Burn\n2,,\n3,,\n")
        #expect(try bench.count("Injury") == 1)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A list of nobody is an empty list`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        try bench.load(csv: "age,injuries\n1,Burn\n", "Patient")
        let run = try bench.load(csv: "age,injuries\n1,x;y\n", "Patient") {
            $0.onMissing = .null
            $0.onConflict = .update
            $0.key = ["age"]
        }
        #expect(run.counts == RecordCounts(updated: 1))
        #expect(try bench.table("Patient", "age", "injuries") == "age,injuries\n1,\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What is required cannot be left out`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "day,injury\n1,Burn\n2,x\n", "Stay", run: TestImport.keepGood) {
            $0.onMissing = .null
        }
        #expect(run.problems == ["3:3 relationship.notFound injury"])
        #expect(run.messages == ["there is no Injury with the key \"x\", and an object is required"])
        #expect(run.counts == RecordCounts(created: 1, rejected: 1))
    }

    // MARK: Making them

    @Test(arguments: EngineBench.Kind.allCases, [ImportRunOptions.Mode.allOrNothing, .keepGood])
    func `With create each is made once, of its key and defaults`(
        _ kind: EngineBench.Kind, _ mode: ImportRunOptions.Mode
    ) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        var options = ImportRunOptions()
        options.mode = mode
        let text = "age,injury,injuries\n1,cut,Burn;cut\n2,cut,sprain\n3,Burn,cut\n"
        let run = try bench.load(csv: text, "Patient", run: options) { $0.onMissing = .create }
        #expect(run.problems == [])
        #expect(run.counts == RecordCounts(created: 3) && run.addsUp)
        #expect(run.report.madeByLookup == 2 && run.report.changeCount == 2)
        #expect(run.report.changes.map(\.id).sorted() == ["Injury/p2", "Injury/p3"])
        #expect(run.report.changes.map(\.action) == [.create, .create])
        #expect(try bench.table("Injury", "name", "grade") == "name,grade\nBurn,3\ncut,3\nsprain,3\n")
        #expect(
            try bench.table("Patient", "age", "injury", "injuries")
                == "age,injury,injuries\n1,cut,Burn;cut\n2,cut,sprain\n3,Burn,cut\n")
        #expect(try bench.faults() == [])
        // They are there now, and the next object has a key of its own.
        let again = try bench.load(csv: "age,injury\n4,cut\n", "Patient") { $0.onMissing = .create }
        #expect(again.report.madeByLookup == 0)
        try bench.load(csv: "name\nnew\n", "Injury")
        #expect(try bench.table("Injury", "$id", "name").hasSuffix("Injury/p4,new\n"))
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A key that is unique by nothing but its use finds what was made`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "age,injury\n1,5\n2,5\n", "Patient") {
            $0.lookups = ["injury": .attribute("grade")]
            $0.onMissing = .create
        }
        #expect(run.report.madeByLookup == 1)
        #expect(try bench.table("Injury", "name", "grade") == "name,grade\nBurn,3\n,5\n")
    }

    struct Impossible: Sendable {
        let text: String
        let problem: String
        let message: String
    }

    @Test(
        arguments: [
            Impossible(
                text: "age,ward\n1,W9\n", problem: "2:3 relationship.notFound ward",
                message: "there is no Ward with the key \"W9\", and none can be created: floor: a value is required"),
            Impossible(
                text: "age,doctor\n1,D1\n", problem: "2:3 relationship.notFound doctor",
                message: "there is no Person with the key \"D1\", and none can be created: Person is abstract"),
            Impossible(
                text: "age,injury\n1,0123456789\n", problem: "2:3 relationship.notFound injury",
                message: "there is no Injury with the key \"0123456789\", and none can be created: name: "),
        ], EngineBench.Kind.allCases)
    func `What cannot be made is said with the reason`(_ test: Impossible, _ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let before = try bench.document()
        let run = try bench.load(csv: test.text, "Patient") { $0.onMissing = .create }
        #expect(run.problems == [test.problem])
        #expect(run.messages.first?.hasPrefix(test.message) ?? false, "\(run.messages)")
        #expect(run.report.isRefused && run.report.madeByLookup == 0)
        #expect(try bench.document() == before)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `No object is created for rejected records`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = "age,injury,ward\nx,early,\n2,late,nowhere\n3,good,\n4,good,nowhere\n"
        let run = try bench.load(csv: text, "Patient", run: TestImport.keepGood) {
            $0.missingPolicies = ["injury": .create]
        }
        // The reference of a row that is wrong for something else is not wrong.
        #expect(
            run.problems == [
                "2:1 value.syntax age", "3:8 relationship.notFound ward", "5:8 relationship.notFound ward",
            ])
        #expect(run.counts == RecordCounts(created: 1, rejected: 3))
        #expect(run.report.madeByLookup == 1)
        #expect(try bench.table("Injury", "name") == "name\nBurn\ngood\n")
    }

    @Test func `Each relationship may have its own policy`() throws {
        let bench = try Self.seeded(.memory)
        let change: (inout ImportOptions) -> Void = {
            $0.onMissing = .null
            $0.missingPolicies = ["injury": .create, "ward": .error]
        }
        let bad = try bench.load(csv: "age,injury,ward,doctor\n1,cut,W9,D1\n", "Patient", change)
        #expect(bad.problems == ["2:7 relationship.notFound ward"])
        let good = try bench.load(csv: "age,injury,ward,doctor\n1,cut,,D1\n", "Patient", change)
        #expect(good.counts == RecordCounts(created: 1) && good.report.madeByLookup == 1)
        let error = #expect(throws: GranaryError.self) {
            try bench.load(csv: "age\n1\n", "Patient") { $0.missingPolicies = ["injry": .null] }
        }
        #expect(error?.code == .usage)
    }

    // MARK: References to rejected records

    /// The record of the object is rejected because of its own values, or because of the record that it refers to.
    @Test(arguments: ["0123456789", "abc"], EngineBench.Kind.allCases)
    func `A reference with null to a rejected record is left empty, unless it is required`(
        _ name: String, _ kind: EngineBench.Kind
    ) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Injury", [.attribute("name", .string, .length(0...9)), .toOne("cause", "Injury", inverse: nil)],
                unique: [["name"]]),
            EntityDescription("Patient", [.attribute("age", .integer16), .toOne("injury", "Injury", inverse: nil)]),
            EntityDescription(
                "Stay", [.attribute("age", .integer16), .toOne("injury", "Injury", inverse: nil, .required)]),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        let null: (inout ImportOptions) -> Void = { $0.onMissing = .null }
        let run = try bench.load(
            [
                EngineBench.job(csv: "name,cause\n\(name),nobody\n", "Injury", name: "1.csv"),
                EngineBench.job(csv: "age,injury\n1,\(name)\n", "Patient", name: "2.csv", null),
                EngineBench.job(csv: "age,injury\n1,\(name)\n", "Stay", name: "3.csv", null),
            ], run: TestImport.keepGood)
        #expect(run.jobCounts == [RecordCounts(rejected: 1), RecordCounts(created: 1), RecordCounts(rejected: 1)])
        #expect(try bench.table("Patient", "age", "injury") == "age,injury\n1,\n")
        #expect(try bench.count("Stay") == 0)
        #expect(try bench.count("Injury") == 0)
    }
}
