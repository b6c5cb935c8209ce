import Foundation
import GranaryBase
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
        var changes: [String] = []
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
            changes.append("\(place) to \(bytes[place])")
        }
        try Data(bytes).write(to: URL(filePath: library.folder.storePath))
        try compare(changes.joined(separator: ", "))
    }

    /// Makes the header of a record longer, so that another byte is its entity number and its texts end behind it.
    func checkLongHeader() throws {
        var bytes = sound
        // Before the texts there are the header and 7 bytes of numbers.
        let place = try #require(sound.firstRange(of: Array("isbn699Title 699".utf8))?.lowerBound) - 19
        try #require(bytes[place] == 12)
        bytes[place] = 13
        try Data(bytes).write(to: URL(filePath: library.folder.storePath))
        try compare("a longer header")
    }

    /// Exchanges two cells of a page, so that their keys do not ascend.
    func checkKeyOrder() throws {
        var bytes = sound
        let place = try #require(sound.firstRange(of: Array("isbn699Title 699".utf8))?.lowerBound)
        let pointers = place / Self.pageSize * Self.pageSize + 8
        for byte in 0..<2 { bytes.swapAt(pointers + byte, pointers + 2 + byte) }
        try Data(bytes).write(to: URL(filePath: library.folder.storePath))
        try compare("exchanged cells")
    }

    // MARK: - What SQLite reads

    /// The values of a row as texts, without NULL.
    private struct Row {
        var values: [String: String] = [:]

        subscript(_ column: String) -> String { values[column] ?? "NULL" }
        func number(_ column: String) -> Int64 { Int64(self[column]) ?? 0 }
        var key: Int64 { number("Z_PK") }
    }

    /// Some columns of a table.
    private struct Table {
        var rows: [Row] = []
        /// Whether each value has the storage class of its column. Granary converts or refuses others.
        var isRegular = true

        var keys: [Int64] { rows.map(\.key).sorted() }
    }

    private static let texts: Set = ["ZTITLE", "ZISBN", "ZPLOT", "ZNAME"]
    private static let optional = texts.union(["ZPAGES", "ZBADGE"])

    /// Some columns of a table without its indexes, each value as a text, as a shell reads them; nil if SQLite reports
    /// damage.
    private func table(_ name: String, _ columns: [String]) -> Table? {
        do {
            let connection = try Connection(path: library.folder.storePath, mode: .readOnly)
            // The default of SQLite. With the check, it refuses some pages whose rows it can read.
            try connection.execute("PRAGMA cell_size_check=OFF")
            let statement = try connection.prepare(
                "SELECT \(columns.joined(separator: ", ")) FROM \(name) NOT INDEXED")
            var table = Table()
            while try statement.step() {
                var row = Row()
                for (place, column) in columns.enumerated() {
                    if statement.isNull(at: place), Self.optional.contains(column) { continue }
                    let isText = Self.texts.contains(column)
                    if statement.type(at: place) != (isText ? .text : .integer) { table.isRegular = false }
                    row.values[column] = String(decoding: try statement.text(at: place), as: UTF8.self)
                }
                table.rows.append(row)
            }
            return table
        } catch {
            return nil
        }
    }

    /// The books and novels.
    private func books(_ columns: String...) -> Table? {
        var books = table("ZBOOK", ["Z_PK", "Z_ENT"] + columns)
        books?.rows.removeAll { $0["Z_ENT"] != "3" && $0["Z_ENT"] != "4" }
        return books
    }

    // MARK: - What Granary reads

    /// What the message of an error has: a table, an object, or the rule that rows of a subset break.
    private static let places = [
        "ZAUTHOR", "ZBADGE", "ZBOOK", "ZPRIZE", "ZTAG", "Z_3TAGS", "Z_PRIMARYKEY", "Z_METADATA", "ACHANGE",
        "ATRANSACTION", "Book/p", "Novel/p", "must be unique",
    ]

    private func compare(_ change: String) throws {
        guard let schema = try? open(library.folder.storePath).schema else { return }
        var hasFailed = false
        /// Compares what a way of reading gives with what SQLite reads from the tables; nil for a damaged one, which
        /// must be refused.
        func expect<Value: Equatable>(
            _ way: String, _ tables: Table?..., is expected: ([Table]) -> Value, _ body: (SQLiteStore) throws -> Value
        ) {
            do {
                // SQLite does not report a damaged page again to the same connection.
                let value = try body(try open(library.folder.storePath))
                let read = tables.compactMap { $0 }
                if read.count < tables.count {
                    Issue.record("\(change): \(way): no error")
                } else if read.allSatisfy(\.isRegular), value != expected(read) {
                    Issue.record("\(change): \(way): other rows than SQLite's")
                }
            } catch let error as GranaryError where error.code == .refused {
                hasFailed = true
                if !Self.places.contains(where: error.message.contains) {
                    Issue.record("\(change): \(way): no table: \(error.message)")
                }
            } catch {
                Issue.record("\(change): \(way): \(error)")
            }
        }
        let book = try #require(schema.entity(named: "Book"))
        let author = try #require(schema.entity(named: "Author"))
        let tags = try #require(book.relationship(named: "tags"))
        let written = try #require(author.relationship(named: "books"))
        let keyed = books()
        let paged = books("ZPAGES")
        let whole = books("Z_OPT", "ZPAGES", "ZAUTHOR", "ZBADGE", "Z_FOK_AUTHOR", "ZISBN", "ZTITLE", "ZPLOT")
        let authors = table("ZAUTHOR", ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
        let tagged = table("ZTAG", ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
        let joined = table("Z_3TAGS", ["Z_3BOOKS", "Z_6TAGS", "Z_FOK_6TAGS"])
        let wanted = Array(Set((1...702).map { Int64($0 * 2) } + (keyed?.keys ?? []))).sorted()

        let exported = books("ZTITLE", "ZISBN", "ZPAGES")
        expect("export", exported) { tables in
            tables[0].rows.map { "\($0.key) \($0["ZTITLE"]) \($0["ZISBN"]) \($0["ZPAGES"])" }.sorted()
        } _: { store in
            try export(store)
        }
        expect("rows", whole) {
            $0[0].keys
        } _: { store in
            var found: [Int64] = []
            try store.read(entities: book.family, batchSize: 64) { batch in
                found += batch.rows.map(\.key)
                return true
            }
            return found
        }
        expect("search", paged) { tables in
            tables[0].rows.filter { $0.number("ZPAGES") > 300 }.map(\.key).sorted()
        } _: { store in
            try keys(store, book, try ObjectPredicate("pages > 300"))
        }
        expect("sorted search", books("ZTITLE")) {
            $0[0].keys
        } _: { store in
            try keys(store, book, nil, [ObjectSortDescriptor("title")]).sorted()
        }
        expect("related search", books("ZAUTHOR"), authors) { tables in
            let found = Set(tables[1].rows.filter { $0["ZNAME"] == "Author 7" }.map(\.key))
            return tables[0].rows.filter { found.contains($0.number("ZAUTHOR")) }.map(\.key).sorted()
        } _: { store in
            try keys(store, book, try ObjectPredicate("author.name == 'Author 7'"))
        }
        expect("count", keyed) {
            $0[0].rows.count { $0["Z_ENT"] == "3" }
        } _: {
            try $0.count(entity: book.index)
        }
        expect("rows by key", whole) {
            $0[0].keys
        } _: { store in
            try store.read(root: book.index, keys: wanted).rows.map(\.key)
        }
        expect("links", joined, table("ZTAG", ["Z_PK", "Z_ENT"])) { tables in
            let found = Set(tables[1].keys)
            return Set(tables[0].rows.map { [$0.number("Z_3BOOKS"), $0.number("Z_6TAGS")] })
                .filter { found.contains($0[1]) }
        } _: { store in
            try links(store, tags, wanted + (joined?.rows.map { $0.number("Z_3BOOKS") } ?? []))
        }
        let owned = books("ZAUTHOR", "Z_FOK_AUTHOR")
        expect("foreign keys", owned) { tables in
            Set(tables[0].rows.map { [$0.number("ZAUTHOR"), $0.key] })
        } _: { store in
            try links(store, written, (1...60).map(Int64.init) + (owned?.rows.map { $0.number("ZAUTHOR") } ?? []))
        }
        expect("info", keyed) {
            $0[0].rows.count
        } _: { _ in
            let summary = try StoreInspector(path: library.folder.storePath).summary(given: CheckedLibrary.model)
            return summary.entities.filter { $0.name == "Book" || $0.name == "Novel" }.compactMap(\.count).reduce(0, +)
        }
        expect("subset", whole) {
            $0[0].rows.count
        } _: { store in
            var options = SubsetOptions()
            options.selections = [.init("Book")]
            let report = try Subset(options: options).run(from: store, into: InMemoryStore(schema: schema))
            return report.entities.filter { $0.name == "Book" || $0.name == "Novel" }.reduce(0) { $0 + $1.count }
        }
        expect("diff", whole, authors, tagged, joined) {
            $0[0].rows.count
        } _: { store in
            let summary = try StoreDiff().run(stores: try open(soundPath), store) { _ in }
            return summary.entities.filter { $0.name == "Book" || $0.name == "Novel" }
                .reduce(0) { $0 + $1.same + $1.changed + $1.onlyInB }
        }
        if hasFailed, try library.check().errorCount == 0 { Issue.record("\(change): store check finds nothing") }
    }

    private func open(_ path: String) throws -> SQLiteStore {
        var warnings: [Diagnostic] = []
        return try SQLiteStore.openForReading(
            path: path, model: CheckedLibrary.model, busyTimeout: .zero, warnings: &warnings)
    }

    private func export(_ store: SQLiteStore) throws -> [String] {
        var options = ExportOptions()
        options.entities = ["Book"]
        options.combinesSubentities = true
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
