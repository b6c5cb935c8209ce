import Foundation
import GranaryBase
import GranaryContexts
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryMigration

/// Stores that no version of a model fits.
@Suite struct UnknownVersionTests {
    private static let title = PropertyDescription.attribute("title", .string)
    private static let number = PropertyDescription.attribute("number", .integer16)
    private static let pen = EntityDescription("Pen", [.attribute("ink", .string)])

    private static func book(_ properties: PropertyDescription...) -> EntityDescription {
        EntityDescription("Book", properties)
    }

    private func refusal(_ bench: MigrationBench, _ versions: KeyValuePairs<String, [EntityDescription]>) throws
        -> String?
    {
        do {
            _ = try StoreMigration(in: try bench.write(versions)).run(path: bench.url.path, model: nil, output: nil)
            return nil
        } catch let error as GranaryError { return error.message }
    }

    private func bench(_ entities: [EntityDescription], identifiers: [String] = []) throws -> MigrationBench {
        try MigrationBench(entities, identifiers: identifiers) { context in
            let book = try context.insert(into: "Book")
            try book.setValue("T", forKey: "title")
            if entities[0].attributes.contains(where: { $0.name == "number" }) {
                try book.setValue(3, forKey: "number")
            }
        }
    }

    @Test func `A store with what no version has is probably newer, and refused with the nearest version`() throws {
        let versions: KeyValuePairs = [
            "App": [Self.book(Self.title)], "App 2": [Self.book(Self.title, Self.number), Self.pen],
        ]
        let rating = PropertyDescription.attribute("rating", .integer16)
        let newer = try bench([Self.book(Self.title, Self.number, rating), Self.pen])
        #expect(
            try refusal(newer, versions)?.hasSuffix(
                "the store is probably newer: no version has Book.rating; the nearest one is \"App 2\"; --from-model "
                    + "gives the model of a store that is older") == true)
        // The model in the store can be given.
        let report = try StoreMigration(in: newer.folder.url.appending(path: "App.xcdatamodeld"))
            .run(path: newer.url.path, model: newer.old, output: newer.folder.url.appending(path: "New.sqlite").path)
        #expect(report.warnings.isEmpty)
        let entity = try bench([Self.book(Self.title, Self.number), Self.pen, EntityDescription("Ruler", [Self.title])])
        #expect(try refusal(entity, versions)?.contains("no version has the entity Ruler") == true)
    }

    @Test func `A store of a version between or before is migrated with a warning`() throws {
        let bench = try bench([Self.book(Self.title, Self.number)])
        let url = try bench.write([
            "App": [Self.book(Self.title)], "App 2": [Self.book(Self.title, Self.number), Self.pen],
        ])
        let report = try StoreMigration(in: url).run(path: bench.url.path, model: nil, output: nil)
        #expect(report.refusal == nil && report.path == ["the store's model", "App 2"])
        #expect(report.warnings.map(\.code) == [.storeMismatch])
    }

    @Test func `An old name that a version renames does not show a newer store`() throws {
        let bench = try bench([Self.book(Self.title, .attribute("count", .integer16))])
        let url = try bench.write([
            "App": [Self.book(Self.title)],
            "App 2": [Self.book(Self.title, .attribute("number", .integer16, .renamed(from: "count"))), Self.pen],
        ])
        let report = try StoreMigration(in: url).run(path: bench.url.path, model: nil, output: nil)
        #expect(report.refusal == nil)
    }

    @Test func `A later version identifier shows a newer store`() throws {
        let versions = [("App", "9"), ("App 2", "10")].map { name, identifier in
            var model = ManagedObjectModel(entities: [Self.book(Self.title, Self.number)])
            model.versionIdentifiers = [identifier]
            if name == "App" { model.entities[0].attributes.removeLast() }
            return ModelVersionChain.Version(name: name, model: model, isCurrent: name == "App 2")
        }
        let chain = ModelVersionChain(versions)
        for (identifier, isNewer) in [("11", true), ("8", false), ("", false)] {
            let bench = try bench([Self.book(Self.title, Self.number)], identifiers: [identifier])
            let store = try MigratedStoreFile(path: bench.url.path, timeout: .zero)
            #expect(store.identifiers == [identifier])
            #expect((NewerStore(store, bench.old, chain, nearest: 1).evidence != nil) == isNewer)
        }
    }

    @Test func `A store without a common entity belongs to another app`() throws {
        let bench = try bench([Self.book(Self.title)])
        let message = try refusal(bench, ["App": [Self.pen], "App 2": [Self.pen, EntityDescription("Ink", [])]])
        #expect(message?.contains("belongs to another app") == true)
    }

    // MARK: Steps in code

    private static let text = PropertyDescription.attribute("number", .string)
    private static let versions: KeyValuePairs = [
        "App": [book(title)], "App 2": [book(title, number), pen], "App 3": [book(title, text), pen],
        "App 4": [book(title, text), pen, EntityDescription("Ink", [])],
    ]
    private static let step = MigrationStep(
        from: "App 2", to: "App 3",
        policies: [
            "Book": { book in
                guard case .integer(let number) = book.oldValue(forKey: "number") else { return }
                book.setValue(.string("no. \(number)"), forKey: "number")
            }
        ])

    private func migrate(_ bench: MigrationBench) throws -> StoreMigrationReport {
        var migration = try StoreMigration(in: try bench.write(Self.versions))
        migration.steps = [Self.step]
        return try migration.run(path: bench.url.path, model: nil, output: nil)
    }

    @Test func `A step is used if the entities that it computes are those of its older version`() throws {
        // No version has a pen with a number.
        let bench = try bench([
            Self.book(Self.title, Self.number), EntityDescription("Pen", [.attribute("ink", .string), Self.number]),
        ])
        let report = try migrate(bench)
        #expect(report.path == ["the store's model", "App 3", "App 4"] && report.refusal == nil)
        #expect(
            try bench.lines(Self.versions.last?.value ?? []) == [
                "Book/p1 number=string(\"no. 3\") title=string(\"T\")"
            ])
    }

    @Test func `A step is used if its older version is an identifier of the store`() throws {
        let bench = try bench(
            [EntityDescription("Book", [Self.title, Self.number, .attribute("ink", .string)])], identifiers: ["App 2"])
        let report = try migrate(bench)
        #expect(report.path == ["the store's model", "App 3", "App 4"])
    }

    @Test func `A step that does not start at the store is not used, and the reason is given`() throws {
        let bench = try bench([EntityDescription("Book", [Self.title, Self.number, .attribute("ink", .string)])])
        let error = #expect(throws: GranaryError.self) { try migrate(bench) }
        #expect(
            error?.diagnostics.contains {
                $0.message.hasSuffix("and the version hash of Book is not that in \"App 2\"")
            } == true, "\(error?.diagnostics ?? [])")
    }
}
