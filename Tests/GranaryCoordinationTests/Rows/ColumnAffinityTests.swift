import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// Compares `RowBatch`, which predicts the value that a column stores, with SQLite.
@Suite("Values stored in columns") struct ColumnAffinityTests {
    /// A number in SQLite's form.
    private enum Kept: Equatable {
        case integer(Int64)
        /// The bits of a double: -0.0 is not 0.0.
        case real(UInt64)
    }

    private struct NotANumber: Error {}

    private func kept(_ cell: StoredCell) throws -> Kept {
        switch cell {
        case .integer(let value): return .integer(value)
        case .real(let value): return .real(value.bitPattern)
        default: throw NotANumber()
        }
    }

    /// Writes a double to a column with a declared type and reads it back.
    private func twin(_ connection: Connection, _ value: Double, column: String) throws -> Kept {
        let insert = try connection.prepare("INSERT INTO t (\(column)) VALUES (?)")
        try insert.bind(value, at: 1)
        try insert.run()
        let select = try connection.prepare("SELECT \(column) FROM t WHERE rowid = last_insert_rowid()")
        #expect(try select.step())
        return select.type(at: 0) == .integer
            ? .integer(select.integer(at: 0)) : .real(select.double(at: 0).bitPattern)
    }

    private static let edges: [Double] =
        [
            0, -0.0, 1, -1, 0.5, 0.1, 1e15, 1e18, 9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_994,
            9.2e18, 9_223_372_036_854_774_784, 9_223_372_036_854_775_808, 1e19, 1e20, 1e300,
            .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .ulpOfOne,
        ].flatMap { [$0, -$0] }

    /// Limits, integers of every size, and random bits of finite numbers.
    private static let numbers: [Double] = {
        var generator = SeededGenerator(seed: 7)
        var numbers = edges
        for _ in 0..<1_000 {
            numbers.append(Double(Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<63, using: &generator)))
            let any = Double(bitPattern: generator.next())
            if any.isFinite { numbers.append(any) }
            numbers.append(Double.random(in: -1e9...1e9, using: &generator))
        }
        return numbers
    }()

    private func database() throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (d TIMESTAMP, f FLOAT, n DECIMAL); BEGIN")
        return connection
    }

    @Test("A date with whole seconds is stored as an integer")
    func dates() throws {
        let connection = try database()
        var batch = RowBatch()
        for value in Self.numbers {
            let ours = try kept(batch.cell(for: .date(value)))
            let theirs = try twin(connection, value, column: "d")
            #expect(ours == theirs, "\(value)")
        }
    }

    @Test("Doubles and floats are stored as REAL; negative zero loses its sign")
    func reals() throws {
        let connection = try database()
        var batch = RowBatch()
        for value in Self.numbers {
            let ours = try kept(batch.cell(for: .double(value)))
            let theirs = try twin(connection, value, column: "f")
            #expect(ours == theirs, "\(value)")
            let single = Float(value)
            guard single.isFinite else { continue }
            let oursSingle = try kept(batch.cell(for: .float(single)))
            let theirsSingle = try twin(connection, Double(single), column: "f")
            #expect(oursSingle == theirsSingle, "\(single)")
        }
    }

    @Test("A Decimal is stored as an integer or an exact double; otherwise its digits are reported")
    func decimals() throws {
        let connection = try database()
        var batch = RowBatch()
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<3_000 {
            let count = Int.random(in: 1...38, using: &generator)
            var mantissa: UInt128 = 0
            for _ in 0..<count { mantissa = mantissa * 10 + UInt128(generator.next() % 10) }
            let number = try #require(
                ExactDecimal(
                    isNegative: Bool.random(using: &generator), mantissa: mantissa,
                    exponent: Int.random(in: -40...20, using: &generator)))
            let cell = batch.cell(for: .decimal(number))
            switch cell {
            case .integer(let value): #expect(ExactDecimal(value) == number)
            case .real(let value):
                let theirs = try twin(connection, value, column: "n")
                #expect(try kept(cell) == theirs)
                #expect(ExactDecimal(shortest: value) == number)
            case .decimal(let start, let length):
                // Refused correctly: the nearest double is another number.
                #expect(ExactDecimal(shortest: number.nearestDouble) != number)
                let digits = try batch.lend(start, length) { try DecimalText.parse($0) }
                #expect(digits == number)
            default: Issue.record("\(cell)")
            }
        }
    }

    @Test(
        "Decimals at the limits",
        arguments: [
            ("0.1", "real"), ("-0", "integer"), ("9223372036854775807", "integer"),
            ("-9223372036854775808", "integer"), ("9223372036854775808", "decimal"), ("100000000000000000000", "real"),
            ("123456789012345.6", "real"), ("0.1234567890123456789", "decimal"),
            ("99999999999999999999999999999999999999", "decimal"), ("1e-128", "real"),
        ])
    func decimalBorders(_ text: String, _ kind: String) throws {
        var batch = RowBatch()
        let number = try Array(text.utf8).withUnsafeBufferPointer { try DecimalText.parse($0) }
        let found =
            switch batch.cell(for: .decimal(number)) {
            case .integer: "integer"
            case .real: "real"
            case .decimal: "decimal"
            default: "other"
            }
        #expect(found == kind)
    }

    @Test("Removing a row does not change the others")
    func removedRow() {
        var batch = RowBatch()
        let first = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 2)
        batch.set(.integer(5), row: first, slot: 1)
        batch.appendRow(entity: 1, key: 2, version: 1, slotCount: 3)
        batch.removeLastRow()
        #expect(batch.rows.count == 1)
        #expect(batch.cells == [.null, .integer(5)])
        batch.removeLastRow()
        batch.removeLastRow()
        #expect(batch.isEmpty && batch.cells.isEmpty)
    }
}
