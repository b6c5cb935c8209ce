import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import GranarySeeding

/// A store with interior pages, overflow pages and indexes, in which bytes are changed. Each way to read it gives the
/// rows and values that SQLite reads from the tables without indexes, or an error.
struct DamagedStore {
    private let library: CheckedLibrary
    private let soundPath: String
    private let sound: [UInt8]
    private static let pageSize = 1024

    init() throws {
        library = try CheckedLibrary()
        try library.execute(
            """
            DELETE FROM ZBOOK; DELETE FROM ZTAG; DELETE FROM Z_3TAGS; DELETE FROM ZBADGE; DELETE FROM ZPRIZE;
            DELETE FROM ZAUTHOR;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'Author ' || i FROM n;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
            INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, Z_FOK_AUTHOR, ZISBN, ZTITLE, ZPAGES, ZPLOT)
            SELECT i * 2, 3 + (i % 3 = 0), 1, i % 50 + 1, i * 1024, 'isbn' || i, 'Title ' || i, i,
            CASE WHEN i % 30 = 0 THEN substr(hex(zeroblob(2000)), 1, 1000 + i) END FROM n;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 6, 1, 'Tag ' || i FROM n;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
            INSERT INTO Z_3TAGS (Z_3BOOKS, Z_6TAGS, Z_FOK_6TAGS) SELECT (i % 700 + 1) * 2, i % 97 + 1, i FROM n;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 2000; PRAGMA page_size = \(Self.pageSize); VACUUM
            """)
        soundPath = library.folder.url.appending(path: "Sound.sqlite").path
        try FileManager.default.copyItem(atPath: library.folder.storePath, toPath: soundPath)
        sound = Array(try Data(contentsOf: URL(filePath: soundPath)))
    }

    /// Changes some bytes, reads the store in every way and compares.
    func check(_ random: inout SeededGenerator) throws {
        var bytes = sound
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let page = Int.random(in: 1..<bytes.count / Self.pageSize, using: &random) * Self.pageSize
            // Half of the changes are in the header and the pointers of a page.
            let end = Bool.random(using: &random) ? 60 : Self.pageSize
            let place = page + Int.random(in: 0..<end, using: &random)
            let change = Int.random(in: 0..<3, using: &random)
            switch change {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] &+= UInt8.random(in: 1...4, using: &random)
            default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
        }
        try Data(bytes).write(to: URL(filePath: library.folder.storePath))
        try compare()
    }

    // MARK: - What SQLite reads

    private struct Book {
        let entity: Int64
        let key: Int64
        let author: Int64
        let values: [String]
    }

    private struct Truth {
        var books: [Book] = []
        var tags: Set<Int64> = []
        var links: Set<[Int64]> = []
        /// Whether a value has another storage class than the column, so that Granary converts it or refuses it.
        var isIrregular = false
    }

    /// Nil if SQLite reports damage.
    private func truth() -> Truth? {
        do {
            let connection = try Connection(path: library.folder.storePath, mode: .readOnly)
            var truth = Truth()
            try Self.each(
                "SELECT Z_ENT, Z_PK, ZAUTHOR, ZTITLE, ZISBN, ZPAGES, ZPLOT, Z_OPT, ZBADGE, Z_FOK_AUTHOR FROM ZBOOK "
                    + "NOT INDEXED", connection
            ) { row in
                let values = (3...6).map { (try? row.string(at: $0)) ?? "NULL" }
                let classes: [StorageClass] = [.integer, .integer, .integer, .text, .text, .integer, .text, .integer]
                for (column, wanted) in classes.enumerated() where row.type(at: column) != wanted {
                    if column >= 3, row.isNull(at: column) { continue }
                    truth.isIrregular = true
                }
                if !row.isNull(at: 8) || row.type(at: 9) != .integer { truth.isIrregular = true }
                truth.books.append(
                    Book(
                        entity: row.integer(at: 0), key: row.integer(at: 1), author: row.integer(at: 2), values: values)
                )
            }
            try Self.each("SELECT Z_ENT, Z_PK, ZNAME FROM ZTAG NOT INDEXED", connection) { row in
                truth.tags.insert(row.integer(at: 1))
                if row.integer(at: 0) != 6 || row.type(at: 0) != .integer { truth.isIrregular = true }
            }
            try Self.each("SELECT Z_3BOOKS, Z_6TAGS, Z_FOK_6TAGS FROM Z_3TAGS NOT INDEXED", connection) { row in
                truth.links.insert([row.integer(at: 0), row.integer(at: 1)])
                if row.type(at: 0) != .integer || row.type(at: 1) != .integer { truth.isIrregular = true }
            }
            try Self.each("SELECT Z_ENT, Z_PK, ZNAME FROM ZAUTHOR NOT INDEXED", connection) { row in
                if row.integer(at: 0) != 1 || row.type(at: 0) != .integer { truth.isIrregular = true }
            }
            return truth
        } catch {
            return nil
        }
    }

    private static func each(_ sql: String, _ connection: Connection, _ body: (Statement) -> Void) throws {
        let statement = try connection.prepare(sql)
        while try statement.step() {
            // Reads all columns, as a shell does.
            for column in 0..<statement.columnCount { _ = try statement.text(at: column) }
            body(statement)
        }
    }

    // MARK: - What Granary reads

    private func compare() throws {
        guard let store = try? open(library.folder.storePath) else { return }
        let truth = truth()
        let books = truth?.books.filter { $0.entity == 3 || $0.entity == 4 }
        let keys = books?.map(\.key).sorted()
        var hasFailed = false
        /// Compares what a way of reading gives.
        func expect<Value: Equatable>(_ way: String, _ expected: Value?, _ body: () throws -> Value) {
            do {
                let value = try body()
                // An irregular value is read by rules of its own.
                if truth?.isIrregular == true { return }
                if value != expected { Issue.record("\(way): other rows than SQLite's") }
            } catch let error as GranaryError where error.code == .refused {
                hasFailed = true
                if !error.message.contains("Z") { Issue.record("\(way): no table is named: \(error.message)") }
            } catch {
                Issue.record("\(way): \(error)")
            }
        }
        let schema = store.schema
        let book = try #require(schema.entity(named: "Book"))
        let author = try #require(schema.entity(named: "Author"))
        let tags = try #require(book.relationship(named: "tags"))
        let written = try #require(author.relationship(named: "books"))
        expect("export", books?.map { "\($0.key) " + $0.values[..<3].joined(separator: " ") }.sorted()) {
            try export(store)
        }
        expect("rows", keys) {
            var found: [Int64] = []
            try store.read(entities: book.family, batchSize: 64) { batch in
                found += batch.rows.map(\.key)
                return true
            }
            return found
        }
        expect("search", books?.filter { (Int($0.values[2]) ?? 0) > 300 }.map(\.key).sorted()) {
            try self.keys(store, book, try ObjectPredicate("pages > 300"))
        }
        expect("sorted search", keys) { try self.keys(store, book, nil, [ObjectSortDescriptor("title")]).sorted() }
        expect("related search", books?.filter { $0.author == 7 }.map(\.key).sorted()) {
            try self.keys(store, book, try ObjectPredicate("author.name == 'Author 7'"))
        }
        expect("count", books.map { $0.filter { $0.entity == 3 }.count }) { try store.count(entity: book.index) }
        let all = (1...702).map { Int64($0 * 2) } + (keys ?? [])
        expect("rows by key", keys) { try store.read(root: book.index, keys: Array(Set(all)).sorted()).rows.map(\.key) }
        expect("links", truth.map { truth in truth.links.filter { truth.tags.contains($0[1]) } }) {
            try links(store, tags, Array(Set(all).union(truth?.links.map { $0[0] } ?? [])))
        }
        expect("foreign keys", truth.map { Set($0.books.map { [$0.author, $0.key] }) }) {
            try links(store, written, Array(Set((1...60).map(Int64.init) + (books?.map(\.author) ?? []))))
        }
        expect("info", books.map(\.count)) {
            let summary = try StoreInspector(path: library.folder.storePath).summary(given: CheckedLibrary.model)
            return summary.entities.filter { $0.name == "Book" || $0.name == "Novel" }.compactMap(\.count).reduce(0, +)
        }
        expect("subset", books.map(\.count)) {
            var options = SubsetOptions()
            options.selections = [.init("Book")]
            let report = try Subset(options: options).run(from: store, into: InMemoryStore(schema: schema))
            return report.entities.filter { $0.name == "Book" || $0.name == "Novel" }.reduce(0) { $0 + $1.count }
        }
        expect("diff", books.map(\.count)) {
            let summary = try StoreDiff().run(stores: try open(soundPath), store) { _ in }
            return summary.entities.filter { $0.name == "Book" || $0.name == "Novel" }
                .reduce(0) { $0 + $1.same + $1.changed + $1.onlyInB }
        }
        if hasFailed, try library.check().errorCount == 0 { Issue.record("store check finds nothing") }
    }

    private func open(_ path: String) throws -> SQLiteStore {
        var warnings: [Diagnostic] = []
        return try SQLiteStore.openForReading(
            path: path, model: CheckedLibrary.model, busyTimeout: .zero, warnings: &warnings)
    }

    private func export(_ store: SQLiteStore) throws -> [String] {
        var options = ExportOptions()
        options.entities = ["Book"]
        options.columns = ["$id", "title", "isbn", "pages"]
        let path = library.folder.url.appending(path: "out.ndjson").path
        _ = try Exporter(options: options).run(store, to: .path(path, format: .ndjson, replacing: true))
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            let id = (row["$id"] as? String ?? "").split(separator: "/p").last ?? ""
            let values = ["title", "isbn", "pages"].map { name in
                row[name].map { $0 is NSNull ? "NULL" : "\($0)" } ?? "NULL"
            }
            return ([String(id)] + values).joined(separator: " ")
        }.sorted()
    }

    private func keys(
        _ store: SQLiteStore, _ entity: Schema.Entity, _ predicate: ObjectPredicate?,
        _ order: [ObjectSortDescriptor] = []
    ) throws -> [Int64] {
        let resolver = PredicateResolver(schema: store.schema, entity: entity)
        let search = StoreSearch(
            entities: entity.family, predicate: try predicate.map { try resolver.resolve($0) }, order: order)
        return try store.reading { try store.keys(search).map(\.key) }
    }

    private func links(
        _ store: SQLiteStore, _ relationship: Schema.Relationship, _ owners: [Int64]
    ) throws -> Set<[Int64]> {
        var found: Set<[Int64]> = []
        try store.readLinks(of: relationship, owners: owners) { found.insert([$0.owner, $0.destination]) }
        return found
    }
}
