import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The models of real stores", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct StoreModelTests {
    private func copy(_ name: String, to folder: TemporaryFolder) throws -> String {
        try #require(RealStore.all.first { $0.path.hasSuffix("/" + name) }).copy(to: folder)
    }

    private func open(_ path: String, _ model: StoreModel) throws -> SQLiteStore {
        try SQLiteStore.open(
            path: path, schema: model.schema, readOnly: true, isInferred: model.source == .inferred)
    }

    @Test("A store with a model is read with that model", arguments: RealStore.chosenWithCaches)
    func carried(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let path = try real.copy(to: folder)
        let model = try StoreModel.read(path: path)
        #expect(model.source == .cache, "\(model.warnings)")
        let store = try open(path, model)
        #expect(store.metadata.versionHashes == model.schema.versionHashes)
        for count in try InferenceBench.rowCounts(store) { #expect(count.read == count.counted) }
        var diagnostics = DiagnosticCollector()
        let cached = try #require(try StoreModel.cachedModel(path: path, diagnostics: &diagnostics))
        #expect(cached == model.schema.model)
        #expect(try ManagedObjectModel(cachedInStoreAt: URL(filePath: path)) == cached)
    }

    @Test("A given model is used first", arguments: RealStore.withModels)
    func given(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let path = try real.copy(to: folder)
        let given = try #require(try real.schema()).model
        let model = try StoreModel.read(path: path, given: given)
        #expect(model.source == .given && model.schema.model == given)
        #expect(try open(path, model).identifier.count == 36)
    }

    private static let inferred: [(String, [String])] = [
        (
            "RKSeedDatabase.sqlite",
            [
                "Tweet: isfavorited Integer 64, statusid Integer 64, createdat Date, inreplytoscreenname String, "
                    + "text String, urlstring String, user → User",
                "User: userid Integer 64, name String, screenname String",
            ]
        ),
        (
            "Model1.sqlite",
            ["Book: authorname String, title String, fileurl Binary, user → User", "User: userid Integer 64"]
        ),
        (
            "SurfJournalModel.sqlite",
            [
                "JournalEntry: rating Integer 64, date Date, height String, location String, period String, wind String"
            ]
        ),
        (
            "Recipes.sqlite",
            [
                "Image: image Binary, recipe → Recipe",
                "Ingredient: displayorder Integer 64, amount String, name String, recipe → Recipe",
                "Recipe: preptime String, name String, instructions String, overview String, thumbnailimage Binary, "
                    + "image → Image, type → RecipeType",
                "RecipeType: name String",
            ]
        ),
    ]

    @Test("The model of an older store is inferred from its tables", arguments: inferred)
    func readOffItsTables(_ name: String, _ lines: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try copy(name, to: folder)
        let model = try StoreModel.read(path: path)
        #expect(model.source == .inferred && model.warnings == [])
        #expect(InferenceBench.lines(model.schema) == lines)
        #expect(model.schema.model.notes["inferred"] == "yes")
        for count in try InferenceBench.rowCounts(try open(path, model)) { #expect(count.read == count.counted) }
        #expect(throws: GranaryError.self) {
            try SQLiteStore.open(path: path, schema: model.schema, isInferred: true)
        }
        #expect(throws: GranaryError.self) { try ManagedObjectModel(cachedInStoreAt: URL(filePath: path)) }
    }

    @Test("An inferred model does not change values")
    func values() throws {
        let folder = try TemporaryFolder()
        let path = try copy("RKSeedDatabase.sqlite", to: folder)
        let store = try open(path, try StoreModel.read(path: path))
        let tweet = store.schema.entities[0]
        let batch = try store.read(root: 0, keys: [61])
        let number = try #require(tweet.attribute(named: "statusid"))
        let date = try #require(tweet.attribute(named: "createdat"))
        let user = try #require(tweet.relationship(named: "user"))
        #expect(try batch.value(row: 0, of: number) == .integer(37_684_000_310_951_936))
        #expect(
            try batch.value(row: 0, of: date) == .date(Date(timeIntervalSinceReferenceDate: 319_512_340)))
        #expect(batch[0, user.slot] == .reference(key: 7, entity: 1))
    }

    private func replaceCache(of path: String, by hex: String) throws {
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = X'\(hex)'")
        try connection.close()
    }

    @Test("A damaged model cache gives a warning, and the model is inferred", arguments: ["00", "0300", "ff", ""])
    func brokenCache(_ hex: String) throws {
        let folder = try TemporaryFolder()
        let path = try copy("SampleModel2_V2.sqlite", to: folder)
        try replaceCache(of: path, by: hex)
        let model = try StoreModel.read(path: path)
        #expect(model.source == .inferred)
        #expect(model.warnings.contains { $0.message.contains("Z_MODELCACHE") } == !hex.isEmpty)
        #expect(model.warnings.allSatisfy { $0.severity != .error })
        let page = try #require(model.schema.entity(named: "Page")?.relationship(named: "book"))
        #expect(model.schema.entities[page.destination].name == "Book" && !page.isToMany)
        #expect(model.warnings.compactMap(\.entity).contains("Book"))
        for count in try InferenceBench.rowCounts(try open(path, model)) { #expect(count.read == count.counted) }
    }

    @Test("A model cache that does not match the metadata is not used")
    func foreignCache() throws {
        let folder = try TemporaryFolder()
        let first = try copy("Moody.moody", to: folder)
        let second = try copy("TestModel.sqlite", to: folder)
        let connection = try Connection(path: second, mode: .readOnly)
        let hex = try #require(try connection.text("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE"))
        try connection.close()
        try replaceCache(of: first, by: hex)
        let model = try StoreModel.read(path: first)
        #expect(model.source == .inferred)
        #expect(model.warnings.contains { $0.code == .storeMismatch })
        var diagnostics = DiagnosticCollector()
        #expect(try StoreModel.cachedModel(path: first, diagnostics: &diagnostics) != nil)
        #expect(diagnostics.diagnostics.contains { $0.code == .storeMismatch })
    }
}
