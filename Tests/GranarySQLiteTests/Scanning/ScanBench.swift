import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// The rows of a table as texts, read by a scan and by a statement.
enum ScanBench {
    /// The rows that were read, and how reading ended.
    struct Reading {
        var rows: [String] = []
        var keys: [Int64] = []
        /// How a scan ended.
        var step: TableScan.Step?
        /// The error that ended a statement.
        var error: SQLiteError?
    }

    /// Reads a table by a scan; nil if the table is not scanned. It is called in a transaction.
    ///
    /// - Parameter during: called once after the first row.
    static func scan(
        _ connection: Connection, _ columns: [String], table: String = "t", during: () throws -> Void = {}
    ) throws -> Reading? {
        guard let key = columns.first,
            let scan = try TableScan(connection, table: table, key: key, columns: columns)
        else { return nil }
        let values = UnsafeMutableBufferPointer<ColumnValue>.allocate(capacity: columns.count)
        values.initialize(repeating: .null)
        defer { values.deallocate() }
        var reading = Reading()
        while true {
            let step = scan.next()
            guard step == .row else {
                reading.step = step
                return reading
            }
            guard scan.read(into: values) else {
                reading.step = .stopped
                return reading
            }
            reading.keys.append(scan.rowID)
            reading.rows.append(text(values))
            if reading.rows.count == 1 { try during() }
        }
    }

    /// Reads the rows after a key by a statement; all rows without one.
    static func select(
        _ connection: Connection, _ columns: [String], table: String = "t", after key: Int64? = nil
    ) -> Reading {
        var reading = Reading()
        let values = UnsafeMutableBufferPointer<ColumnValue>.allocate(capacity: columns.count)
        values.initialize(repeating: .null)
        defer { values.deallocate() }
        let names = columns.map { "\"\($0)\"" }
        let condition = key.map { " WHERE \(names[0]) > \($0)" } ?? ""
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                "SELECT \(names.joined(separator: ", ")) FROM \"\(table)\"\(condition) ORDER BY \(names[0])")
            while try statement.step() {
                try statement.read(into: values)
                reading.keys.append(statement.integer(at: 0))
                reading.rows.append(text(values))
            }
        } catch {
            reading.error = error
        }
        return reading
    }

    /// Compares a scan with a statement, in one transaction.
    static func expectSame(
        _ connection: Connection, _ columns: [String], table: String = "t", _ comment: String = ""
    ) throws {
        try connection.transaction(.deferred) {
            let found = try #require(try scan(connection, columns, table: table), "\(table) \(comment)")
            let expected = select(connection, columns, table: table)
            #expect(expected.error == nil)
            #expect(found.step == .end, "\(table) \(comment)")
            #expect(found.rows == expected.rows, "\(table) \(comment)")
            #expect(found.keys == expected.keys, "\(table) \(comment)")
        }
    }

    /// Whether a table is scanned, in a transaction.
    static func isScanned(_ connection: Connection, _ columns: [String], table: String = "t") throws -> Bool {
        try connection.transaction(.deferred) {
            try TableScan(connection, table: table, key: columns[0], columns: columns) != nil
        }
    }

    private static func text(_ values: UnsafeMutableBufferPointer<ColumnValue>) -> String {
        values.map { value -> String in
            switch value {
            case .null: "null"
            case .integer(let number): "\(number)"
            case .real(let number): "real \(String(number.bitPattern, radix: 16))"
            case .text(let bytes): "text \(hex(bytes))"
            case .blob(let bytes): "blob \(hex(bytes))"
            }
        }.joined(separator: " | ")
    }

    /// The count and the bytes; of a long value a sum that depends on the order.
    private static func hex(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.count > 40 else {
            return "\(bytes.count) " + bytes.map { String($0, radix: 16) }.joined(separator: ",")
        }
        let raw = UnsafeRawBufferPointer(bytes)
        var sum: UInt64 = 7
        var index = 0
        while index + 8 <= raw.count {
            sum = sum &* 1_000_003 &+ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        for byte in raw[index...] { sum = sum &* 31 &+ UInt64(byte) }
        return "\(bytes.count) \(sum)"
    }
}
