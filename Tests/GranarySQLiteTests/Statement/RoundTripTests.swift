import GranaryBase
import GranarySQLite
import TestSupport
import Testing

/// What is bound comes back: type and bytes.
struct RoundTripTests {
    /// The row that holds what `bind` bound. It went through a table, so that the file format takes part.
    private func echo(_ bind: (Statement) throws -> Void) throws -> Statement {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (x)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        try bind(insert)
        try insert.run()
        let row = try connection.prepare("SELECT x FROM t")
        try #require(try row.step())
        return row
    }

    @Test func null() throws {
        let row = try echo { try $0.bindNull(at: 1) }
        #expect(row.type(at: 0) == .null)
        #expect(row.isNull(at: 0))
        #expect(try row.string(at: 0) == nil)
        #expect(try row.text(at: 0).isEmpty)
        #expect(try row.blob(at: 0).isEmpty)
        #expect(row.integer(at: 0) == 0)
    }

    @Test(arguments: [0, 1, -1, 127, 128, -129, 1 << 31, -1 << 47, (1 << 53) + 1, .max, .min] as [Int64])
    func integer(_ value: Int64) throws {
        let row = try echo { try $0.bind(value, at: 1) }
        #expect(row.type(at: 0) == .integer)
        #expect(row.integer(at: 0) == value)
    }

    @Test(
        arguments: [
            0.0, -0.0, 1.5, 0.1, -1, 1e300, .pi, .leastNonzeroMagnitude, -.leastNormalMagnitude,
            .greatestFiniteMagnitude, .infinity, -.infinity, 9_007_199_254_740_992,
        ] as [Double])
    func double(_ value: Double) throws {
        let row = try echo { try $0.bind(value, at: 1) }
        #expect(row.type(at: 0) == .real)
        #expect(row.double(at: 0).bitPattern == value.bitPattern)
    }

    @Test func generatedDoublesKeepTheirBits() throws {
        var generator = SeededGenerator(seed: 7)
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT ?")
        for _ in 0..<2_000 {
            let value = Double(bitPattern: generator.next())
            guard !value.isNaN else { continue }
            try statement.bind(value, at: 1)
            #expect(try statement.step())
            #expect(statement.double(at: 0).bitPattern == value.bitPattern)
            statement.reset()
        }
    }

    @Test(arguments: [Double.nan, -.nan, .signalingNaN])
    func notANumberIsRefused(_ value: Double) throws {
        let statement = try Connection.inMemory().prepare("SELECT ?")
        let error = #expect(throws: SQLiteError.self) { try statement.bind(value, at: 1) }
        #expect(error?.code == .mismatch)
        #expect(error?.message.contains("NaN") == true)
    }

    static let texts: [[UInt8]] = [
        [], [0], Array("a\u{0}b".utf8), Array("plain".utf8), Array("e\u{301} é 日本 🏥".utf8), Array("'\"%_\r\n".utf8),
    ]

    @Test(arguments: texts, [true, false])
    func text(_ value: [UInt8], isBorrowed: Bool) throws {
        try value.withUnsafeBufferPointer { bytes in
            let row = try echo {
                if isBorrowed { try $0.bindBorrowedText(bytes, at: 1) } else { try $0.bindText(bytes, at: 1) }
            }
            #expect(row.type(at: 0) == .text)
            #expect(Array(try row.text(at: 0)) == value)
            #expect(try row.string(at: 0).map { Array($0.utf8) } == value)
        }
    }

    @Test(arguments: texts)
    func string(_ value: [UInt8]) throws {
        let string = String(decoding: value, as: UTF8.self)
        let row = try echo { try $0.bind(string, at: 1) }
        #expect(row.type(at: 0) == .text)
        #expect(Array(try row.text(at: 0)) == value)
    }

    static let blobs: [[UInt8]] = [[], [0], [0xFF, 0xFE, 0, 1]]

    /// One megabyte; no argument of a test, as those are encoded.
    @Test(arguments: [true, false])
    func longValues(isBorrowed: Bool) throws {
        let value = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [0, UInt8(ascii: "y")]
        try value.withUnsafeBufferPointer { bytes in
            let text = try echo {
                if isBorrowed { try $0.bindBorrowedText(bytes, at: 1) } else { try $0.bindText(bytes, at: 1) }
            }
            #expect(Array(try text.text(at: 0)) == value)
            let blob = try echo {
                if isBorrowed { try $0.bindBorrowedBlob(bytes, at: 1) } else { try $0.bindBlob(bytes, at: 1) }
            }
            #expect(Array(try blob.blob(at: 0)) == value)
        }
    }

    @Test(arguments: blobs, [true, false])
    func blob(_ value: [UInt8], isBorrowed: Bool) throws {
        try value.withUnsafeBufferPointer { bytes in
            let row = try echo {
                if isBorrowed { try $0.bindBorrowedBlob(bytes, at: 1) } else { try $0.bindBlob(bytes, at: 1) }
            }
            #expect(row.type(at: 0) == .blob)
            #expect(Array(try row.blob(at: 0)) == value)
        }
    }

    /// A buffer without an address is empty too, and not NULL.
    @Test func emptyBufferWithoutAddress() throws {
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        let statement = try Connection.inMemory().prepare("SELECT typeof(?), typeof(?), typeof(?), typeof(?)")
        try statement.bindText(nothing, at: 1)
        try statement.bindBorrowedText(nothing, at: 2)
        try statement.bindBlob(nothing, at: 3)
        try statement.bindBorrowedBlob(nothing, at: 4)
        #expect(try statement.step())
        #expect(try (0..<4).map { try statement.string(at: $0) } == ["text", "text", "blob", "blob"])
    }

    /// Copied means copied: the bytes may change before the statement runs.
    @Test func copiedBytesMayChange() throws {
        let statement = try Connection.inMemory().prepare("SELECT ?, ?")
        var bytes = Array("before".utf8)
        try bytes.withUnsafeMutableBufferPointer { buffer in
            try statement.bindText(UnsafeBufferPointer(buffer), at: 1)
            try statement.bindBlob(UnsafeBufferPointer(buffer), at: 2)
            buffer.update(repeating: UInt8(ascii: "!"))
        }
        #expect(try statement.step())
        #expect(try statement.string(at: 0) == "before")
        #expect(Array(try statement.blob(at: 1)) == Array("before".utf8))
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x61, 0xE2, 0x82]] as [[UInt8]])
    func invalidTextIsNoString(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            let row = try echo { try $0.bindText(buffer, at: 1) }
            #expect(Array(try row.text(at: 0)) == bytes)
            let error = #expect(throws: SQLiteError.self) { try row.string(at: 0) }
            #expect(error?.code == .corrupt)
            #expect(error?.granaryError.code == .refused)
        }
    }
}
