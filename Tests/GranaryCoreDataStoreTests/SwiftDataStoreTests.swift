import Foundation
import GranaryBase
import GranaryContexts
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing
@testable import GranaryCoordination
@testable import GranaryCoreDataStore

/// Enumerations of SwiftData in an SQLite store: each case has a column.
@Suite struct SwiftDataStoreTests {
    /// A store of three objects, closed.
    private static func path(in folder: TemporaryFolder) throws -> String {
        let container = try container(folder)
        let context = container.makeContext()
        for values in [
            ["name": "A", "glass": "Coupe", "spec": "bramble"], ["name": "B"], ["name": "C", "spec": "alaska"],
        ] {
            let object = try context.insert(into: "Cocktail")
            for (name, value) in values { try object.setValue(.string(value), forKey: name) }
            try context.save()
        }
        return folder.storePath
    }

    private static func container(_ folder: TemporaryFolder) throws -> PersistentContainer {
        try PersistentContainer(model: SwiftDataModel.model(), store: .sqlite(URL(filePath: folder.storePath)))
    }

    private static func insert(_ values: [[String: String]], into store: SQLiteStore, isLoaded: Bool) throws {
        let entity = store.schema.entities[0]
        var batch = RowBatch()
        for (index, values) in values.enumerated() {
            let row = batch.appendRow(
                entity: entity.index, key: Int64(index + 1), version: 1, slotCount: entity.slotCount)
            for (name, value) in values {
                let attribute = try #require(entity.attribute(named: name))
                AttributeValue.string(value).withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
            }
        }
        try store.transaction { writer in
            if isLoaded { try writer.chooseLoader(nil) }
            try writer.reserveKeys(root: 0, through: Int64(values.count))
            try writer.insert(batch)
            try writer.bulk?.finishRows()
        }
    }

    private static func run(_ sql: String, _ path: String) throws {
        let store = try SQLiteStore.open(path: path, schema: try SwiftDataModel.model().resolved())
        try store.connection.execute(sql)
    }

    private static func open(_ path: String) throws -> SQLiteStore {
        try SQLiteStore.open(path: path, schema: try SwiftDataModel.model().resolved())
    }

    private static func specs(_ path: String) throws -> [AttributeValue?] {
        let store = try open(path)
        let spec = try #require(store.schema.entities[0].attribute(named: "spec"))
        var values: [AttributeValue?] = []
        try store.read(entities: 0..<1, batchSize: 10) { batch in
            for row in batch.rows.indices { values.append(try batch.value(row: row, of: spec)) }
            return true
        }
        return values
    }

    @Test func `The value is the case whose column is not NULL`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder)
        #expect(try Self.specs(path) == ["bramble", nil, "alaska"])
        try Self.run("UPDATE ZCOCKTAIL SET ZFOGCUTTER = 'fogCutter' WHERE Z_PK = 2", path)
        #expect(try Self.specs(path) == ["bramble", "fogCutter", "alaska"])
        let store = try Self.open(path)
        var collector = DiagnosticCollector()
        try StoreCheck(store).run(&collector)
        #expect(collector.diagnostics.filter { $0.severity != .note }.map(\.description) == [])
    }

    @Test func `Values in the columns of two cases are damage`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder)
        try Self.run("UPDATE ZCOCKTAIL SET ZFOGCUTTER = 'fogCutter' WHERE Z_PK = 1", path)
        #expect { try Self.specs(path) } throws: { error in
            let error = error as? GranaryError
            return error?.diagnostics.first?.code == .storeCorrupt
                && error?.message.contains("ZFOGCUTTER and the column of another case have values") == true
        }
    }

    /// With SQL, and with the page loader.
    @Test(arguments: [false, true])
    func `A value goes to the column of its case, and a value that is no case to none`(_ isLoaded: Bool) throws {
        for value in ["dry", "", "Alaska", "fogCutter"] {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore.create(
                path: folder.storePath, schema: try SwiftDataModel.model().resolved())
            let values = [["name": "A", "spec": "alaska"], ["name": "B"], ["name": "C", "spec": value]]
            if value == "fogCutter" {
                try Self.insert(values, into: store, isLoaded: isLoaded)
                try store.publish()
                #expect(try Self.specs(folder.storePath) == ["alaska", nil, "fogCutter"])
            } else {
                #expect {
                    try Self.insert(values, into: store, isLoaded: isLoaded)
                } throws: { error in
                    (error as? GranaryError)?.message.contains("is no case of the enumeration") == true
                }
            }
        }
    }

    @Test func `Objects have the case as their value`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder)
        let context = try Self.container(folder).makeContext()
        var request = FetchRequest(entityName: "Cocktail")
        request.predicate = try ObjectPredicate(
            "spec IN {'alaska', 'bramble'} AND (glass.rawValue == 'Coupe' OR glass == nil)")
        let found = try context.fetch(request)
        #expect(found.count == 2)
        let first = try #require(try found.first { try $0.value(forKey: "name") == "A" })
        #expect(try first.value(forKey: "glass.glass") == "Coupe")
        try first.setValue("alaska", forKey: "spec")
        try first.setValue("Martini", forKey: "glass")
        try context.save()
        #expect(try Self.specs(path) == ["alaska", nil, "alaska"])
        try first.setValue("dry", forKey: "spec")
        #expect(throws: GranaryError.self) { try context.save() }
        try first.setValue("bramble", forKey: "spec")
        try first.setValue("Cup", forKey: "glass")
        #expect(throws: GranaryError.self) { try context.save() }
        #expect(try Self.specs(path) == ["alaska", nil, "alaska"])
    }

    @Test func `The model in the store has the rules, and the same hashes`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder)
        let statement = try Self.open(path).connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
        #expect(try statement.step())
        var diagnostics = DiagnosticCollector()
        let read = try ModelCache.read(
            Array(try statement.blob(at: 0)), source: "Z_MODELCACHE", diagnostics: &diagnostics)
        let schema = try read.resolved()
        #expect(read.isSwiftData)
        #expect(schema.versionHashes == (try SwiftDataModel.model().resolved().versionHashes))
        // The compiled model has its attributes in another order.
        let entity = try SwiftDataModel.model().resolved().entities[0]
        #expect(Set(schema.entities[0].attributes.map(\.name)) == Set(entity.attributes.map(\.name)))
        for expected in entity.attributes {
            let attribute = try #require(schema.entities[0].attribute(named: expected.name))
            #expect(attribute.cases == expected.cases, "\(expected.name)")
            #expect(
                attribute.description.validationRules == expected.description.validationRules, "\(expected.name)")
        }
    }
}
