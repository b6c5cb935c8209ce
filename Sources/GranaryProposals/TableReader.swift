import Foundation
import GranaryBase
import GranaryFormats
import GranarySQLite

/// The rows of a table of a database as records.
final class TableReader: RecordReader {
    let sourceName: String
    let columns: [String]
    private let statement: Statement
    private var number = 0

    init(_ connection: Connection, table: String, columns: [String], name: String) throws(GranaryError) {
        sourceName = name
        self.columns = columns
        let list = columns.map(SQL.quoteIdentifier).joined(separator: ", ")
        statement = try converting { try connection.prepare("SELECT \(list) FROM \(SQL.quoteIdentifier(table))") }
    }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        guard try converting({ try statement.step() }) else { return .end }
        number += 1
        record.begin(number: number, line: number)
        for column in columns.indices {
            let value: RecordValue
            switch statement.type(at: column) {
            case .null: value = .null
            case .integer: value = .integer(statement.integer(at: column))
            case .real: value = .double(statement.double(at: column))
            case .text: value = .text(try converting { try statement.string(at: column) } ?? "")
            case .blob:
                // Only the kind is of interest.
                value = .binary(Data())
            }
            try record.append(.value(value), column: column)
        }
        return .record
    }
}
