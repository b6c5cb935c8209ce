import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Exports that are restored as they are: which broken rules are warnings, and what stays an error.
@Suite struct RestoreTests {
    /// Rules of every kind, and relationships of every kind.
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Doctor",
            [
                .attribute("badge", .string), .toMany("patients", "Patient", inverse: "doctor", .count(1, 2)),
                .toOne("deputy", "Doctor", inverse: "deputyOf"), .toOne("deputyOf", "Doctor", inverse: "deputy"),
            ], unique: [["badge"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string, .required, .length(2...4)),
                .attribute("age", .integer16, .minimum(0), .maximum(130), .defaultValue(7)),
                .attribute("code", .string, .pattern("[A-Z]+")), .attribute("weight", .double, .minimum(1)),
                .attribute("price", .decimal), .toOne("doctor", "Doctor", inverse: "patients", .required),
                .toMany("wards", "Ward", inverse: "patients"),
            ]),
        EntityDescription(
            "Ward",
            [.attribute("number", .integer32), .toMany("patients", "Patient", inverse: "wards")], unique: [["number"]]),
        EntityDescription("Room", [.attribute("card", .string)], superentity: "Ward"),
    ])

    private static func restore(
        _ json: String, into store: (any StoreBackend)? = nil, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        options.restoresAsIs = true
        change(&options)
        let store = try store ?? ExportSamples.store(model)
        return try TestImport.of([TestImport.reader(json: "{\"entities\":{\(json)}}")], nil, store, options, run: run)
    }

    /// The severities, codes and properties of the diagnostics.
    private static func found(_ run: TestImport) -> [String] {
        run.report.diagnostics.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.property ?? "-")" }.sorted()
    }

    private static let doctor = #""Doctor":[{"$id":"Doctor/p5","badge":"a","deputy":null}]"#

    private static func patient(_ members: String) -> String {
        let common = #""$id":"Patient/p9","name":"Ann","doctor":"Doctor/p5""#
        return doctor + #","Patient":[{"# + common + "," + members + "}]"
    }

    // MARK: - What is kept

    @Test(arguments: [
        (#""name":"Ann","age":40000"#, "value.range age"), (#""name":"Ann","age":-3"#, "value.tooSmall age"),
        (#""name":"Ann","age":131"#, "value.tooLarge age"), (#""name":"A""#, "value.tooShort name"),
        (#""name":"Annabel""#, "value.tooLong name"), (#""name":null"#, "value.missing name"),
        (#""code":"a","name":"Ann""#, "value.pattern code"), (#""name":"Ann","weight":0.5"#, "value.tooSmall weight"),
    ])
    func `A value that breaks a rule is stored with a warning`(_ members: String, _ expected: String) throws {
        let text = Self.doctor + #","Patient":[{"$id":"Patient/p9","doctor":"Doctor/p5","# + members + "}]"
        let run = try Self.restore(text)
        #expect(!run.report.isRefused && run.report.created == 2 && run.report.read == 2, "\(run.messages)")
        #expect(Self.found(run) == ["warning \(expected)"])
        #expect(run.report.diagnostics.first?.position?.line == 1)
        let strict = try TestImport.json("{\"entities\":{\(text)}}", nil, Self.model) {
            $0.lookups = ["doctor": .identifier]
        }
        #expect(strict.report.isRefused)
    }

    @Test func `A value that breaks a rule comes back from the store`() throws {
        let run = try Self.restore(Self.patient(#""code":"lower","weight":0.25"#))
        #expect(try run.csv("Patient", columns: ["name", "code", "weight"]) == "name,code,weight\nAnn,lower,0.25\n")
    }

    @Test func `Every object keeps its key, and new keys follow the highest`() throws {
        let run = try Self.restore(
            #""Doctor":[{"$id":"Doctor/p50","badge":"a"},{"$id":"Doctor/p3","badge":"b"}],"#
                + #""Ward":[{"$id":"Ward/p2","number":1}],"Room":[{"$id":"Room/p1","number":2}]"#)
        #expect(!run.report.isRefused, "\(run.messages)")
        let content = try run.document
        for id in ["Doctor/p50", "Doctor/p3", "Ward/p2", "Room/p1"] { #expect(content.contains("\"\(id)\"")) }
        let schema = run.store.schema
        let doctors = try #require(schema.entity(named: "Doctor"))
        let wards = try #require(schema.entity(named: "Ward"))
        try run.store.transaction { writer in
            let first1 = try writer.reserveKeys(root: doctors.root, count: 0)
            #expect(first1 == 51)
            let first2 = try writer.reserveKeys(root: wards.root, count: 0)
            #expect(first2 == 3)
        }
    }

    @Test func `A missing attribute takes its default and a missing required object is a warning`() throws {
        let run = try Self.restore(#""Patient":[{"$id":"Patient/p1","name":"Ann"}]"#)
        #expect(Self.found(run) == ["warning value.missing doctor"])
        #expect(try run.csv("Patient", columns: ["age", "doctor"]) == "age,doctor\n7,\n")
    }

    @Test func `Too many and too few related objects are warnings`() throws {
        let patients = (1...3).map { #"{"$id":"Patient/p\#($0)","name":"Ann","doctor":"Doctor/p5"}"# }
        let many = try Self.restore(Self.doctor + ",\"Patient\":[" + patients.joined(separator: ",") + "]")
        #expect(Self.found(many) == ["warning relationship.tooMany patients"], "\(many.messages)")
        #expect(many.report.created == 4)
    }

    @Test func `A reference to an object that no record has is kept`() throws {
        let run = try Self.restore(
            Self.doctor + #","Patient":[{"$id":"Patient/p9","name":"Ann","doctor":"Doctor/p70"}]"#)
        #expect(Self.found(run) == ["warning relationship.notFound doctor"], "\(run.messages)")
        #expect(try run.document.contains("\"doctor\":\"Doctor/p70\""))
        // A new doctor must not be the missing one.
        let doctors = try #require(run.store.schema.entity(named: "Doctor"))
        try run.store.transaction { writer in
            let first3 = try writer.reserveKeys(root: doctors.root, count: 0)
            #expect(first3 == 71)
        }
    }

    @Test func `References are read as keys and as identifiers`() throws {
        let run = try Self.restore(
            #""Doctor":[{"$id":"Doctor/p5","badge":"a"},{"$id":"Doctor/p6","badge":"b"}],"#
                + #""Ward":[{"$id":"Ward/p8","number":12}],"#
                + #""Patient":[{"$id":"Patient/p1","name":"Ann","doctor":"b","wards":["Ward/p8"]},"#
                + #"{"$id":"Patient/p2","name":"Bob","doctor":"Doctor/p5","wards":[12]}]"#)
        #expect(!run.report.isRefused && run.report.diagnostics.isEmpty, "\(run.messages)")
        let patients = try run.csv("Patient", columns: ["name", "doctor", "wards"])
        #expect(patients == "name,doctor,wards\nAnn,b,12\nBob,a,12\n")
    }

    @Test func `Both ends of a one-to-one are kept as they are`() throws {
        let run = try Self.restore(
            #""Doctor":[{"$id":"Doctor/p1","deputy":"Doctor/p2","deputyOf":null},"#
                + #"{"$id":"Doctor/p2","deputy":null,"deputyOf":"Doctor/p3"},"#
                + #"{"$id":"Doctor/p3","deputy":null,"deputyOf":null}]"#)
        #expect(!run.report.isRefused, "\(run.messages)")
        #expect(Self.found(run).allSatisfy { $0.hasPrefix("warning relationship.taken") })
        #expect(Self.found(run).count == 2)
        let text = try run.document
        #expect(text.contains("\"deputy\":\"Doctor/p2\"") && text.contains("\"deputyOf\":\"Doctor/p3\""))
    }

    @Test func `An end that the export leaves out is set`() throws {
        let run = try Self.restore(
            #""Doctor":[{"$id":"Doctor/p1","deputy":"Doctor/p2"},{"$id":"Doctor/p2","deputy":null}]"#)
        #expect(!run.report.isRefused && run.report.diagnostics.isEmpty, "\(run.messages)")
        #expect(try run.document.contains("\"deputyOf\":\"Doctor/p1\""))
    }

    // MARK: - What stays an error

    @Test(arguments: [
        (#""Doctor":[{"badge":"a"}]"#, "value.missing $id"), (#""Doctor":[{"$id":"a"}]"#, "value.syntax $id"),
        (#""Doctor":[{"$id":"Ward/p1"}]"#, "value.syntax $id"),
        (#""Doctor":[{"$id":"Doctor/p0"}]"#, "value.syntax $id"),
        (#""Doctor":[{"$id":"Doctor/p01"}]"#, "value.syntax $id"),
        (#""Doctor":[{"$id":"Doctor/p99999999999999999999"}]"#, "value.syntax $id"),
        (#""Doctor":[{"$id":"Doctor/p1"},{"$id":"Doctor/p1"}]"#, "unique.duplicate -"),
        (
            #""Ward":[{"$id":"Ward/p1","number":1}],"Room":[{"$id":"Room/p1","number":2}]"#,
            "unique.duplicate $id"
        ),
        (#""Doctor":[{"$id":"Doctor/p1","badge":"a"},{"$id":"Doctor/p2","badge":"a"}]"#, "unique.duplicate badge"),
        (#""Ward":[{"$id":"Ward/p1","number":"x"}]"#, "value.syntax number"),
        (#""Doctor":[{"$id":"Doctor/p1","deputy":"nobody"}]"#, "relationship.notFound deputy"),
        (#""Doctor":[{"$id":"Doctor/p1","deputy":"Ward/p1"}]"#, "relationship.notFound deputy"),
        (#""Doctor":[{"$id":"Doctor/p1","patients":["Patient/p4"]}]"#, "relationship.notFound patients"),
        (
            #""Doctor":[{"$id":"Doctor/p1","badge":"Doctor/p2"},{"$id":"Doctor/p2","badge":"b","deputy":"Doctor/p2"}]"#,
            "relationship.ambiguous deputy"
        ),
        (#""Nurse":[{"$id":"Nurse/p1"}]"#, "entity.unknown -"),
    ])
    func `What no store can hold is an error`(_ text: String, _ expected: String) throws {
        let run = try Self.restore(text)
        #expect(run.report.isRefused)
        let errors = Self.found(run).filter { $0.hasPrefix("error") }
        #expect(errors == ["error \(expected)"], "\(run.messages)")
        #expect(try run.document.contains("$id") == false)
    }

    @Test func `A Decimal that its column rounds is an error`() throws {
        let (store, folder) = try TestImport.sqlite(Self.model)
        defer { withExtendedLifetime(folder) {} }
        let run = try Self.restore(Self.patient(#""price":0.12345678901234567890123"#), into: store)
        #expect(Self.found(run) == ["error value.precision price"])
    }

    @Test func `A store with objects is refused`() throws {
        let store = try ExportSamples.store(Self.model)
        try ExportSamples.insert("Ward", 1, ["number": 1], into: store)
        let error = #expect(throws: GranaryError.self) { try Self.restore(Self.doctor, into: store) }
        #expect(error?.code == .refused)
    }

    @Test func `The keys of deleted objects are free in a store without objects`() throws {
        let (store, folder) = try TestImport.sqlite(Self.model)
        defer { withExtendedLifetime(folder) {} }
        let doctors = try #require(store.schema.entity(named: "Doctor"))
        try store.transaction { try $0.reserveKeys(root: doctors.root, through: 20) }
        let run = try Self.restore(Self.doctor, into: store)
        #expect(!run.report.isRefused, "\(run.messages)")
        #expect(try run.document.contains("\"Doctor/p5\""))
        try store.transaction { writer in
            let first4 = try writer.reserveKeys(root: doctors.root, count: 0)
            #expect(first4 == 21)
        }
    }

    private static let contradictions: [@Sendable (inout ImportOptions) -> Void] = [
        { $0.key = ["badge"] }, { $0.onConflict = .update }, { $0.lookups = ["doctor": .identifier] },
        { $0.onMissing = .null }, { $0.missingPolicies = ["doctor": .create] }, { $0.nullIsDefault = true },
        { $0.constants = ["badge": "a"] }, { $0.nestedKeys = ["doctor": ["badge"]] }, { $0.maximumPruned = .count(1) },
    ]

    @Test(arguments: contradictions.indices)
    func `Options that match or change other objects are wrong usage`(_ index: Int) throws {
        let error = #expect(throws: GranaryError.self) { try Self.restore(Self.doctor, Self.contradictions[index]) }
        #expect(error?.code == .usage)
    }

    @Test func `Keeping good rows is wrong usage, and so is a mixed run`() throws {
        let error = #expect(throws: GranaryError.self) { try Self.restore(Self.doctor, run: TestImport.keepGood) }
        #expect(error?.code == .usage)
        var options = ImportOptions()
        options.restoresAsIs = true
        let jobs = [ImportJob(entity: "Ward", sources: [], options: options), ImportJob(entity: "Ward", sources: [])]
        let mixed = #expect(throws: GranaryError.self) {
            try Importer(jobs: jobs).check(against: try Self.model.resolved())
        }
        #expect(mixed?.code == .usage)
    }

    @Test(arguments: [
        ("Doctor/p3", "Doctor", 3), ("a/b/p7", "a/b", 7), ("Doctor/p9223372036854775807", "Doctor", Int64.max),
    ])
    func `The name of an object is read`(_ text: String, _ entity: String, _ key: Int64) throws {
        let name = try #require(ExportedName(text))
        #expect(name.entity == entity && name.key == key)
    }

    @Test(arguments: [
        "", "/", "/p1", "Doctor", "Doctor/", "Doctor/p", "Doctor/p0", "Doctor/p-1", "Doctor/p+1", "Doctor/p1 ",
        "Doctor/x1", "Doctor/p01", "Doctor/p9223372036854775808", "Doctor/p１",
    ])
    func `Other texts name no object`(_ text: String) { #expect(ExportedName(text) == nil) }
}
