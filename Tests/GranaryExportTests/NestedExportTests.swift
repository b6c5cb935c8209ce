import Foundation
import GranaryBase
import GranaryComparison
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// Exports with objects inside objects, and their imports.
struct NestedExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.path + "/" + name }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string), .toMany("injuries", "Injury", inverse: "patient"),
                .toOne("doctor", "Doctor", inverse: "patients"), .toMany("tags", "Tag", inverse: "patients"),
                .toMany("wishes", "Tag", inverse: "wishers", .ordered),
            ]),
        EntityDescription(
            "Injury",
            [
                .attribute("name", .string, .defaultValue("?")),
                .toOne("patient", "Patient", inverse: "injuries", .required),
                .toMany("treatments", "Treatment", inverse: "injury", .ordered),
            ]),
        EntityDescription(
            "Treatment", [.attribute("name", .string), .toOne("injury", "Injury", inverse: "treatments")]),
        EntityDescription(
            "Doctor", [.attribute("badge", .string), .toMany("patients", "Patient", inverse: "doctor")],
            unique: [["badge"]]),
        EntityDescription("Surgeon", [.attribute("room", .integer16)], superentity: "Doctor"),
        EntityDescription(
            "Tag",
            [
                .attribute("word", .string), .toMany("patients", "Patient", inverse: "tags"),
                .toMany("wishers", "Patient", inverse: "wishes"),
            ], unique: [["word"]]),
    ])

    /// Two patients of one surgeon, a doctor without patients, three injuries, and an injury without treatments.
    private func store() throws -> SQLiteStore {
        let store = try SQLiteStore.create(path: path("Source.sqlite"), schema: try Self.model.resolved())
        try ExportSamples.insert("Doctor", 1, ["badge": "d1"], into: store)
        try ExportSamples.insert("Surgeon", 2, ["badge": "s2", "room": 7], into: store)
        for (key, name) in [(1, "Ann"), (2, "Bob")] {
            try ExportSamples.insert(
                "Patient", Int64(key), ["name": .string(name)], to: ["doctor": ("Surgeon", 2)], into: store)
        }
        for (key, name, patient) in [(1, "Burn", 2), (2, "Cut", 1), (3, "Fracture", 1)] {
            try ExportSamples.insert(
                "Injury", Int64(key), ["name": .string(name)], to: ["patient": ("Patient", Int64(patient))], into: store
            )
        }
        for (key, name) in [(1, "Rest"), (2, "Cast")] {
            try ExportSamples.insert(
                "Treatment", Int64(key), ["name": .string(name)], to: ["injury": ("Injury", 3)], into: store)
        }
        try ExportSamples.insert("Treatment", 3, ["name": "Water"], into: store)
        try ExportSamples.link("Injury", 3, "treatments", to: [("Treatment", 2), ("Treatment", 1)], in: store)
        for (key, word) in [(1, "new"), (2, "old"), (3, "unused")] {
            try ExportSamples.insert("Tag", Int64(key), ["word": .string(word)], into: store)
        }
        try ExportSamples.link("Patient", 1, "tags", to: [("Tag", 1), ("Tag", 2)], in: store)
        try ExportSamples.link("Patient", 2, "tags", to: [("Tag", 2)], in: store)
        try ExportSamples.link("Patient", 1, "wishes", to: [("Tag", 2), ("Tag", 1)], in: store)
        return store
    }

    private static func options(_ entities: [String], _ nested: [String]) -> ExportOptions {
        var options = ExportOptions()
        options.entities = entities
        options.nested = nested
        return options
    }

    // MARK: - Text

    @Test func `Objects are inside the object that refers to them`() throws {
        var options = Self.options(["Patient"], ["injuries"])
        options.columns = ["$id", "name", "injuries"]
        #expect(
            try ExportSamples.json(store(), options) == """
                [
                {"$id":"Patient/p1","name":"Ann","injuries":[{"$id":"Injury/p2","name":"Cut","treatments":[]},\
                {"$id":"Injury/p3","name":"Fracture","treatments":["Treatment/p2","Treatment/p1"]}]},
                {"$id":"Patient/p2","name":"Bob","injuries":[{"$id":"Injury/p1","name":"Burn","treatments":[]}]}
                ]

                """)
    }

    @Test func `A path nests again`() throws {
        var options = Self.options(["Patient"], ["injuries.treatments"])
        options.columns = ["$id", "injuries"]
        options.predicate = try ObjectPredicate("name == 'Ann'")
        #expect(
            try ExportSamples.json(store(), options) == """
                [
                {"$id":"Patient/p1","injuries":[{"$id":"Injury/p2","name":"Cut","treatments":[]},\
                {"$id":"Injury/p3","name":"Fracture","treatments":[{"$id":"Treatment/p2","name":"Cast"},\
                {"$id":"Treatment/p1","name":"Rest"}]}]}
                ]

                """)
    }

    @Test func `A shared object is inside the first owner, and its entity is named`() throws {
        var options = Self.options(["Patient"], ["doctor"])
        options.columns = ["$id", "doctor"]
        #expect(
            try ExportSamples.json(store(), options) == """
                [
                {"$id":"Patient/p1","doctor":{"$id":"Surgeon/p2","$entity":"Surgeon","badge":"s2","room":7}},
                {"$id":"Patient/p2","doctor":"s2"}
                ]

                """)
    }

    @Test func `Repeated objects are inside every owner, and an import makes one object of them`() throws {
        var options = Self.options(["Patient"], ["doctor", "tags"])
        options.columns = ["name", "doctor", "tags"]
        options.repeatsNested = true
        let surgeon = "{\"$id\":\"Surgeon/p2\",\"$entity\":\"Surgeon\",\"badge\":\"s2\",\"room\":7}"
        let old = "{\"$id\":\"Tag/p2\",\"word\":\"old\"}"
        let source = try store()
        #expect(
            try ExportSamples.json(source, options) == """
                [
                {"name":"Ann","doctor":\(surgeon),"tags":[{"$id":"Tag/p1","word":"new"},\(old)]},
                {"name":"Bob","doctor":\(surgeon),"tags":[\(old)]}
                ]

                """)
        options = Self.options([], ["doctor", "injuries.treatments", "tags"])
        options.repeatsNested = true
        _ = try Exporter(options: options).run(
            source, to: .path(path("all.json"), format: .json, replacing: false))
        let target = try SQLiteStore.create(path: path("Back.sqlite"), schema: try Self.model.resolved())
        let importer = Importer(entity: nil, from: .file(URL(filePath: path("all.json"))))
        let report = try importer.run(into: target)
        #expect(!report.isRefused, "\(report.diagnostics)")
        let difference = try DiffRun.of(source, target)
        #expect(difference.summary.isEqual, "\(difference.lines)")
    }

    @Test func `Objects that nobody refers to stay in their own table`() throws {
        let text = try ExportSamples.json(
            store(), Self.options([], ["doctor", "injuries.treatments", "tags"]), shape: .document)
        #expect(text.contains("\"Doctor\": [\n{\"$id\":\"Doctor/p1\",\"badge\":\"d1\"}\n]"), "\(text)")
        #expect(text.contains("\"Surgeon\": []"), "\(text)")
        #expect(text.contains("\"Injury\": []"), "\(text)")
        #expect(
            text.contains("\"Treatment\": [\n{\"$id\":\"Treatment/p3\",\"name\":\"Water\",\"injury\":null}\n]"),
            "\(text)")
        #expect(text.contains("\"Tag\": [\n{\"$id\":\"Tag/p3\",\"word\":\"unused\"}\n]"), "\(text)")
    }

    // MARK: - Round trips

    static let nestings: [[String]] = [
        ["injuries"], ["injuries.treatments"], ["doctor"], ["Doctor.patients"], ["tags"], ["Tag.patients"], ["wishes"],
        ["tags", "wishes"], ["patient"], ["injury.patient.doctor"], ["doctor.patients.injuries"],
        ["injuries", "doctor", "tags", "Injury.treatments", "Treatment.injury"],
    ]

    private static let files: [(name: String, format: DataFormat)] = [
        ("a.json", .json), ("a.plist", .plist), ("all/", .ndjson), ("lists/", .plist),
    ]

    /// Each nesting once, and each kind of file restored and not.
    @Test(arguments: nestings.indices)
    func `What is exported imports again and gives an equal store`(_ index: Int) throws {
        try check(Self.nestings[index], index % 2 == 0, files: index / 2 % 4..<index / 2 % 4 + 1)
    }

    func check(_ nested: [String], _ isRestored: Bool, files: Range<Int> = 0..<4) throws {
        let source = try store()
        for (name, format) in Self.files[files] {
            let destination = ExportDestination.path(path(name), format: format, replacing: false)
            let exporter = Exporter(options: Self.options([], nested))
            let report = try exporter.run(source, to: destination)
            #expect(report.objects == 13, "\(report)")
            let number = name.filter(\.isLetter) + "\(isRestored)"
            let again = try SQLiteStore.create(
                path: path("Again-\(number).sqlite"), schema: try Self.model.resolved())
            var options = ImportOptions()
            options.restoresAsIs = isRestored
            let job = ImportJob(entity: nil, sources: try sources(name), options: options)
            let imported = try Importer(jobs: [job]).run(into: again)
            #expect(!imported.isRefused, "\(name): \(imported.diagnostics.prefix(3))")
            #expect(imported.nested == report.nested, "\(name)")
            let difference = try DiffRun.of(source, again)
            #expect(difference.summary.isEqual, "\(name): \(difference.lines)")
        }
    }

    private func sources(_ name: String) throws -> [ImportSource] {
        guard name.hasSuffix("/") else { return [.file(path: path(name), options: SourceOptions())] }
        return try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted().filter { $0 != "granary.json" }
            .map { .file(path: path(name) + $0, options: SourceOptions()) }
    }

    /// Persons whose friends are persons, in circles.
    @Test func `A circle ends where an object was written`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Person",
                [
                    .attribute("name", .string), .toMany("children", "Person", inverse: "parent"),
                    .toOne("parent", "Person", inverse: "children"), .toOne("spouse", "Person", inverse: "spouse"),
                ])
        ])
        let source = try SQLiteStore.create(path: path("Circle.sqlite"), schema: try model.resolved())
        for (key, parent) in [(1, 3), (2, 1), (3, 2), (4, 2), (5, 5)] {
            let spouse = [1: 4, 4: 1][key].map { ["spouse": ("Person", Int64($0))] } ?? [:]
            try ExportSamples.insert(
                "Person", Int64(key), ["name": .string("n\(key)")],
                to: ["parent": ("Person", Int64(parent))].merging(spouse) { first, _ in first }, into: source)
        }
        for nested in [["children"], ["children.children"], ["parent"], ["spouse"], ["children", "spouse"]] {
            let options = Self.options([], nested)
            let text = try ExportSamples.json(source, options, shape: .document)
            for key in 1...5 {
                #expect(text.components(separatedBy: "\"$id\":\"Person/p\(key)\"").count == 2, "\(nested): \(text)")
            }
            let again = try ExportSamples.store(model)
            var reading = ImportOptions()
            reading.restoresAsIs = true
            let run = try TestImport.of([TestImport.reader(json: text)], nil, again, reading)
            #expect(!run.report.isRefused, "\(nested): \(run.messages)")
            #expect(try DiffRun.of(source, again).lines == [], "\(nested)")
        }
    }

    /// Stores with every kind of relationship, broken rules and references to missing objects.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `A generated store with all relationships nested is restored exactly`(_ seed: UInt64) throws {
        let generated = try GeneratedStore(seed: seed, in: folder)
        let source = generated.store
        var nested: [String] = []
        for entity in source.schema.entities {
            for relationship in entity.relationships where relationship.owner == entity.index {
                nested.append("\(entity.name).\(relationship.name)")
            }
        }
        for name in ["first.json", "second.json"] {
            let destination = ExportDestination.path(path(name), format: .json, replacing: false)
            _ = try Exporter(options: Self.options([], nested)).run(source, to: destination)
        }
        let texts = try ["first.json", "second.json"].map { try Data(contentsOf: URL(filePath: path($0))) }
        #expect(texts[0] == texts[1])
        var options = ImportOptions()
        options.restoresAsIs = true
        var reading = SourceOptions()
        reading.allowsNUL = true
        let restored = try SQLiteStore.create(path: path("Restored.sqlite"), schema: source.schema)
        let job = ImportJob(
            entity: nil, sources: [.file(path: path("first.json"), options: reading)], options: options)
        let report = try Importer(jobs: [job]).run(into: restored)
        #expect(!report.isRefused, "\(report.diagnostics.filter { $0.severity == .error }.prefix(3))")
        #expect(try DiffRun.of(source, restored).lines.prefix(5) == [])
    }

    // MARK: - Refusals

    @Test(
        arguments: [
            (["Patient"], ["injurie"], "did you mean \"injuries\"?"), (["Patient"], [""], "\"\""),
            (["Patient"], ["Injury.treatments"], "\"treatments\""), (["Patient"], ["injuries.treatmnts"], "treatments"),
            (["Patient"], ["injuries.patient"], "leads back"), ([], ["Patient"], "is not a path"),
            (["Patient"], ["name"], "\"name\""),
        ] as [([String], [String], String)])
    func `A path that fits no relationship is wrong usage`(
        _ entities: [String], _ nested: [String], _ message: String
    ) throws {
        let error = try #require(throws: GranaryError.self) {
            try ExportSamples.json(store(), Self.options(entities, nested), shape: .document)
        }
        #expect(error.code == .usage && error.message.contains(message), "\(error.message)")
    }

    @Test func `Formats without objects in objects and unlisted columns are wrong usage`() throws {
        let source = try store()
        for format in [DataFormat.csv, .tsv] {
            let destination = ExportDestination.path(path("a." + format.rawValue), format: nil, replacing: false)
            let exporter = Exporter(options: Self.options(["Patient"], ["injuries"]))
            let error = try #require(throws: GranaryError.self) { try exporter.run(source, to: destination) }
            #expect(error.code == .usage, "\(error.message)")
        }
        var options = Self.options(["Patient"], ["injuries"])
        options.columns = ["name"]
        let error = try #require(throws: GranaryError.self) { try ExportSamples.json(source, options) }
        #expect(error.code == .usage && error.message.contains("add injuries to the columns"))
    }

    /// An import sets the references of a list before its objects, so the order would be lost.
    @Test func `An ordered list is nested as a whole or not at all`() throws {
        let source = try store()
        try ExportSamples.link("Patient", 2, "wishes", to: [("Tag", 3), ("Tag", 1)], in: source)
        var options = Self.options(["Patient"], ["wishes"])
        options.columns = ["$id", "wishes"]
        let error = try #require(throws: GranaryError.self) { try ExportSamples.json(source, options) }
        #expect(error.code == .refused && error.message.contains("Tag/p3"), "\(error.message)")
        #expect(error.message.hasPrefix("Patient/p2: the ordered list contains"), "\(error.message)")
        options.entities = ["Patient", "Tag"]
        options.columns = []
        let text = try ExportSamples.json(source, options, shape: .document)
        #expect(text.contains("\"wishes\":[\"unused\",\"new\"]"), "\(text)")
    }

    @Test func `A value of a nested object is refused with the object`() throws {
        let source = try store()
        let entity = try #require(source.schema.entity(named: "Injury"))
        var batch = RowBatch()
        batch.bytes = [0xFF]
        let row = batch.appendRow(entity: entity.index, key: 9, version: 1, slotCount: entity.slotCount)
        batch[row, try #require(entity.attribute(named: "name")).slot] = .blob(start: 0, count: 1)
        let patient = try #require(source.schema.entity(named: "Patient"))
        batch[row, try #require(entity.relationship(named: "patient")).slot] = .reference(
            key: 1, entity: Int32(patient.index))
        try source.transaction { writer in
            try writer.reserveKeys(root: entity.root, through: 9)
            try writer.insert(batch)
        }
        let error = try #require(throws: GranaryError.self) {
            try ExportSamples.json(source, Self.options(["Patient"], ["injuries"]))
        }
        #expect(error.diagnostics.first?.message == "Injury/p9: the text is not valid UTF-8 from its byte 0 on")
        #expect(error.diagnostics.first?.entity == "Injury" && error.diagnostics.first?.property == "name")
    }
}

@Suite struct NestedExportLongTests {
    @Test(arguments: NestedExportTests.nestings, [false, true])
    func `What is exported imports again and gives an equal store`(_ nested: [String], _ isRestored: Bool) throws {
        try NestedExportTests().check(nested, isRestored)
    }
}
