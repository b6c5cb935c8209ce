import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryModelFiles
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryCoreDataStore
@testable import GranaryMigration

/// Migrations over the versions of a model, with and without steps in code.
@Suite struct VersionedMigrationTests {
    private static let old = [EntityDescription("Book", [.attribute("title", .string), .attribute("cover", .binary)])]
    private static let new = [
        EntityDescription(
            "Book", [.attribute("title", .string), .attribute("cover", .binary), .attribute("year", .integer16)])
    ]

    @Test func `Names of versions need not sort in their order, and options can name properties of each version`()
        throws
    {
        let bench = try MigrationBench([EntityDescription("Book", [.attribute("title", .string)])]) { context in
            _ = try context.insert(into: "Book")
        }
        let url = bench.folder.url.appending(path: "App.xcdatamodeld")
        let versions: [(String, [PropertyDescription])] = [
            ("Original", [.attribute("title", .string)]),
            ("Better", [.attribute("name", .string, .required, .renamed(from: "title"))]),
        ]
        let named = versions.map { name, properties in
            NamedModel(name: name, model: ManagedObjectModel(entities: [EntityDescription("Book", properties)]))
        }
        try ManagedObjectModel.write(named, current: "Better", to: url, as: .xcdatamodeld)
        var migration = try StoreMigration(in: url)
        migration.options.fills = ["Book.name": "x"]
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.path == ["Original", "Better"] && report.refusal == nil)
    }

    /// Three versions: the second one has a number as text, which needs a mapping model; the third one has no number.
    private func versions(_ folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appending(path: "App.xcdatamodeld")
        let versions: [(String, [PropertyDescription])] = [
            ("App", [.attribute("title", .string), .attribute("number", .integer16)]),
            ("App 2", [.attribute("title", .string)]),
            ("App 3", [.attribute("title", .string), .attribute("number", .string)]),
        ]
        let named = versions.map { name, properties in
            NamedModel(name: name, model: ManagedObjectModel(entities: [EntityDescription("Book", properties)]))
        }
        try ManagedObjectModel.write(named, current: "App 3", to: url, as: .xcdatamodeld)
        return url
    }

    @Test func `Where no mapping is inferred in one step, the store goes over the versions between`() throws {
        let properties: [PropertyDescription] = [.attribute("title", .string), .attribute("number", .integer16)]
        let bench = try MigrationBench([EntityDescription("Book", properties)]) { context in
            let book = try context.insert(into: "Book")
            try book.setValue("T", forKey: "title")
            try book.setValue(3, forKey: "number")
        }
        let url = try versions(bench.folder)
        var migration = try StoreMigration(in: url)
        #expect(try migration.run(path: bench.url.path, model: nil, output: nil).refusal != nil)
        migration.options.allowsDrop = true
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.path == ["App", "App 2", "App 3"])
        #expect(report.problems.map(\.count) == [1])
        #expect(report.backup?.hasSuffix("S.sqlite.before-App") == true)
        let new = [EntityDescription("Book", [.attribute("title", .string), .attribute("number", .string)])]
        #expect(try bench.lines(new) == ["Book/p1 title=string(\"T\")"])
        // Back is not possible.
        let error = #expect(throws: GranaryError.self) {
            try StoreMigration(toVersion: "App 2", in: url).run(path: bench.url.path, model: nil, output: nil)
        }
        #expect(error?.message.contains("\"App 3\", which is later than \"App 2\"") == true)
        let unknown = #expect(throws: GranaryError.self) { try StoreMigration(toVersion: "App2", in: url) }
        #expect(unknown?.message.contains("did you mean \"App 2\"?") == true)
    }

    @Test func `A step converts what is not inferred, and is never left out`() throws {
        let properties: [PropertyDescription] = [.attribute("title", .string), .attribute("number", .integer16)]
        let bench = try MigrationBench([EntityDescription("Book", properties)]) { context in
            let book = try context.insert(into: "Book")
            try book.setValue("T", forKey: "title")
            try book.setValue(3, forKey: "number")
        }
        let url = bench.folder.url.appending(path: "App.xcdatamodeld")
        let versions: [[PropertyDescription]] = [
            properties, [.attribute("title", .string), .attribute("number", .string, .required)],
            [.attribute("title", .string), .attribute("count", .string, .required, .renamed(from: "number"))],
        ]
        let named = versions.enumerated().map { number, properties in
            NamedModel(
                name: "App \(number + 1)", model: ManagedObjectModel(entities: [EntityDescription("Book", properties)]))
        }
        try ManagedObjectModel.write(named, current: "App 3", to: url, as: .xcdatamodeld)
        var migration = try StoreMigration(in: url)
        #expect(throws: GranaryError.self) { try migration.run(path: bench.url.path, model: nil, output: nil) }
        migration.steps = [
            MigrationStep(
                from: "App 1", to: "App 2",
                policies: [
                    "Book": { book in
                        guard case .integer(let number) = book.oldValue(forKey: "number") else { return }
                        book.setValue(.string("no. \(number)"), forKey: "number")
                    }
                ])
        ]
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.refusal == nil && report.path == ["App 1", "App 2", "App 3"])
        #expect(
            try bench.lines([EntityDescription("Book", versions[2])])
                == ["Book/p1 count=string(\"no. 3\") title=string(\"T\")"])
    }

    @Test func `Code changes the objects before and after a step`() throws {
        let bench = try MigrationBench(Self.old) { context in
            for number in 0..<2 { try context.insert(into: "Book").setValue(.string("T\(number)"), forKey: "title") }
        }
        let url = bench.folder.url.appending(path: "App.xcdatamodeld")
        let named = [Self.old, Self.new].enumerated().map { number, entities in
            NamedModel(name: "App \(number + 1)", model: ManagedObjectModel(entities: entities))
        }
        try ManagedObjectModel.write(named, current: "App 2", to: url, as: .xcdatamodeld)
        var step = MigrationStep(from: "App 1", to: "App 2")
        step.willMigrate = { context in
            for book in try context.fetch(FetchRequest("Book")) where try book.value(forKey: "title") == .string("T0") {
                try context.delete(book)
            }
        }
        step.didMigrate = { context in
            for book in try context.fetch(FetchRequest("Book")) { try book.setValue(9, forKey: "year") }
            try context.insert(into: "Book").setValue("added", forKey: "title")
        }
        var migration = try StoreMigration(in: url)
        migration.steps = [step]
        let before = try bench.lines(Self.old)
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.path == ["App 1", "App 2"])
        #expect(
            Set(try bench.lines(Self.new).map { $0.split(separator: " ", maxSplits: 1)[1] })
                == ["title=string(\"T1\") year=9", "title=string(\"added\")"])
        // The kept store is not changed.
        #expect(try bench.lines(Self.old, at: URL(filePath: try #require(report.backup))) == before)
    }

    @Test func `External data goes over several versions, and nothing of the versions between stays`() throws {
        let cover = PropertyDescription.attribute("cover", .binary, .externalStorage)
        let content = Data(repeating: 7, count: 300_000)
        let properties = [cover, PropertyDescription.attribute("number", .integer16)]
        let bench = try MigrationBench([EntityDescription("Book", properties)]) { context in
            try context.insert(into: "Book").setValue(.binary(content), forKey: "cover")
        }
        let url = bench.folder.url.appending(path: "App.xcdatamodeld")
        let versions = [properties, [cover], [cover, .attribute("number", .string)]]
        let named = versions.enumerated().map { number, properties in
            NamedModel(
                name: "App \(number)", model: ManagedObjectModel(entities: [EntityDescription("Book", properties)]))
        }
        try ManagedObjectModel.write(named, current: "App 2", to: url, as: .xcdatamodeld)
        var migration = try StoreMigration(in: url)
        migration.options.keepsBackup = false
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.path == ["App 0", "App 1", "App 2"])
        #expect(
            try bench.lines([EntityDescription("Book", versions[2])]) == [
                "Book/p1 cover=\(content.base64EncodedString())"
            ])
        #expect(try bench.names == [".S_SUPPORT", "App.xcdatamodeld", "S.sqlite"])
        let files = try FileManager.default.contentsOfDirectory(
            atPath: bench.folder.url.appending(path: ".S_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == 1)
    }

    @Test func `Every change that needs a mapping model is named`() throws {
        let bench = try MigrationBench([EntityDescription("Book", [.attribute("number", .integer16)])]) { _ in }
        let error = #expect(throws: GranaryError.self) {
            try bench.migrate(to: [EntityDescription("Book", [.attribute("number", .string)])])
        }
        #expect(error?.diagnostics.map(\.code) == [.migrationMapping])
        #expect(error?.diagnostics.first?.property == "number")
        let other = #expect(throws: GranaryError.self) { try bench.migrate(to: [EntityDescription("Pen", [])]) }
        #expect(other?.message.contains("belongs to another app") == true)
    }
}
