import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing
@testable import GranaryMigration

/// Real stores of apps, migrated to later versions of their models, directly and along the chain.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)")) struct RealMigrationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let store: String
        let models: [String]
        /// The objects of the last version, by entity.
        let counts: [String: Int]

        var testDescription: String { "\(store) to \(models.last ?? "")" }
    }

    private static let moody = "objcio__core-data/Moody"
    private static let example = "wibosco__CoreDataMigrationRevised-Example/CoreDataMigration_Example"
    private static let sample = "alemar11__CoreDataPlus/SampleModel"

    static let cases =
        (1...4).map { first in
            Case(
                store: first == 1 ? "\(moody).moody" : "\(moody)_\(first).moody",
                models: (first + 1...5).map { "\(moody)_\($0)" }, counts: ["Mood": 4, "Country": 3])
        } + [
            Case(
                store: "alemar11__CoreDataPlus/SampleModel3_V1.sqlite", models: ["\(sample)3_v2", "\(sample)3_v3"],
                counts: [:]),
            Case(
                store: "alemar11__CoreDataPlus/SampleModel_V1.sqlite", models: ["\(sample)2"],
                counts: ["Car": 115, "SportCar": 5, "LuxuryCar": 5, "Person": 20]),
            Case(
                store: "alemar11__CoreDataPlus/CoreDataMigration_Example_2.sqlite", models: ["\(example)_3"],
                counts: ["Post": 10]),
            Case(
                store: "wireapp__wire-ios-data-model/store2-54-0.wiredatabase",
                models: ["wireapp__wire-ios-data-model/zmessaging2.77.0"],
                counts: ["Conversation": 21, "User": 22, "SystemMessage": 21, "UserClient": 12, "ClientMessage": 3]),
        ]

    @Test(arguments: cases) func objects(_ item: Case) throws {
        let folder = try TemporaryFolder()
        let source = try SharedFiles.url("coredata/stores/\(item.store)").path
        let direct = folder.url.appending(path: "Direct.sqlite").path
        let last = try #require(item.models.last)
        try migrate(source, to: last, output: direct)
        // The same along the chain.
        var path = source
        for (number, model) in item.models.enumerated() {
            let next = folder.url.appending(path: "Step\(number).sqlite").path
            try migrate(path, to: model, output: next)
            path = next
        }
        let schema = try Self.model(last).resolved()
        let (one, other) = (
            try MigrationContent(SQLiteStore.open(path: direct, schema: schema, readOnly: true)),
            try MigrationContent(SQLiteStore.open(path: path, schema: schema, readOnly: true))
        )
        #expect(Set(one.objects.keys) == Set(other.objects.keys))
        for (name, object) in one.objects where object != other.objects[name] {
            Issue.record("\(name): \(object) directly, \(String(describing: other.objects[name])) along the chain")
        }
        let counts = Dictionary(grouping: one.objects.values, by: \.entity).mapValues(\.count)
        for (entity, count) in item.counts { #expect(counts[entity] == count, "\(entity)") }
        var findings = DiagnosticCollector()
        try StoreCheck(SQLiteStore.open(path: direct, schema: schema, readOnly: true)).run(&findings)
        #expect(findings.errorCount == 0, "\(findings.diagnostics)")
    }

    @Test("A renaming identifier that only one version has is lost in one step, and kept along the chain")
    func renamedOnce() throws {
        let folder = try TemporaryFolder()
        let source = try SharedFiles.url("coredata/stores/alemar11__CoreDataPlus/CoreDataMigration_Example_1.sqlite")
            .path
        let (direct, middle, end) = (
            folder.url.appending(path: "Direct.sqlite").path, folder.url.appending(path: "2.sqlite").path,
            folder.url.appending(path: "3.sqlite").path
        )
        try migrate(source, to: Self.example + "_3", output: direct)
        try migrate(source, to: Self.example + "_2", output: middle)
        try migrate(middle, to: Self.example + "_3", output: end)
        func colors(_ path: String) throws -> Int {
            let store = try SQLiteStore.open(
                path: path, schema: try Self.model(Self.example + "_3").resolved(), readOnly: true)
            return try MigrationContent(store).objects.values.count { $0.values["hexColor"] != nil }
        }
        #expect(try colors(direct) == 0)
        #expect(try colors(end) == 10)
    }

    private func migrate(_ path: String, to model: String, output: String) throws {
        var options = StoreMigrationOptions()
        options.allowsDrop = true
        options.invalidObjects = .keep
        let report = try StoreMigration(to: Self.model(model), options: options)
            .run(path: path, model: nil, output: output)
        if let refusal = report.refusal { throw refusal }
    }

    private static func model(_ name: String) throws -> ManagedObjectModel {
        try ManagedObjectModel(contentsOf: try SharedFiles.url("coredata/models/\(name).xcdatamodel"))
    }
}

/// A long chain of released versions.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)")) struct ReleasedChainLongTests {
    @Test("The chain of 50 versions: which steps are not inferred, and why")
    func chain() throws {
        let url = try SharedFiles.url("coredata/chains/woocommerce__woocommerce-ios/WooCommerce.xcdatamodeld")
        var diagnostics = DiagnosticCollector()
        let chain = try ModelVersionChain(path: url.path, diagnostics: &diagnostics)
        #expect(chain.versions.count == 50)
        let other = (1..<50).filter { chain.step(from: $0 - 1, to: $0).name != "inferred" }
        #expect(
            other.map { "\(chain.versions[$0].name): \(chain.step(from: $0 - 1, to: $0).name)" } == [
                "Model 10: inferredIfDataFits", "Model 32: needsMapping", "Model 33: inferredIfDataFits",
            ])
        #expect(chain.shortestPath(from: 0, to: 49) == [0, 49] && chain.shortestPath(from: 30, to: 49) == nil)
    }
}
