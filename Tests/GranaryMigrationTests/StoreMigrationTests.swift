import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryModelFiles
import GranaryPredicates
import GranaryPropertyLists
import GranaryRecords
import GranarySQLite
import Synchronization
import TestSupport
import Testing
@testable import GranaryCoreDataStore
@testable import GranaryMigration

/// The files of a migration, and what it keeps and refuses.
@Suite struct StoreMigrationTests {
    private static let old = [EntityDescription("Book", [.attribute("title", .string), .attribute("cover", .binary)])]
    private static let new = [
        EntityDescription(
            "Book", [.attribute("title", .string), .attribute("cover", .binary), .attribute("year", .integer16)])
    ]

    private func bench(_ count: Int = 3) throws -> MigrationBench {
        try MigrationBench(Self.old) { context in
            for number in 0..<count {
                try context.insert(into: "Book").setValue(.string("T\(number)"), forKey: "title")
            }
        }
    }

    @Test func `The replaced store is kept, and the new one has its UUID, keys, versions and metadata`() throws {
        let bench = try bench()
        let store = try SQLiteStore.open(path: bench.url.path, schema: try bench.old.resolved())
        try store.setUserMetadata([.init("Seed", .integer(3))])
        try store.transaction { writer in
            try writer.raiseVersions(root: 0, keys: [2])
            try writer.reserveKeys(root: 0, through: 40)
        }
        let identifier = store.identifier
        try store.connection.close()
        let report = try bench.migrate(to: Self.new)
        #expect(report.backup == bench.url.path + ".before-migration")
        #expect(report.entities == [.init(name: "Book", oldName: nil, kept: 3, changed: 0, dropped: 0, renumbered: 0)])
        let migrated = try SQLiteStore.open(
            path: bench.url.path, schema: try ManagedObjectModel(entities: Self.new).resolved())
        #expect(migrated.identifier == identifier)
        #expect(migrated.metadata["Seed"] == .integer(3))
        #expect(try migrated.versions(root: 0, keys: [1, 2, 3]) == [1: 1, 2: 2, 3: 1])
        #expect(try migrated.lastKey(root: 0) == 40)
        let names = try bench.names
        #expect(names == ["S.sqlite", "S.sqlite.before-migration"])
        try migrated.connection.close()
        // A second migration has nothing to do; an output is a copy.
        #expect(try bench.migrate(to: Self.new).isCurrent)
        let copy = bench.folder.url.appending(path: "Copy.sqlite")
        for replaces in [false, true] {
            let copied = try bench.migrate(to: Self.new, output: copy) { $0.replacesOutput = replaces }
            #expect(copied.entities[0].kept == 3)
            #expect(try bench.lines(Self.new, at: copy).count == 3)
        }
    }

    @Test func `A name that is taken by another file is refused before the store changes`() throws {
        let bench = try bench()
        let backup = bench.url.path + ".before-migration"
        try Data("other".utf8).write(to: URL(filePath: backup))
        for isDryRun in [true, false] {
            #expect(throws: GranaryError.self) { try bench.migrate(to: Self.new) { $0.isDryRun = isDryRun } }
        }
        #expect(try bench.lines(Self.old).count == 3)
        #expect(try Data(contentsOf: URL(filePath: backup)) == Data("other".utf8))
        #expect(try bench.migrate(to: Self.new) { $0.keepsBackup = false }.backup == nil)
        #expect(try bench.names.count == 2)
    }

    @Test func `A second name of the store itself, which a killed migration leaves, is no obstacle`() throws {
        let bench = try bench()
        let backup = bench.url.path + ".before-migration"
        #expect(link(bench.url.path, backup) == 0)
        try bench.migrate(to: Self.new)
        #expect(try bench.lines(Self.old, at: URL(filePath: backup)).count == 3)
    }

    @Test func `A dry run and an output leave the store as it is`() throws {
        let bench = try bench()
        let before = try Data(contentsOf: bench.url)
        #expect(try bench.migrate(to: Self.new) { $0.isDryRun = true }.entities[0].kept == 3)
        #expect(try bench.names == ["S.sqlite"])
        let output = bench.folder.url.appending(path: "New.sqlite")
        try bench.migrate(to: Self.new, output: output)
        #expect(try bench.lines(Self.new, at: output).count == 3)
        #expect(throws: GranaryError.self) { try bench.migrate(to: Self.new, output: output) }
        try bench.migrate(to: Self.new, output: output) { $0.replacesOutput = true }
        #expect(throws: GranaryError.self) { try bench.migrate(to: Self.new, output: bench.url) }
        #expect(try Data(contentsOf: bench.url) == before)
    }

    @Test func `The objects of a write-ahead log are migrated`() throws {
        let bench = try bench(0)
        let store = try SQLiteStore.open(path: bench.url.path, schema: try bench.old.resolved())
        #expect(try store.connection.text(pragma: "journal_mode = WAL") == "wal")
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 2)
        try store.transaction { try $0.insert(batch) }
        // A copy that has its log, as after a crash.
        let copy = bench.folder.url.appending(path: "Copy.sqlite").path
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: bench.url.path + suffix, toPath: copy + suffix)
        }
        let report = try StoreMigration(to: ManagedObjectModel(entities: Self.new)).run(
            path: copy, model: nil, output: nil)
        #expect(report.entities.first?.kept == 1)
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
        // A store that another connection has open is not replaced.
        let error = #expect(throws: GranaryError.self) { try bench.migrate(to: Self.new) { $0.busyTimeout = 0 } }
        #expect(error?.code == .busy)
        try store.connection.close()
        // A refused migration leaves the journal mode.
        #expect(throws: GranaryError.self) {
            try bench.migrate(to: [EntityDescription("Book", [.attribute("year", .integer16, .required)])])
        }
        let after = try SQLiteStore.open(path: bench.url.path, schema: try bench.old.resolved())
        #expect(try after.connection.text(pragma: "journal_mode") == "wal")
        try after.connection.close()
        #expect(try bench.migrate(to: Self.new).entities.first?.kept == 1)
    }

    @Test func `External data moves with the store, and the backup has its own`() throws {
        let properties: [PropertyDescription] = [.attribute("cover", .binary, .externalStorage)]
        let content = Data(repeating: 7, count: 300_000)
        let bench = try MigrationBench([EntityDescription("Book", properties)]) { context in
            try context.insert(into: "Book").setValue(.binary(content), forKey: "cover")
        }
        let new = [EntityDescription("Book", properties + [.attribute("year", .integer16)])]
        let report = try bench.migrate(to: new)
        let text = "cover=\(content.base64EncodedString())"
        #expect(try bench.lines(new) == ["Book/p1 \(text)"])
        let backup = URL(filePath: try #require(report.backup))
        #expect(try bench.lines([EntityDescription("Book", properties)], at: backup) == ["Book/p1 \(text)"])
        let files = try FileManager.default.contentsOfDirectory(
            atPath: bench.folder.url.appending(path: ".S_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == 1)
        // Without external storage, the value is in the row.
        let inline = [EntityDescription("Book", [.attribute("cover", .binary), .attribute("year", .integer16)])]
        try bench.migrate(to: inline) { $0.keepsBackup = false }
        #expect(try bench.lines(inline) == ["Book/p1 \(text)"])
        #expect(!FileManager.default.fileExists(atPath: bench.folder.url.appending(path: ".S_SUPPORT").path))
    }

    @Test func `A missing file is NULL on request, and a problem if the attribute is required`() throws {
        func model(isRequired: Bool, _ more: [PropertyDescription] = []) -> [EntityDescription] {
            let cover: PropertyDescription =
                isRequired
                ? .attribute("cover", .binary, .externalStorage, .required)
                : .attribute("cover", .binary, .externalStorage)
            return [EntityDescription("Book", [cover] + more)]
        }
        let added = [PropertyDescription.attribute("year", .integer16)]
        let content = Data(repeating: 7, count: 300_000)
        for isRequired in [false, true] {
            let bench = try MigrationBench(model(isRequired: isRequired)) { context in
                for _ in 0..<2 { try context.insert(into: "Book").setValue(.binary(content), forKey: "cover") }
            }
            let folder = bench.folder.url.appending(path: ".S_SUPPORT/_EXTERNAL_DATA")
            let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            try FileManager.default.removeItem(at: folder.appending(path: file))
            let new = model(isRequired: isRequired, added)
            #expect(throws: GranaryError.self) { try bench.migrate(to: new) }
            #expect(
                try bench.problems(to: new) { $0.missingFiles = .null }
                    == (isRequired ? ["Book.cover 1 value.missing"] : []))
            guard isRequired else { continue }
            let kept = try bench.migrate(to: new, output: bench.folder.url.appending(path: "Kept.sqlite")) {
                $0.missingFiles = .null
                $0.invalidObjects = .keep
            }
            #expect(kept.warnings.count == 1 && kept.problems.map(\.count) == [1])
            try bench.migrate(to: new) {
                $0.missingFiles = .null
                $0.fillTexts = ["Book.cover": "AAE="]
            }
            #expect(try bench.lines(new).contains { $0.hasSuffix("cover=AAE=") })
        }
    }

    @Test func `The history has the numbers and properties of the newer version`() throws {
        let old = [
            EntityDescription("Book", [.attribute("title", .string), .attribute("year", .integer16)]),
            EntityDescription("Pen", [.attribute("ink", .string)]),
        ]
        let bench = try MigrationBench(old, tracksHistory: true) { context in
            let book = try context.insert(into: "Book")
            try context.insert(into: "Pen").setValue("blue", forKey: "ink")
            try context.save()
            try book.setValue(5, forKey: "year")
        }
        // "Atlas" comes before "Book".
        let new = [
            EntityDescription("Atlas", []),
            EntityDescription(
                "Book", [.attribute("title", .string), .attribute("when", .integer16, .renamed(from: "year"))]),
        ]
        try bench.migrate(to: new) { $0.allowsDrop = true }
        let model = ManagedObjectModel(entities: new)
        let container = try PersistentContainer(model: model, store: .sqlite(bench.url))
        let transactions = try container.persistentStoreCoordinator.fetchHistory(after: nil)
        #expect(transactions.map { $0.changes.count } == [1, 1])
        #expect(transactions.flatMap(\.changes).allSatisfy { $0.changedObjectID.entityName == "Book" })
        #expect(transactions.last?.changes.first?.updatedProperties == ["when"])
    }

    @Test func `An archive is migrated by the same rules`() throws {
        let bench = try MigrationBench(Self.old, name: "S.plist", location: { .archive($0) }) { context in
            try context.insert(into: "Book").setValue("T", forKey: "title")
        }
        let report = try bench.migrate(to: Self.new)
        #expect(report.entities.map(\.kept) == [1])
        let store = try ArchiveStore.open(
            path: bench.url.path, schema: try ManagedObjectModel(entities: Self.new).resolved())
        #expect(try MigrationBench.lines(MigrationContent(store)) == ["Book/p1 title=string(\"T\")"])
        #expect(try bench.names == ["S.plist", "S.plist.before-migration"])
        #expect(throws: GranaryError.self) {
            try bench.migrate(to: [EntityDescription("Book", [])])
        }
    }

    @Test(arguments: [false, true]) func `A container migrates its store when it loads it`(_ isArchive: Bool) throws {
        let bench = try MigrationBench(
            Self.old, location: { isArchive ? .archive($0) : .sqlite($0) }
        ) { try $0.insert(into: "Book").setValue("T", forKey: "title") }
        let location: StoreLocation = isArchive ? .archive(bench.url) : .sqlite(bench.url)
        var description = PersistentStoreDescription(location)
        description.migratesAutomatically = false
        func load(_ entities: [EntityDescription]) throws -> PersistentContainer {
            let container = try PersistentContainer(
                name: "New", model: ManagedObjectModel(entities: entities), descriptions: [description])
            try container.loadPersistentStores()
            return container
        }
        #expect(throws: GranaryError.self) { _ = try load(Self.new) }
        description.migratesAutomatically = true
        description.infersMapping = false
        #expect(throws: GranaryError.self) { _ = try load(Self.new) }
        description.infersMapping = true
        let required = [EntityDescription("Book", [.attribute("year", .integer16, .required)])]
        #expect(throws: GranaryError.self) { _ = try load(required) }
        #expect(throws: GranaryError.self) { _ = try load([EntityDescription("Pen", [])]) }
        // The cover is dropped, as by Core Data.
        let new = [EntityDescription("Book", [.attribute("title", .string), .attribute("year", .integer16)])]
        let context = try load(new).makeContext()
        let books = try context.fetch(FetchRequest("Book"))
        #expect(try books.map { try $0.value(forKey: "title") } == [.string("T")])
        #expect(try bench.names == ["S.sqlite"])
    }

    @Test func `A migration that was deferred and never finished is finished`() throws {
        let bench = try bench()
        let key = "NSPersistentStoreDeferredLightweightMigrationOptionKey"
        let store = try SQLiteStore.open(path: bench.url.path, schema: try bench.old.resolved())
        try store.connection.transaction {
            let objects = try store.connection.schema()
            var metadata = try StoreMetadata.read(store.connection, objects)
            metadata.entries.append(PropertyListEntry(key, .boolean(true)))
            try metadata.write(to: store.connection, objects)
        }
        try store.connection.close()
        let report = try bench.migrate(to: Self.old)
        #expect(report.warnings.contains { $0.message.contains(key) } && report.entities[0].kept == 3)
        #expect(try bench.migrate(to: Self.old).isCurrent)
    }

    @Test func `A store that another process has replaced meanwhile is not overwritten`() throws {
        let bench = try bench()
        let other = bench.folder.url.appending(path: "Other.sqlite")
        try FileManager.default.copyItem(at: bench.url, to: other)
        let model = try StoreModel.read(path: bench.url.path)
        var migration = SQLiteMigration(
            path: bench.url.path, output: nil, model: model,
            steps: [try ManagedObjectModel(entities: Self.new).resolved()])
        // The file gets another identity after it was opened: the rules are computed inside the lock of the first call.
        migration.rules = { _ in MigrationRules() }
        migration.afterOpening = { _ = rename(other.path, bench.url.path) }
        let error = #expect(throws: GranaryError.self) { try migration.run() }
        #expect(error?.code == .busy && error?.message.contains("replaced by another process") == true)
        #expect(try bench.lines(Self.old).count == 3)
    }

    @Test func `Rows of no entity and values of another storage class are refused with their places`() throws {
        let number = PropertyDescription.attribute("number", .integer16)
        let bench = try MigrationBench([EntityDescription("Book", [number])]) { context in
            for _ in 0..<3 { _ = try context.insert(into: "Book") }
        }
        let connection = try Connection(path: bench.url.path, mode: .readWrite)
        try connection.execute("UPDATE ZBOOK SET Z_ENT = 9 WHERE Z_PK = 1")
        try connection.execute("UPDATE ZBOOK SET ZNUMBER = 'many' WHERE Z_PK = 2")
        try connection.close()
        let new = [EntityDescription("Book", [number, .attribute("year", .integer16)])]
        #expect(try bench.problems(to: new) == ["Book.number 1 store.corrupt", "ZBOOK 1 store.corrupt"])
        let report = try bench.migrate(to: new) {
            $0.allowsDrop = true
            $0.invalidObjects = .keep
        }
        #expect(report.entities.map(\.kept) == [2])
    }

    @Test func `Tables of other programs are copied, and those of CloudKit refused`() throws {
        let bench = try bench()
        var connection = try Connection(path: bench.url.path, mode: .readWrite)
        try connection.execute(
            "CREATE TABLE notes (text TEXT, n REAL); INSERT INTO notes VALUES ('a', 1.5), (NULL, NULL); "
                + "CREATE INDEX notes_text ON notes (text)")
        try connection.close()
        try bench.migrate(to: Self.new)
        connection = try Connection(path: bench.url.path, mode: .readWrite)
        #expect(try connection.integer("SELECT COUNT(*) FROM notes WHERE text = 'a' AND n = 1.5") == 1)
        #expect(try connection.schema().contains { $0.name == "notes_text" })
        try connection.execute("CREATE TABLE ANSCKRECORDMETADATA (x INTEGER)")
        try connection.close()
        #expect(throws: GranaryError.self) { try bench.migrate(to: Self.old) { $0.keepsBackup = false } }
    }

    @Test func `A link to a store stays a link`() throws {
        let bench = try bench()
        let link = bench.folder.url.appending(path: "Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: bench.url)
        _ = try StoreMigration(to: ManagedObjectModel(entities: Self.new)).run(path: link.path, model: nil, output: nil)
        #expect(try bench.lines(Self.new).count == 3)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == bench.url.path)
        // External data is found by the name of the link.
        let support = bench.folder.url.appending(path: ".Link_SUPPORT")
        try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
        let error = #expect(throws: GranaryError.self) {
            try StoreMigration(to: ManagedObjectModel(entities: Self.old)).run(path: link.path, model: nil, output: nil)
        }
        #expect(error?.code == .usage)
    }

    @Test(
        arguments: [
            ("Book.pages", "1", "Book has no stored attribute \"pages\""), ("Bok.year", "1", "no entity \"Bok\""),
            ("Book.next", "1", "Book.next is a relationship; only attributes can be filled"),
            ("Book.cover", "x y", "\"x y\" is not base64, as a Binary is written"),
            ("Book.year", "x", "\"x\" is not an Integer 16"),
            ("Book.year", "70000", "70000 does not fit an Integer 16"),
        ])
    func `A wrong option is refused before anything is read`(_ name: String, _ text: String, _ message: String) throws {
        let bench = try bench()
        var new = Self.new
        new[0].relationships.append(RelationshipDescription(name: "next", destination: "Book"))
        new[0].relationships[0].maxCount = 1
        let error = #expect(throws: GranaryError.self) {
            try bench.migrate(to: new) { $0.fillTexts = [name: text] }
        }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `A rule for an entity without unique values names those that have some`() throws {
        let bench = try bench()
        var new = Self.new + [EntityDescription("Pen", [.attribute("ink", .string)], unique: [["ink"]])]
        let error = #expect(throws: GranaryError.self) {
            try bench.migrate(to: new) { $0.duplicateRules = ["Book": .first] }
        }
        #expect(error?.code == .usage)
        #expect(
            error?.message
                == "--dedupe: Book has no uniqueness constraint in the newer version; entities with one: Pen")
        // A subentity has the constraint of its superentity.
        new.append(EntityDescription("Pencil", [], superentity: "Pen"))
        _ = try bench.migrate(to: new) { $0.duplicateRules = ["Pencil": .first] }
    }

    @Test func `References to objects that do not exist do not stop a change of the other end`() throws {
        func model(_ pages: PropertyDescription, _ book: PropertyDescription) -> [EntityDescription] {
            [EntityDescription("Book", [pages]), EntityDescription("Page", [book])]
        }
        let lists = PropertyDescription.toMany("pages", "Page", inverse: "book")
        let newer = [
            model(.toOne("pages", "Page", inverse: "book"), .toOne("book", "Book", inverse: "pages")),
            model(lists, .toMany("book", "Book", inverse: "pages")),
        ]
        for new in newer {
            let bench = try MigrationBench(model(lists, .toOne("book", "Book", inverse: "pages"))) { context in
                let book = try context.insert(into: "Book")
                for _ in 0..<2 { try context.insert(into: "Page").setObject(book, forKey: "book") }
            }
            let connection = try Connection(path: bench.url.path, mode: .readWrite)
            try connection.execute("UPDATE ZPAGE SET ZBOOK = 99 WHERE Z_PK = 1")
            try connection.close()
            #expect(try bench.migrate(to: new).entities.map(\.kept) == [1, 2])
            #expect(try bench.lines(new).contains("Page/p2 book=Book/p1"))
            // A join table has no link to the missing book.
            if new[1].relationships[0].isToMany { #expect(try bench.findings(new).isEmpty) }
        }
    }

    @Test func `The progress begins at nothing and ends with the indexes`() throws {
        let steps = Mutex<[MigrationProgress]>([])
        try bench(40).migrate(to: Self.new) { $0.progress = { step in steps.withLock { $0.append(step) } } }
        let all = steps.withLock { $0 }
        #expect(all.first?.done == 0 && all.first?.total == 50)
        // Before the indexes are built, four fifths are done.
        #expect(all.map(\.done) == all.map(\.done).sorted() && all.dropLast().last?.done == 40)
        #expect(all.last?.done == 50 && all.last?.objects == 40)
    }
}
