import Foundation
import Granary
import Testing

/// The ways to find the objects that rows refer to.
@Suite("Lookups") struct LookupTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Person",
            [
                .attribute("name", .string), .attribute("number", .integer16), .attribute("code", .string),
                .toMany("notes", "Note", inverse: "about"),
            ]),
        EntityDescription("Note", [.attribute("text", .string), .toOne("about", "Person", inverse: "notes")]),
    ])

    private static let lookups: [(lookup: ImportOptions.Lookup, reference: String)] = [
        (.attribute("code"), "B"), (.attributes(["name", "number"]), "[\"\"Ann\"\",2]"), (.identifier, "Person/p2"),
    ]

    @Test("By an attribute, by several, or by the identifier", arguments: lookups.indices)
    func reference(index: Int) async throws {
        let (lookup, reference) = Self.lookups[index]
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        var options = ImportOptions()
        options.lookups = ["about": lookup]
        let people = "$id,name,number,code\nPerson/p1,Ann,1,A\nPerson/p2,Ann,2,B\n"
        let note = ImportJob(
            entity: "Note", sources: [.text("text,about\nhello,\"\(reference)\"\n", format: .csv)], options: options)
        let jobs = [ImportJob(entity: "Person", sources: [.text(people, format: .csv)]), note]
        #expect(note.sources.count == 1 && note.options.lookups["about"] == lookup)
        let report = try await Importer(jobs: jobs).run(into: container)
        #expect(report.created == 3)
        let number = try await container.perform { context in
            try context.fetchAll("Note").first?.object(forKey: "about")?.integer(forKey: "number")
        }
        #expect(number == 2)
    }

    @Test("Objects that lookups create are changes of the run")
    func creations() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        var options = ImportOptions()
        options.lookups = ["about": .attribute("code")]
        options.onMissing = .create
        let report = try await Importer(
            entity: "Note", from: .text("text,about\nhello,Z\n", format: .csv), options: options
        ).run(into: container)
        #expect(report.changes.map(\.action) == [.create] && report.changes.map(\.entity) == ["Person"])
        #expect(report.changes.first?.values == nil && report.madeByLookup == 1)
    }
}
