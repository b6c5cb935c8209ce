import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

@testable import GranaryFixtures
import GranaryImport
import GranaryRecords
import GranarySeedPlans

/// Fixtures that are copies of existing stores.
@Suite struct CopiedStoreTests {
    private let folder: TemporaryFolder
    private var store: URL { folder.url.appending(path: "App.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Writes a store with a patient, whose photo is in an external file.
    private func write() async throws {
        let photo = Data(repeating: 7, count: 200_000).base64EncodedString()
        let jobs = [
            ImportJob(entity: "Injury", sources: [.text("name\nBurn\n", format: .csv)]),
            ImportJob(
                entity: "Patient", sources: [.text("name,injury,photo\nAnn,Burn,\(photo)\n", format: .csv)]),
        ]
        _ = try await Importer(jobs: jobs).run(into: store, model: Clinic.model)
    }

    @Test("The copy has the objects; the store is not changed", arguments: FixtureStorage.allCases)
    func copies(storage: FixtureStorage) async throws {
        try await write()
        let before = try Data(contentsOf: store)
        let fixture = Clinic.fixture(from: store, storage: storage)
        for _ in 0..<2 {
            try await fixture.withClone { container in
                let (name, count) = try await container.perform { context in
                    let patient = try #require(try context.fetchAll("Patient").first)
                    let result = (
                        try patient.object(forKey: "injury")?.string(forKey: "name"),
                        try patient.data(forKey: "photo")?.count
                    )
                    try context.delete(patient)
                    try context.save()
                    return result
                }
                #expect(name == "Burn" && count == 200_000)
            }
        }
        #expect(try Data(contentsOf: store) == before)
        #expect(FixtureCache.buildCount(of: fixture) == 1)
    }

    @Test("Changes in a write-ahead log are copied")
    func writeAheadLog() async throws {
        try await write()
        let path = store.path
        // The log stays if the process that wrote it is killed: here, a copy of the files while they are open.
        let connection = try Connection(path: path, mode: .readWrite)
        _ = try connection.text(pragma: "journal_mode = WAL")
        try connection.execute("UPDATE ZINJURY SET ZNAME = 'Scald'")
        let copy = folder.url.appending(path: "Copy.sqlite").path
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
        let name = store.deletingPathExtension().lastPathComponent
        try FileManager.default.copyItem(
            at: folder.url.appending(path: ".\(name)_SUPPORT"), to: folder.url.appending(path: ".Copy_SUPPORT"))
        try connection.close()
        let before = try Data(contentsOf: URL(filePath: copy + "-wal"))
        #expect(!before.isEmpty)
        for storage in FixtureStorage.allCases {
            let fixture = Clinic.fixture(from: URL(filePath: copy), storage: storage)
            let names = try await fixture.withClone { try await $0.names("Injury") }
            #expect(names == ["Scald"])
        }
        #expect(try Data(contentsOf: URL(filePath: copy + "-wal")) == before)
    }

    @Test("A store that this process has open is not copied as a file")
    func open() async throws {
        try await write()
        let container = try PersistentContainer(model: Clinic.model, store: .sqlite(store))
        let error = await #expect(throws: GranaryError.self) {
            try await Clinic.fixture(from: store, storage: .temporaryFile).makeClone()
        }
        #expect(error?.code == .busy)
        let names = try await container.names("Injury")
        #expect(names == ["Burn"])
    }

    @Test("A store with duplicates is refused in memory; the message names the storage that holds it")
    func duplicates() async throws {
        try await write()
        let connection = try Connection(path: store.path, mode: .readWrite)
        try connection.execute("DROP INDEX Z_Injury_UNIQUE_name")
        try connection.execute(
            "INSERT INTO ZINJURY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT Z_PK + 1, Z_ENT, 1, ZNAME FROM ZINJURY")
        try connection.close()
        let error = await #expect(throws: GranaryError.self) {
            try await Clinic.fixture(from: store, storage: .inMemory).makeClone()
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("must be unique") == true)
        #expect(error?.message.hasSuffix("storage: .temporaryFile copies the store as it is") == true)
    }

    @Test("Files that are no stores are errors", arguments: FixtureStorage.allCases)
    func noStore(storage: FixtureStorage) async throws {
        let text = try folder.write("name\nBurn\n", to: "Injury.csv")
        let cases: [(URL, GranaryError.Code)] = [(text, .refused), (store, .unreadable)]
        for (url, code) in cases {
            let error = await #expect(throws: GranaryError.self) {
                try await Clinic.fixture(from: url, storage: storage).makeClone()
            }
            #expect(error?.code == code)
        }
    }

    @Test("A given model must be the store's", arguments: FixtureStorage.allCases)
    func otherModel(storage: FixtureStorage) async throws {
        try await write()
        let other = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string)])])
        let error = await #expect(throws: GranaryError.self) {
            try await Clinic.fixture(from: store, model: other, storage: storage).makeClone()
        }
        #expect(error?.code == .refused)
        let names = try await Clinic.fixture(from: store, model: Clinic.model, storage: storage)
            .withClone { try await $0.names("Injury") }
        #expect(names == ["Burn"])
    }
}
