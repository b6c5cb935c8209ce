import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryModelFiles
import GranaryPredicates
import GranaryRecords
import GranarySubset
import TestSupport
import Testing
@testable import GranarySeedPlans

/// The key `subsets` of a plan.
@Suite struct PlanSubsetTests {
    private let folder: TemporaryFolder

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury", [.attribute("name", .string, .required), .toMany("patients", "Patient", inverse: "injury")],
            unique: [["name"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string, .required), .attribute("age", .integer16),
                .toOne("injury", "Injury", inverse: "patients", .required),
            ]),
    ])

    /// Two stores with different objects of the same keys.
    init() async throws {
        folder = try TemporaryFolder()
        try Self.model.write(to: path("M.json"))
        try await run(
            """
            model: M.json
            stores:
              - store: One.sqlite
                imports:
                  - {entity: Injury, rows: [{name: Burn}, {name: Cut}]}
                  - {entity: Patient, rows: [{name: Ann, age: "70", injury: Burn}, {name: Bob, age: "20", injury: Cut}]}
              - store: Two.sqlite
                imports:
                  - {entity: Injury, rows: [{name: Fall}, {name: Burn}]}
                  - {entity: Patient, rows: [{name: Cid, age: "80", injury: Fall}, {name: Dan, age: "81", injury: Burn}]}

            """)
    }

    private func path(_ name: String) -> URL { folder.url.appending(path: name) }

    @discardableResult
    private func run(_ text: String, isDryRun: Bool = false) async throws -> [ImportReport] {
        try await SeedPlan(contentsOf: folder.write(text, to: "plan.yaml")).run(isDryRun: isDryRun)
    }

    /// `Ann 70: Burn`
    private func patients(_ store: String = "T.sqlite") throws -> [String] {
        let container = try PersistentContainer(model: Self.model, store: .sqlite(path(store)))
        func text(_ object: ManagedObject?, _ key: String) throws -> String {
            switch try object?.value(forKey: key) {
            case .string(let text)?: text
            case .integer(let number)?: "\(number)"
            default: "?"
            }
        }
        return try container.makeContext().fetch(FetchRequest("Patient")).map {
            try "\(text($0, "name")) \(text($0, "age")): \(text($0.object(forKey: "injury"), "name"))"
        }.sorted()
    }

    private func injuries() throws -> Int {
        try PersistentContainer(model: Self.model, store: .sqlite(path("T.sqlite"))).makeContext()
            .count(for: FetchRequest("Injury"))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    /// The store has the model of the first source. Zoe refers to an object of a subset, and Ann and Dan to one of the
    /// import.
    private static let both = """
        store: T.sqlite
        imports:
          - {entity: Injury, rows: [{name: Burn}], on-conflict: update}
          - {entity: Patient, rows: [{name: Zoe, injury: Fall}]}
        subsets:
          - {store: One.sqlite, from: Patient WHERE age > 60, on-conflict: skip}
          - {store: Two.sqlite, from: [Patient], on-conflict: skip}

        """

    @Test func objectsOfTwoStoresAndRowsReferToEachOther() async throws {
        let before = try names()
        #expect(try await run(Self.both, isDryRun: true).first?.created == 6)
        #expect(try names() == before)
        let report = try #require(try await run(Self.both).first)
        #expect(report.read == 8 && report.created == 6 && report.skipped == 2, "\(report)")
        #expect(report.subsets.map(\.ledger).first == "took 2 objects: Injury 1, Patient 1")
        #expect(report.subsets.map(\.count) == [2, 4])
        #expect(report.subsets.allSatisfy { $0.store.hasSuffix("T.sqlite") })
        #expect(try patients() == ["Ann 70: Burn", "Cid 80: Fall", "Dan 81: Burn", "Zoe ?: Fall"])
        #expect(try injuries() == 2)
        #expect(try names() == (before + ["T.sqlite"]).sorted())
    }

    @Test func aConflictNamesTheObjectOfTheSourceAndNothingIsStored() async throws {
        let before = try names()
        let error = await #expect(throws: GranaryError.self) {
            try await run(Self.both.replacing(", on-conflict: skip", with: ""))
        }
        let texts = error?.diagnostics.map(\.description) ?? []
        #expect(error?.code == .refused && !texts.isEmpty, "\(texts)")
        #expect(texts.contains { $0.contains("Injury/p1: ") }, "\(texts)")
        #expect(texts.contains { $0.contains("Injury/p2: ") }, "\(texts)")
        #expect(texts.allSatisfy { !$0.contains("subset ") && !$0.contains("ndjson") && !$0.contains("@") }, "\(texts)")
        let places = (error?.diagnostics ?? []).flatMap { $0.related + [$0.position].compactMap(\.self) }
        #expect(places.allSatisfy { $0.file.hasSuffix("plan.yaml") }, "\(places)")
        #expect(error?.diagnostics.map(\.help).contains("--on-conflict skip") == true, "\(texts)")
        #expect(try names() == before)
    }

    @Test func theObjectsOfTwoSubsetsOfOneSourceAreDifferentFiles() async throws {
        let error = await #expect(throws: GranaryError.self) {
            try await run(
                """
                store: T.sqlite
                subsets:
                  - {store: One.sqlite, from: Injury WHERE name == "Cut"}
                  - {store: One.sqlite, from: Injury}
                """)
        }
        #expect(
            error?.diagnostics.map(\.description) == [
                "error: Injury.name: Injury/p2: Injury/p2 has the same name [unique.duplicate]"
            ])
    }

    @Test func valuesAreReplacedAndTheSameEachTime() async throws {
        let plan = """
            store: T.sqlite
            subsets:
              store: One.sqlite
              from: [Patient WHERE age > 60, Patient WHERE name == "Bob"]
              anonymise: all-text
              random-seed: ${SEED}
            variables: {SEED: 7}

            """
        try await run(plan)
        let first = try patients()
        #expect(first.count == 2 && first.allSatisfy { !$0.contains("Ann") && !$0.contains("Bob") }, "\(first)")
        try await run(plan.replacing("T.sqlite", with: "U.sqlite"))
        #expect(try patients("U.sqlite") == first)
    }

    @Test func allKeysAreRead() throws {
        let plan = try PlanSample.plan(
            """
            store: T.sqlite
            subsets:
              - store: S.sqlite
                model: [M.json, N.json]
                from: [Patient WHERE age > 60, Injury]
                sample: 5%
                depth: 2
                follow: Patient.visits WHERE paid == 0 LIMIT 3 SORT date:desc
                no-follow: [Patient.responder]
                reference: Visit.patientID=Patient.id
                small-tables: 0
                explain: Patient/p7
                rules: rules.yaml
                key-file: /dev/fd/3
                random-seed: 18446744073709551615
                missing-files: "null"
                on-conflict: skip
              - {store: "postgresql://host/db", from: Patient, limit: 3, anonymise: [all-text, Patient.age], random-seed: 1}
              - {store: /S.sqlite, from: Patient, model-rules: true}
            """, folder: "seeds/")
        let subsets = try #require(plan.stores.first).subsets
        let first = try #require(subsets.first)
        let options = first.target.options
        #expect(subsets.map(\.target.store) == ["seeds/S.sqlite", "postgresql://host/db", "/S.sqlite"])
        #expect(subsets.map(\.source?.path) == ["seeds/S.sqlite", nil, "/S.sqlite"])
        #expect(first.target.models == ["seeds/M.json", "seeds/N.json"])
        #expect(options.selections.map(\.entity) == ["Patient", "Injury"])
        #expect(options.selections.map(\.condition) == ["age > 60", nil])
        #expect(options.selections.allSatisfy { $0.sample == .percent(5) && $0.limit == nil })
        #expect(options.depth == 2 && options.smallTableLimit == 0 && options.missingFiles == .null)
        #expect(options.followed.map(\.relationship) == ["Patient.visits"] && options.followed.map(\.limit) == [3])
        #expect(options.unfollowedRelationships == ["Patient.responder"] && options.explained == ["Patient/p7"])
        #expect(options.references == [.init("Visit.patientID", to: "Patient.id")])
        #expect([first.rules?.path, first.keyFile?.path] == ["seeds/rules.yaml", "/dev/fd/3"])
        #expect(options.randomSeed == .max && first.target.onConflict == .skip)
        #expect(subsets[1].target.options.selections.map(\.limit) == [3])
        #expect(subsets[1].target.options.anonymisesAllText)
        #expect(subsets[1].target.options.anonymisedAttributes == ["Patient.age"])
        #expect(subsets[1].target.onConflict == .error)
        #expect(subsets[2].target.options.rules != nil && options.rules == nil)
    }

    @Test func mistakesHaveTheirPlaces() {
        let cases: [(String, [String])] = [
            ("subsets: §[]\n", ["the list is empty"]), ("subsets: §5\n", ["must be a mapping"]),
            ("subsets: §§{depth: 1}\n", ["from is missing", "store is missing"]),
            (
                "subsets: {store: S, from: §Patient age, §fom: x}\n",
                ["write ENTITY or ENTITY WHERE", "has no key \"fom\""]
            ),
            (
                "subsets: {store: S, from: P, sample: §x, depth: §-1, follow: §P, reference: §a=b, small-tables: §many}\n",
                [
                    "write a number", "a whole number", "write ENTITY.RELATIONSHIP", "ENTITY.ATTRIBUTE=",
                    "a whole number",
                ]
            ),
            (
                "subsets: {store: S, from: P, follow: [§P.a LIMIT x, 'P.b SORT §c:up']}\n".replacing(
                    "'P.b SORT §c:up'", with: "§P.b SORT c:up"),
                ["LIMIT needs", "the direction is asc or desc"]
            ),
            (
                "subsets: {store: S, from: P, random-seed: §-1, missing-files: §x, on-conflict: §update, anonymise: [§name]}\n",
                [
                    "a whole number", "is not one of error, null", "is not one of error, skip",
                    "ENTITY.ATTRIBUTE or all-text",
                ]
            ),
            (
                "subsets: {store: S, from: P, limit: 1, §sample: 1, §rules: r, anonymise: P.a, §key-file: k}\n"
                    .replacing(
                        "limit: 1, §sample: 1", with: "§limit: 1, sample: 1"
                    ).replacing("§key-file: k", with: "key-file: k"),
                ["limit and sample exclude", "rules and anonymise exclude"]
            ),
            (
                "subsets: {store: S, from: P, §key-file: k, §random-seed: 1, model-rules: false}\n",
                ["key-file applies only to rules and model-rules", "random-seed applies only to"]
            ),
            ("subsets: {store: '${A}', from: P}\n".replacing("'$", with: "§'$"), ["there is no variable \"A\""]),
            (
                "imports: [{entity: E, file: e.json, as-is: true}]\n§subsets: {store: S, from: P}\n",
                ["cannot be combined with imports that have as-is"]
            ),
        ]
        for (marked, messages) in cases {
            let (text, places) = PlanSample.unmarked("store: T.sqlite\n" + marked)
            let problems = PlanSample.problems(text)
            #expect(
                problems.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" } == places,
                "\(text): \(problems)")
            for (problem, message) in zip(problems, messages) {
                #expect(problem.message.contains(message), "\(text): \(problem)")
            }
        }
    }

    /// Names that the models do not have are found before anything is taken, all at once.
    @Test func unknownNamesHaveTheirPlaces() async throws {
        let marked = """
            store: T.sqlite
            subsets:
              - §{store: One.sqlite, from: Patint}
              - §{store: One.sqlite, from: Patient WHERE agee > 1}
              - §{store: One.sqlite, from: Patient, anonymise: Patient.nme}
              - {store: One.sqlite, from: Patient}
            """
        let (text, places) = PlanSample.unmarked(marked)
        let before = try names() + ["plan.yaml"]
        let error = await #expect(throws: GranaryError.self) { try await run(text) }
        let found = error?.diagnostics ?? []
        #expect(found.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" } == places, "\(found)")
        for (diagnostic, name) in zip(found, ["Patient", "age", "name"]) {
            #expect(diagnostic.message.contains("did you mean \"\(name)\"?"), "\(diagnostic)")
        }
        #expect(try names() == Set(before).sorted())
    }

    @Test func anEntityThatTheTargetDoesNotHaveIsAMistakeOfTheSubset() async throws {
        try ManagedObjectModel(entities: [EntityDescription("Injury", [.attribute("name", .string)])])
            .write(to: path("Small.json"))
        let error = await #expect(throws: GranaryError.self) {
            try await run(
                "model: Small.json\nstore: T.sqlite\nsubsets:\n  - {store: One.sqlite, from: Patient}\n"
                    + "  - {store: Two.sqlite, from: Injury}\n  - {store: Two.sqlite, from: Patient}\n")
        }
        #expect(Set(error?.diagnostics.compactMap(\.position?.line) ?? []) == [4, 5, 6], "\(error as Any)")
        #expect(try !names().contains { $0.hasPrefix("T.sqlite") })
    }

    @Test func filesThatAreMissingOrWrongHaveTheirPlaces() throws {
        _ = try folder.write("Patient.name: keep\nPatient.age: blur\n", to: "rules.yaml")
        _ = try folder.write("short", to: "key")
        let text = """
            store: T.sqlite
            subsets:
              - {store: None.sqlite, from: Patient, rules: rules.yaml, key-file: key}
              - {store: One.sqlite, model: None.json, from: Patient, rules: none.yaml}
            """
        let plan = try SeedPlan(contentsOf: folder.write(text, to: "plan.yaml"))
        let error = #expect(throws: GranaryError.self) { try plan.storeImports() }
        let texts = error?.diagnostics.map(\.description) ?? []
        #expect(texts.count == 5, "\(texts)")
        for part in ["rules.yaml:2:", "plan.yaml:3:13", "None.sqlite does not exist", "None.json", "none.yaml", "16"] {
            #expect(texts.contains { $0.contains(part) }, "\(part): \(texts)")
        }
    }

    @Test func aSourceThatThePlanWritesIsRefused() async throws {
        for store in ["One.sqlite", "./One.sqlite"] {
            let error = await #expect(throws: GranaryError.self) {
                try await run("store: One.sqlite\nsubsets: {store: \(store), from: Patient}\n")
            }
            #expect(error?.code == .usage && error?.message.contains("cannot read the store that it writes") == true)
        }
    }

    @Test func cancellingEndsTheTaking() throws {
        var options = SubsetOptions()
        options.selections = [.init("Patient")]
        let cancellation = Cancellation()
        cancellation.cancel()
        let subset = StoreSubset(store: path("One.sqlite"), options: options)
        let before = try names()
        let error = #expect(throws: GranaryError.self) {
            try subset.taken(for: path("T.sqlite").path, number: 1, cancellation)
        }
        #expect(error?.code == .interrupted)
        #expect(try names() == before)
    }
}
