import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The model in a new store") struct ModelCacheRowTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Coffee", [.attribute("name", .string, .required), .attribute("price", .decimal)]),
        EntityDescription("Espresso", [.attribute("shots", .integer16)], superentity: "Coffee"),
    ])

    private func contents(of store: SQLiteStore) throws -> [[UInt8]] {
        let statement = try store.connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
        var rows: [[UInt8]] = []
        while try statement.step() { rows.append(Array(try statement.blob(at: 0))) }
        return rows
    }

    @Test("A new store contains its model in one row")
    func aNewStoreCarriesItsModel() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model.resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        let rows = try contents(of: store)
        #expect(rows.count == 1)
        var diagnostics = DiagnosticCollector()
        let read = try ModelCache.read(try #require(rows.first), source: "Z_MODELCACHE", diagnostics: &diagnostics)
        #expect(diagnostics.count == 0)
        #expect(try read.resolved().versionHashes == schema.versionHashes)
        #expect(read.entity(named: "Espresso")?.attributes.map(\.name) == ["shots"])
        #expect(SQLiteStore.creationWarnings(for: schema).isEmpty)
    }

    @Test("A model that cannot be compiled gives a store without the row, and a warning")
    func aModelThatCannotBeCompiled() throws {
        var model = Self.model
        model.entities[0].fetchedProperties = [
            FetchedPropertyDescription(
                name: "odd",
                fetchRequest: FetchRequestTemplate(name: "odd", entityName: "Coffee", predicateFormat: "name == == 1"))
        ]
        let folder = try TemporaryFolder()
        let schema = try model.resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        #expect(try contents(of: store).isEmpty)
        let warnings = SQLiteStore.creationWarnings(for: schema)
        #expect(warnings.map { "\($0.entity ?? "").\($0.property ?? "")" } == ["Coffee.odd"])
        #expect(warnings.map(\.severity) == [.warning])
    }
}
