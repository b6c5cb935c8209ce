import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// Objects whose columns hold another storage class than the attributes'.
@Suite("Objects with values of other storage classes") struct StorageClassObjectTests {
    @Test("Objects have the converted values, and a save stores them in their own class")
    func objects() throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Thing", [.attribute("data", .binary), .attribute("size", .integer16), .attribute("name", .string)])
        ])
        try SQLiteStore.create(path: folder.storePath, schema: try model.resolved()).publish()
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute(
            """
            INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZDATA, ZSIZE, ZNAME) VALUES (1, 1, 1, 'Grün', 2.75, x'4178');
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1
            """)
        try connection.close()
        let container = try PersistentContainer(model: model, store: .sqlite(URL(filePath: folder.storePath)))
        let context = container.makeContext()
        let thing = try #require(try context.fetch("Thing").first)
        #expect(thing["data"] == .binary(Data("Grün".utf8)) && thing["size"] == 2 && thing["name"] == "Ax")
        #expect(try context.fetch("Thing", where: "name == 'Ax'").count == 1)
        try thing.setValue(3, forKey: "size")
        try context.save()
        let types = try Connection(path: folder.storePath, mode: .readOnly).text(
            "SELECT typeof(ZDATA) || typeof(ZSIZE) || typeof(ZNAME) FROM ZTHING")
        #expect(types == "blobintegertext")
    }
}
