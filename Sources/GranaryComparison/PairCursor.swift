import GranaryBase
import GranarySQLite

/// Reads pairs one by one.
final class PairCursor {
    private let statement: Statement

    init(_ statement: Statement, _ entity: Int) throws {
        self.statement = statement
        try statement.bind(Int64(entity), at: 1)
    }

    func next() throws -> (object: Int64, partner: Int64?)? {
        guard try statement.step() else { return nil }
        return (statement.integer(at: 0), statement.isNull(at: 1) ? nil : statement.integer(at: 1))
    }
}
