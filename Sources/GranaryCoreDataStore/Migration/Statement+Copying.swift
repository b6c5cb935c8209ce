import GranaryCoordination
import GranarySQLite

extension Statement {
    /// Binds the value of another statement's column.
    func bind(column: Int, of other: Statement, at parameter: Int) throws {
        switch other.type(at: column) {
        case .null: try bind(nil as Int64?, at: parameter)
        case .integer: try bind(other.integer(at: column), at: parameter)
        case .real: try bind(other.double(at: column), at: parameter)
        case .text: try bind(try other.string(at: column) ?? "", at: parameter)
        case .blob: try bind(blob: Array(try other.blob(at: column)), at: parameter)
        }
    }
}
