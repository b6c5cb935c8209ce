import Foundation
import Granary
import TestSupport
import Testing

/// Has every method that an import must call.
private final class Coffee: ManagedObject {
    override func awakeFromInsert() {
        try? setValue(.string("awakened"), forKey: "brand")
        try? setValue(.integer(1), forKey: "number")
    }

    override func willSave() {
        if case .string(let name)? = self["name"], name.hasPrefix(" ") {
            try? setValue(.string(String(name.dropFirst())), forKey: "name")
        }
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if self["name"] == .string("Tea") { throw GranaryError(.refused, "tea is not coffee") }
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        if self["brand"] == .string("None") { throw GranaryError(.refused, "a brand is required") }
    }
}

/// Has no such method, but does not say so.
private final class PlainCoffee: ManagedObject {}

/// Says that it has none.
private final class BulkCoffee: ManagedObject {
    override class var importsInBulk: Bool { true }

    override func validateForInsert() throws { throw GranaryError(.refused, "not called") }
}

/// Imports of entities with a registered class.
@Suite struct ImportedObjectsTests {
    private let folder: TemporaryFolder
    private static let model: ManagedObjectModel = {
        var coffee = EntityDescription(
            "Coffee",
            [
                .attribute("name", .string, .required, .length(1...60)), .attribute("brand", .string, .required),
                .attribute("number", .integer32), .toOne("shelf", "Shelf", inverse: "coffees"),
                .toMany("tags", "Tag", inverse: "coffees"),
            ])
        coffee.managedObjectClassName = "Coffee"
        coffee.uniquenessConstraints = [["name"]]
        var shelf = EntityDescription(
            "Shelf", [.attribute("name", .string), .toMany("coffees", "Coffee", inverse: "shelf", .ordered)])
        shelf.uniquenessConstraints = [["name"]]
        var tag = EntityDescription(
            "Tag", [.attribute("name", .string), .toMany("coffees", "Coffee", inverse: "tags")])
        tag.uniquenessConstraints = [["name"]]
        return ManagedObjectModel(entities: [coffee, shelf, tag])
    }()

    init() throws { folder = try TemporaryFolder() }

    private func container(_ type: ManagedObject.Type?, _ name: String) throws -> PersistentContainer {
        try PersistentContainer(
            model: Self.model, store: .sqlite(folder.url.appending(path: name)),
            classes: type.map { ["Coffee": $0] } ?? [:])
    }

    private func csv(_ text: String, _ run: ImportRunOptions = ImportRunOptions()) -> Importer {
        Importer(entity: "Coffee", from: .text(text, format: .csv, name: "in.csv"), run: run)
    }

    private func rows(_ container: PersistentContainer) async throws -> [[String]] {
        try await container.perform { context in
            try context.fetchAll("Coffee").map { coffee in
                try ["name", "brand", "number"].map { try coffee.value(forKey: $0).map { "\($0)" } ?? "-" }
            }.sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    @Test func theRecordReplacesWhatAwakeFromInsertSets() async throws {
        let container = try container(Coffee.self, "A.sqlite")
        let report = try await csv("name,number\nSumatra,7\n Java,\n").run(into: container)
        #expect(report.created == 2 && report.objects == 2)
        // An explicit NULL is set too. `willSave` removes the space. The required brand comes from the class.
        let expected = try await rows(container)
        #expect(expected.map(\.count) == [3, 3])
        #expect(expected.map { $0[0].contains("Java") } == [true, false])
        #expect(expected.allSatisfy { $0[1].contains("awakened") })
        #expect(expected[0][2] == "-" && expected[1][2].contains("7"))
        #expect(!expected[0][0].contains(" Java"))
    }

    @Test func anObjectThatCannotBeSavedRejectsItsRecord() async throws {
        let text = "name,brand\nSumatra,x\nTea,x\nJava,x\n"
        let all = try container(Coffee.self, "All.sqlite")
        let error = await #expect(throws: GranaryError.self) { try await csv(text).run(into: all) }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map { $0.position?.line } == [3])
        #expect(error?.diagnostics.first?.message.contains("tea is not coffee") == true)
        #expect(error?.diagnostics.first?.entity == "Coffee")
        #expect(try await rows(all).isEmpty)

        var run = ImportRunOptions()
        run.mode = .keepGood
        run.rejectsPath = folder.url.appending(path: "bad.csv").path
        let good = try container(Coffee.self, "Good.sqlite")
        let report = try await csv(text, run).run(into: good)
        #expect(report.created == 2 && report.rejected == 1 && report.objects == 2)
        #expect(try await rows(good).count == 2)
        #expect(try String(contentsOf: folder.url.appending(path: "bad.csv"), encoding: .utf8) == "name,brand\nTea,x\n")
    }

    @Test func anUpdateCallsValidateForUpdate() async throws {
        let container = try container(Coffee.self, "A.sqlite")
        _ = try await csv("name,brand\nSumatra,x\nJava,x\n").run(into: container)
        var options = ImportOptions()
        options.onConflict = .update
        let update = Importer(
            entity: "Coffee", from: .text("name,brand\nSumatra,y\nJava,None\n", format: .csv), options: options)
        let error = await #expect(throws: GranaryError.self) { try await update.run(into: container) }
        #expect(error?.diagnostics.map { $0.position?.line } == [3])
        #expect(try await rows(container).allSatisfy { $0[1].contains("x") })
    }

    @Test func aRecordThatChangesOnlyAListIsAnUpdate() async throws {
        let container = try container(Coffee.self, "A.sqlite")
        _ = try await Importer(entity: "Tag", from: .text("name\nT1\n", format: .csv)).run(into: container)
        _ = try await csv("name,brand\nSumatra,x\nJava,x\n").run(into: container)
        var options = ImportOptions()
        options.onConflict = .update
        options.lookups = ["tags": .attribute("name")]
        let text = "name,tags\nSumatra,T1\nJava,\n"
        let update = Importer(entity: "Coffee", from: .text(text, format: .csv), options: options)
        let report = try await update.run(into: container)
        #expect(report.updated == 1 && report.unchanged == 1 && report.objects == 1)
    }

    @Test func aDryRunCallsTheMethodsAndStoresNothing() async throws {
        var run = ImportRunOptions()
        run.isDryRun = true
        let container = try container(Coffee.self, "A.sqlite")
        await #expect(throws: GranaryError.self) {
            try await csv("name,brand\nTea,x\n", run).run(into: container)
        }
        let report = try await csv("name,brand\nSumatra,x\n", run).run(into: container)
        #expect(report.created == 1 && report.objects == 1)
        #expect(try await rows(container).isEmpty)
    }

    @Test func aClassThatImportsInBulkIsNotCalled() async throws {
        let container = try container(BulkCoffee.self, "A.sqlite")
        let report = try await csv("name,brand\nSumatra,x\n").run(into: container)
        #expect(report.created == 1 && report.objects == 0)
    }

    /// Without overridden methods both ways write the same bytes, but for the store's UUID.
    @Test func withoutOverriddenMethodsTheStoreIsTheSame() async throws {
        var coffees = "name,brand,number,shelf,tags\n"
        for index in 0..<1200 {
            coffees += "Coffee \(index),\(index % 7 == 0 ? "\"\"" : "b\(index)"),\(index % 5 == 0 ? "" : "\(index)"),"
            coffees += index % 3 == 0 ? "," : "S\(index % 4),"
            coffees += index % 2 == 0 ? "T1;T\(index % 3)\n" : "\n"
        }
        func jobs() -> [ImportJob] {
            var options = ImportOptions()
            options.lookups = ["shelf": .attribute("name"), "tags": .attribute("name")]
            return [
                ImportJob(entity: "Coffee", sources: [.text(coffees, format: .csv)], options: options),
                ImportJob(entity: "Shelf", sources: [.text("name\nS0\nS1\nS2\nS3\n", format: .csv)]),
                ImportJob(entity: "Tag", sources: [.text("name\nT0\nT1\nT2\n", format: .csv)]),
            ]
        }
        var archives: [Data] = []
        var counts: [Int] = []
        for (name, type) in [("Bulk", nil), ("Objects", PlainCoffee.self as ManagedObject.Type)] {
            let container = try container(type, name + ".sqlite")
            let report = try await Importer(jobs: jobs()).run(into: container)
            counts.append(report.objects)
            let out = folder.url.appending(path: name + ".json")
            try await Exporter().run(container, to: .file(out))
            archives.append(try Data(contentsOf: out))
        }
        #expect(counts == [0, 1200])
        #expect(archives[0] == archives[1])
        #expect(archives[0].count > 100_000)
    }
}
