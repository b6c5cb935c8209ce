import Foundation
import GranaryBase
import GranaryCoordination
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryCoreDataStore
@testable import GranarySQLite

/// Columns that hold another storage class than their attribute's: SQLite's conversions give the values, as they do for
/// Core Data.
@Suite("Values of other storage classes") struct StorageClassTests {
    static let types: [(name: String, type: AttributeType)] = [
        ("small", .integer16), ("middle", .integer32), ("large", .integer64), ("flag", .boolean),
        ("price", .decimal), ("ratio", .double), ("rough", .float), ("day", .date), ("label", .string),
        ("link", .uri), ("mark", .uuid), ("bytes", .binary), ("archive", .transformable),
    ]

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "V",
            types.map {
                $0.type == .transformable
                    ? .attribute($0.name, $0.type, .transformer("App")) : .attribute($0.name, $0.type)
            })
    ])

    /// A store whose columns have no types, so that SQLite changes no value, with one row for each list of literals.
    struct Bench {
        let folder: TemporaryFolder
        let schema: Schema
        let store: SQLiteStore

        init(_ rows: [[String: String]]) throws {
            folder = try TemporaryFolder()
            schema = try StorageClassTests.model.resolved()
            try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
            let connection = try Connection(path: folder.storePath, mode: .readWrite)
            let columns = StorageClassTests.types.map { "Z" + $0.name.uppercased() }
            try connection.execute(
                "DROP TABLE ZV; CREATE TABLE ZV (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + columns.joined(separator: ", ") + ")")
            for (index, row) in rows.enumerated() {
                let names = row.keys.sorted()
                try connection.execute(
                    "INSERT INTO ZV (Z_PK, Z_ENT, Z_OPT, \(names.map { "Z" + $0.uppercased() }.joined(separator: ", "))) "
                        + "VALUES (\(index + 1), 1, 1, \(names.map { row[$0] ?? "" }.joined(separator: ", ")))")
            }
            try connection.close()
            store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        }

        /// The value of an attribute in each row; the message of the error for a value that cannot be read.
        func values(of name: String, _ read: ((inout RowBatch) throws -> Bool) throws -> Void) throws -> [String] {
            let attribute = try #require(schema.entities[0].attributes.first { $0.name == name })
            var found: [String] = []
            try read { batch in
                for row in batch.rows.indices {
                    do {
                        found.append(try batch.value(row: row, of: attribute).map { "\($0)" } ?? "NULL")
                    } catch let error as CellMismatch {
                        found.append("error: " + error.message)
                    }
                }
                return true
            }
            return found
        }

        /// The values as a statement reads them, and as a scan does.
        func check(_ name: String, _ expected: [String]) throws {
            let statement = try values(of: name) { try store.read(entities: 0..<1, batchSize: 2, $0) }
            #expect(statement == expected, "\(name)")
            let scan = try store.reading {
                try values(of: name) { try store.read(entities: 0..<1, batchSize: 2, $0) }
            }
            #expect(scan == expected, "\(name), scanned")
        }
    }

    typealias Case = (attribute: String, literal: String, expected: AttributeValue)

    static let cases: [Case] = [
        ("small", "'12'", .integer(12)), ("small", "' -7 '", .integer(-7)), ("middle", "x'3132'", .integer(12)),
        ("large", "'9223372036854775807'", .integer(.max)), ("large", "3.0", .integer(3)),
        ("flag", "'1'", .boolean(true)), ("flag", "0.0", .boolean(false)), ("flag", "x'30'", .boolean(false)),
        ("price", "x'312E3235'", .decimal(Decimal(string: "1.25") ?? 0)), ("price", "'2.5'", .decimal(2.5)),
        ("price", "3", .decimal(3)),
        ("ratio", "5", .double(5)), ("ratio", "'1.5e3'", .double(1500)), ("ratio", "x'2E35'", .double(0.5)),
        ("rough", "'0.25'", .float(0.25)), ("rough", "4", .float(4)),
        ("day", "'700000000'", .date(Date(timeIntervalSinceReferenceDate: 700_000_000))),
        ("day", "x'302E35'", .date(Date(timeIntervalSinceReferenceDate: 0.5))),
        ("label", "12", .string("12")), ("label", "-1.5", .string("-1.5")), ("label", "1e20", .string("1.0e+20")),
        ("label", "x'4AC3A9'", .string("Jé")), ("label", "x''", .string("")),
        ("link", "x'687474703A2F2F61'", .uri(URL(filePath: "/"))),
        ("mark", "'0123456789abcdef'", .uuid(UUID(uuid: Array("0123456789abcdef".utf8).uuid))),
        ("bytes", "'Grün'", .binary(Data("Grün".utf8))), ("bytes", "''", .binary(Data())),
        ("bytes", "17", .binary(Data("17".utf8))), ("bytes", "0.5", .binary(Data("0.5".utf8))),
        ("archive", "'abc'", .binary(Data("abc".utf8))),
    ]

    @Test("A value is converted as SQLite converts it", arguments: cases.indices)
    func converted(_ index: Int) throws {
        let one = Self.cases[index]
        var expected = one.expected
        if one.attribute == "link" { expected = .uri(try #require(URL(string: "http://a"))) }
        // Between values of the right class, in batches of two.
        let null = [one.attribute: "NULL"]
        let bench = try Bench([null, [one.attribute: one.literal], null, [one.attribute: one.literal], null])
        try bench.check(one.attribute, ["NULL", "\(expected)", "NULL", "\(expected)", "NULL"])
        let attribute = try #require(bench.schema.entities[0].attributes.first { $0.name == one.attribute })
        let read = try bench.store.read(root: 0, keys: [2])
        #expect(try read.value(row: 0, of: attribute) == expected)
    }

    /// SQLite reads a prefix of these texts, or 0: the value would not be the stored one.
    @Test(
        "What no conversion explains stays an error",
        arguments: [
            ("small", "'x'", "text is not an Integer 16"), ("small", "'12 kg'", "text is not an Integer 16"),
            ("small", "''", "text is not an Integer 16"), ("small", "x'80'", "binary data is not an Integer 16"),
            ("large", "'9223372036854775808'", "text is not an Integer 64"),
            ("large", "1.5", "the number 1.5 is not an Integer 64"), ("flag", "'2'", "2 is not a Boolean (0 or 1)"),
            ("flag", "'yes'", "text is not a Boolean"), ("ratio", "'1,5'", "text is not a Double"),
            ("ratio", "'inf'", "text is not a Double"), ("ratio", "'0x10'", "text is not a Double"),
            ("day", "'2024-05-01'", "text is not a Date"), ("price", "'a'", "\"a\" is not a Decimal"),
            ("label", "x'80'", "the text is not valid UTF-8 from its byte 0 on"),
            ("mark", "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", "36 bytes are not a UUID (16 bytes)"),
        ])
    func unexplained(_ attribute: String, _ literal: String, _ message: String) throws {
        try Bench([[attribute: literal]]).check(attribute, ["error: " + message])
    }

    /// The slow counterpart: SQLite's own conversions of random values.
    static func check(seed: UInt64, rows: Int) throws {
        var random = SeededGenerator(seed: seed)
        func literal() -> String {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: "\(Int64.random(in: -1000...1000, using: &random))"
            case 1: "\(Int64.random(in: .min ... .max, using: &random))"
            case 2: "\(Double(Int.random(in: -99_999...99_999, using: &random)) / 8)"
            case 3: "\(Double.random(in: -1e30...1e30, using: &random))"
            case 4: "'\(Int64.random(in: -1000...1000, using: &random))'"
            case 5: "'\(Double(Int.random(in: -9999...9999, using: &random)) / 16)'"
            case 6: "'Grün \(Int.random(in: 0...9, using: &random))'"
            case 7: "'\(Int.random(in: 0...9, using: &random)) kg'"
            default: "NULL"
            }
        }
        let names = ["label", "bytes", "ratio", "large"]
        let bench = try Bench(
            (0..<rows).map { _ in Dictionary(uniqueKeysWithValues: names.map { ($0, literal()) }) })
        let connection = bench.store.connection
        func column(_ name: String, _ sql: String) throws -> [String?] {
            let expression = sql.replacing("$", with: "Z" + name.uppercased())
            let statement = try connection.prepare("SELECT \(expression) FROM ZV ORDER BY Z_PK")
            var found: [String?] = []
            while try statement.step() { found.append(try statement.string(at: 0)) }
            return found
        }
        try bench.check(
            "label", try column("label", "CAST($ AS TEXT)").map { $0.map { "\(AttributeValue.string($0))" } ?? "NULL" })
        try bench.check(
            "bytes",
            try column("bytes", "CAST(CAST($ AS BLOB) AS TEXT)").map {
                $0.map { "\(AttributeValue.binary(Data($0.utf8)))" } ?? "NULL"
            })
        // A comparison turns a text into a number only if the whole text is one; CAST also reads a prefix.
        let ratios = try connection.prepare(
            "SELECT ZRATIO, typeof(ZRATIO) = 'text' AND ZRATIO <> CAST(ZRATIO AS REAL) FROM ZV ORDER BY Z_PK")
        var reals: [String] = []
        while try ratios.step() {
            let isUnexplained = ratios.integer(at: 1) == 1
            // The class is asked for first: `sqlite3_column_double` may change it.
            let isNull = ratios.isNull(at: 0)
            let value = isNull ? "NULL" : "\(AttributeValue.double(ratios.double(at: 0)))"
            reals.append(isUnexplained ? "error: text is not a Double" : value)
        }
        try bench.check("ratio", reals)
        let integers = try column(
            "large",
            """
            iif(typeof($) = 'real' AND CAST($ AS INTEGER) <> $, 'r', iif(CAST(CAST($ AS INTEGER) AS TEXT) = CAST($ AS TEXT)
            OR typeof($) = 'real', CAST($ AS INTEGER), iif($ IS NULL, NULL, 'x')))
            """)
        let found = try bench.values(of: "large") { try bench.store.read(entities: 0..<1, batchSize: 7, $0) }
        for (integer, value) in zip(integers, found) {
            switch integer {
            case nil: #expect(value == "NULL")
            case "r": #expect(value.hasPrefix("error: the number"))
            case "x": #expect(value == "error: text is not an Integer 64")
            case let text?: #expect(value == Int64(text).map { "\(AttributeValue.integer($0))" })
            }
        }
    }

    @Test("Random values are converted as SQLite converts them")
    func random() throws { try Self.check(seed: 1, rows: 60) }

    /// SQL compares a text in a column of numbers as a text, so a search must not leave it to SQL.
    @Test("Searches see the values as they are read")
    func searches() throws {
        let rows = [
            ["large": "5", "label": "'b'", "ratio": "2.5"], ["large": "'7'", "label": "x'61'", "ratio": "'1.5'"],
            ["large": "x'36'", "label": "3", "ratio": "4"], ["large": "NULL", "label": "NULL", "ratio": "NULL"],
        ]
        let store = try Bench(rows).store
        func keys(_ predicate: String, order: String? = nil) throws -> [Int64] {
            let resolver = PredicateResolver(schema: store.schema, entity: store.schema.entities[0])
            let search = StoreSearch(
                entities: 0..<1, predicate: try resolver.resolve(try ObjectPredicate(predicate)),
                order: order.map { [ObjectSortDescriptor($0)] } ?? [])
            #expect(try store.count(search) == store.keys(search).count, "\(predicate)")
            return try store.keys(search).map(\.key)
        }
        #expect(try keys("large == 7") == [2])
        #expect(try keys("large > 5") == [2, 3])
        #expect(try keys("large < 7") == [1, 3])
        #expect(try keys("large IN {6, 7}") == [2, 3])
        #expect(try keys("label == 'a'") == [2])
        #expect(try keys("label BEGINSWITH '3'") == [3])
        #expect(try keys("ratio < 2") == [2])
        #expect(try keys("TRUEPREDICATE", order: "large") == [4, 1, 3, 2])
        #expect(try keys("TRUEPREDICATE", order: "ratio") == [4, 2, 1, 3])
        #expect(try keys("TRUEPREDICATE", order: "label") == [4, 3, 2, 1])
    }

    @Test("A check warns of each property and class with a count")
    func warnings() throws {
        let bench = try Bench([
            ["bytes": "'a'", "label": "'x'"], ["bytes": "x'00'"], ["bytes": "'b'", "large": "'5'"], ["bytes": "7"],
        ])
        let report = try StoreChecker.check(path: bench.folder.storePath, given: Self.model)
        let found = report.findings.filter { $0.advice?.contains("converted") == true }
        #expect(
            found.map(\.diagnostic.message) == [
                "p1: the value is stored as text and read as a Binary; 1 more value is too",
                "p3: the value is stored as text and read as an Integer 64",
                "p4: the value is stored as an integer and read as a Binary",
            ])
        #expect(found.allSatisfy { $0.diagnostic.severity == .warning && $0.table == "ZV" })
    }

    @Test("A check does not say of an error that the value is converted")
    func unexplainedIsNoWarning() throws {
        let rows = [
            ("label", "x'80'"), ("mark", "'short'"), ("flag", "'2'"), ("price", "x'61'"), ("large", "'12 kg'"),
        ]
        let bench = try Bench(rows.map { [$0.0: $0.1] } + [["label": "x'61'"]])
        let report = try StoreChecker.check(path: bench.folder.storePath, given: Self.model)
        let errors = report.findings.filter { $0.diagnostic.severity == .error && $0.diagnostic.property != nil }
        #expect(
            errors.map { "\($0.diagnostic.property ?? "") \($0.key ?? 0)" }
                == rows.enumerated().map { "\($1.0) \($0 + 1)" })
        #expect(
            report.findings.filter { $0.advice?.contains("converted") == true }.map(\.diagnostic.message)
                == ["p6: the value is stored as binary data and read as a String"])
    }
}

/// Many random values.
@Suite struct StorageClassLongTests {
    @Test(arguments: 10..<40)
    func `Random values are converted as SQLite converts them`(_ seed: Int) throws {
        try StorageClassTests.check(seed: UInt64(seed), rows: 300)
    }
}

extension [UInt8] {
    fileprivate var uuid: uuid_t {
        withUnsafeBytes { $0.count == 16 ? $0.loadUnaligned(as: uuid_t.self) : UUID().uuid }
    }
}
