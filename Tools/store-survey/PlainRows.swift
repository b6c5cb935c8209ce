import GranarySQLite

/// A value as SQLite returns it.
enum PlainCell {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}

struct PlainRow {
    let key: Int64
    let version: Int64
    let cells: [PlainCell]
}

/// The rows of an entity, in the order of their keys.
final class PlainRows {
    private let statement: Statement
    private var isAtEnd = false

    init(_ store: PlainStore, _ plan: PlainPlan) throws {
        statement = try store.connection.prepare(plan.select)
    }

    func next() throws -> PlainRow? {
        // SQLite would restart the statement.
        guard !isAtEnd else { return nil }
        guard try statement.step() else {
            isAtEnd = true
            return nil
        }
        var cells: [PlainCell] = []
        for index in 2..<max(2, statement.columnCount) { cells.append(try cell(at: index)) }
        return PlainRow(key: statement.integer(at: 0), version: statement.integer(at: 1), cells: cells)
    }

    private func cell(at index: Int) throws -> PlainCell {
        switch statement.type(at: index) {
        case .null: .null
        case .integer: .integer(statement.integer(at: index))
        case .real: .real(statement.double(at: index))
        case .text: .text(Array(try statement.text(at: index)))
        case .blob: .blob(Array(try statement.blob(at: index)))
        }
    }
}
