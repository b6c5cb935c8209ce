import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing
@testable import GranaryComparison
@testable import GranaryExport
@testable import GranarySubset

/// Stores with any numbers in the columns that Granary uses as indexes, keys and counts. Everything ends with a result
/// or an error; a trap would end the test process.
@Suite("Odd numbers") struct OddNumbersTests {
    @Test("Odd numbers in a store cause no trap") func few() throws {
        for seed in 0..<2 { try OddNumbers.check(seed: UInt64(seed)) }
    }

    /// The case of a real attack: the entry of an index has another entity number than the row.
    @Test("An entity number in an index that disagrees with the table is damage") func indexEntry() throws {
        let library = try CheckedLibrary()
        let connection = try Connection(path: library.folder.storePath, mode: .readOnly)
        let root = try #require(
            try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK_Z_ENT_INDEX'"))
        let pageSize = Int(try connection.integer(pragma: "page_size") ?? 0)
        try connection.close()
        var bytes = Array(try Data(contentsOf: URL(filePath: library.folder.storePath)))
        let page = (Int(root) - 1) * pageSize
        let cell = page + Int(bytes[page + 10]) << 8 + Int(bytes[page + 11])
        // The record of the second entry: a header of 3 bytes, then the entity number in one byte.
        bytes[cell + 4] = 0x81
        try Data(bytes).write(to: URL(filePath: library.folder.storePath))
        let path = library.folder.storePath
        // A pass over the table reads the right numbers.
        let store = try OddNumbers.open(path)
        let book = try #require(store.schema.entity(named: "Book"))
        var keys: [Int64] = []
        try store.read(entities: book.family, batchSize: 10) { batch in
            keys += batch.rows.map(\.key)
            return true
        }
        #expect(keys == [1, 2, 3])
        // As an export or a subset counts them for its warning.
        #expect(try store.strayRows(read: [:]).isEmpty)
        // Links are found with indexes.
        for condition in [nil, try ObjectPredicate("title != nil")] {
            let error = try #require(throws: GranaryError.self) { try Self.subset(path, condition) }
            #expect(error.code == .refused)
            #expect(error.message.contains("ZBOOK: the store is damaged: the index ZBOOK_Z_ENT_INDEX does not contain"))
        }
        let check = try library.check()
        #expect(check.findings.contains { $0.table == "ZBOOK" && $0.advice?.contains("REINDEX") == true })
        try library.execute("REINDEX")
        #expect(try Self.subset(path, nil) == 3)
        #expect(try Self.subset(path, ObjectPredicate("title != nil")) == 3)
    }

    /// The number of books and novels in a subset.
    private static func subset(_ path: String, _ condition: ObjectPredicate?) throws -> Int {
        let store = try OddNumbers.open(path)
        var options = SubsetOptions()
        options.selections = [condition.map { .init("Book", where: $0) } ?? .init("Book")]
        let report = try Subset(options: options).run(from: store, into: InMemoryStore(schema: store.schema))
        return report.entities.filter { $0.name == "Book" || $0.name == "Novel" }.reduce(0) { $0 + $1.count }
    }
}

@Suite("Odd numbers") struct OddNumbersLongTests {
    @Test("Stores with odd numbers cause no trap", arguments: 0..<9) func many(part: Int) throws {
        for seed in part * 1000..<part * 1000 + 8 { try OddNumbers.check(seed: UInt64(seed)) }
    }
}

enum OddNumbers {
    private static let columns: [(table: String, columns: [String])] = [
        ("ZAUTHOR", ["Z_PK", "Z_ENT", "Z_OPT"]),
        ("ZBOOK", ["Z_PK", "Z_ENT", "Z_OPT", "ZAUTHOR", "Z_FOK_AUTHOR", "ZBADGE", "ZPAGES"]),
        ("ZBADGE", ["Z_PK", "Z_ENT", "Z_OPT", "ZBOOK", "Z3_BOOK"]),
        ("ZPRIZE", ["Z_PK", "Z_ENT", "Z_OPT", "Z1PRIZES"]), ("ZTAG", ["Z_PK", "Z_ENT", "Z_OPT"]),
        ("Z_3TAGS", ["Z_3BOOKS", "Z_6TAGS", "Z_FOK_6TAGS"]), ("Z_PRIMARYKEY", ["Z_ENT", "Z_SUPER", "Z_MAX"]),
        ("ACHANGE", ["Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]),
        ("ATRANSACTION", ["Z_PK", "Z_ENT", "Z_OPT", "ZAUTHORTS", "ZTIMESTAMP"]),
        ("ATRANSACTIONSTRING", ["Z_PK", "Z_ENT", "Z_OPT"]), ("Z_METADATA", ["Z_VERSION"]),
    ]
    private static let numbers = [
        "-1", "0", "1", "2", "3", "4", "7", "-127", "127", "128", "255", "256", "32768", "65536", "2147483647",
        "2147483648", "-2147483649", "4294967296", "16001", "9223372036854775806", "9223372036854775807",
        "-9223372036854775808", "NULL", "1.5", "1e300", "-1e300", "'x'", "'3'", "x'03'",
    ]

    private static let predicates = [
        "title != nil", "author.name == 'Ann'", "ANY tags.name == nil", "tags.@count > 0", "badge.book.pages > 1",
    ]

    static func open(_ path: String, _ model: ManagedObjectModel? = CheckedLibrary.model) throws -> SQLiteStore {
        var warnings: [Diagnostic] = []
        return try SQLiteStore.openForReading(
            path: path, model: model, busyTimeout: .zero, warnings: &warnings)
    }

    static func check(seed: UInt64) throws {
        let library = try CheckedLibrary()
        let path = library.folder.storePath
        // Writes the history.
        try save(path)
        let sound = library.folder.url.appending(path: "Sound.sqlite").path
        try FileManager.default.copyItem(atPath: path, toPath: sound)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let (table, columns) = Self.columns.randomElement(using: &random),
                let column = columns.randomElement(using: &random), let number = numbers.randomElement(using: &random)
            else { continue }
            let rows = Bool.random(using: &random) ? "" : " WHERE rowid = (SELECT MAX(rowid) FROM \(table))"
            // Violated rules, such as equal keys, are not interesting.
            try? library.execute("UPDATE OR IGNORE \(table) SET \(column) = \(number)\(rows)")
        }
        use(library, sound, "seed \(seed)")
        // With a model that is inferred from the tables.
        try? library.execute("DELETE FROM Z_MODELCACHE")
        use(library, sound, "seed \(seed), inferred")
    }

    private static func use(_ library: CheckedLibrary, _ sound: String, _ comment: String) {
        let path = library.folder.storePath
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch let error as GranaryError {
                if error.code == .internalDefect { Issue.record("\(comment): \(error.message)") }
            } catch {
                Issue.record("\(comment): \(error)")
            }
        }
        attempt { _ = try library.check() }
        attempt { _ = try library.check(nil) }
        attempt { _ = try library.summary() }
        attempt { _ = try library.summary(nil) }
        attempt {
            let isInferred = comment.hasSuffix("inferred")
            let store = try open(path, isInferred ? nil : CheckedLibrary.model)
            let output = library.folder.url.appending(path: "out.json").path
            attempt { _ = try Exporter().run(store, to: .path(output, format: .json, replacing: true)) }
            attempt {
                var options = ExportOptions()
                options.entities = ["Author"]
                options.nested = ["books.tags", "prizes"]
                _ = try Exporter(options: options).run(store, to: .path(output, format: .json, replacing: true))
            }
            for text in predicates {
                attempt {
                    var options = ExportOptions()
                    options.entities = ["Book"]
                    options.predicate = try ObjectPredicate(text)
                    options.sortDescriptors = [
                        ObjectSortDescriptor("author.name"), ObjectSortDescriptor("tags.@count"),
                    ]
                    _ = try Exporter(options: options).run(store, to: .path(output, format: .csv, replacing: true))
                }
            }
            attempt {
                var options = SubsetOptions()
                options.selections = [.init("Author"), .init("Book", where: try ObjectPredicate("pages != 5"))]
                options.depth = 2
                let target = library.folder.url.appending(path: "Subset.sqlite").path
                let subset = try SQLiteStore.create(path: target, schema: store.schema)
                _ = try Subset(options: options).run(from: store, into: subset)
            }
            // Cells of another entity's columns are not compared.
            if isInferred { return }
            attempt { _ = try StoreDiff().run(stores: try open(sound), store) { _ in } }
            attempt { _ = try StoreDiff().run(stores: store, try open(sound)) { _ in } }
            for after in [0, 1, Int64.max] {
                attempt {
                    _ = try store.historyTransactions(
                        after: after, limit: 100, of: StoreIdentity(identifier: store.identifier, schema: store.schema))
                }
            }
        }
        attempt { try save(path) }
    }

    /// Changes objects, lists and links in a context and saves.
    private static func save(_ path: String) throws {
        let container = try PersistentContainer(model: CheckedLibrary.model, store: .sqlite(URL(filePath: path)))
        let context = container.makeContext()
        let author = try context.insert(into: "Author")
        try author.setValue(.string("New"), forKey: "name")
        let books = try context.fetch("Book", where: "TRUEPREDICATE", sort: "title")
        for book in books { try book.setObject(author, forKey: "author") }
        if let book = books.first { try book.setObjects(try context.fetchAll("Tag").reversed(), forKey: "tags") }
        if let book = books.last { try context.delete(book) }
        try context.save()
    }
}
