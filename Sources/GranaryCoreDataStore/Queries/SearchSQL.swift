import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranarySQLite

/// Translates the predicates and orders of searches to SQL, as far as SQL gives exactly the results of the evaluation
/// in memory. Constants become bound parameters.
///
/// A function returns nil for what it cannot translate; the caller then evaluates that part in memory. SQL has three
/// truth values, predicates have two: a condition that is NULL counts as false, and a negation is `IS NOT TRUE`.
/// Related objects are subqueries, so the columns of the searched table stay unambiguous.
final class SearchSQL {
    /// A row that key paths start from: the alias of its table and its entity.
    struct Scope {
        let alias: String
        let entity: Schema.Entity
    }

    /// A parameter of the statement.
    enum Parameter {
        case integer(Int64)
        case real(Double)
        case text([UInt8])
        case blob([UInt8])
        /// A test of text in memory: a predicate on the text as `SELF`.
        case test(ObjectPredicate)
    }

    /// An SQL expression and the kind of its value.
    struct Term {
        enum Kind: Equatable {
            /// A number that SQLite stores as the evaluation in memory sees it.
            case number
            /// A number that SQLite may store as an integer although it is a Double or a Decimal in memory. Only
            /// arithmetic must tell them apart.
            case real
            case text
            case date
            case uuid
            case null
            /// The key of an object of a hierarchy, by the index of its root.
            case object(root: Int)
        }

        let sql: String
        let kind: Kind
        var isConstant = false
        /// Whether it is a column, which is cheap to repeat.
        var isColumn = false
        /// Whether it is a column of small integers, whose sum is the same in any order and cannot overflow.
        var isExactSum = false
    }

    let schema: Schema
    let layout: StoreLayout
    /// The store's UUID: the objects of other stores are not in it.
    let identifier: String
    /// The time of `now()`.
    let now: Date
    private(set) var parameters: [Parameter] = []
    /// The tables that conditions and orders search for related objects.
    var relatedTables: Set<String> = []
    private var aliases = 0
    /// The number of comparisons in the conditions.
    var comparisons = 0
    /// The scopes of the variables of enclosing subqueries.
    var variables: [String: Scope] = [:]

    /// SQLite allows 32,766 parameters in a statement.
    static let parameterLimit = 30_000
    /// SQLite takes quadratic time to compile a condition of many comparisons (12,000 of them 13 s), and fails for
    /// 24,000.
    static let comparisonLimit = 1_000
    /// Larger statements are evaluated in memory.
    static let lengthLimit = 1 << 20

    /// Whether SQL reads the values of a column as they are. A value that is converted when it is read, such as text in
    /// a column of numbers, compares otherwise in SQL.
    let readsAsStored: (_ table: String, _ column: String, _ form: ValueForm) -> Bool

    init(
        schema: Schema, layout: StoreLayout, identifier: String, now: Date,
        readsAsStored: @escaping (_ table: String, _ column: String, _ form: ValueForm) -> Bool
    ) {
        self.now = now
        self.readsAsStored = readsAsStored
        self.schema = schema
        self.layout = layout
        self.identifier = identifier
    }

    /// Runs `body`, and removes its parameters if it has no result.
    func attempt<Result>(_ body: () -> Result?) -> Result? {
        let (count, before) = (parameters.count, comparisons)
        if let result = body(), parameters.count <= Self.parameterLimit { return result }
        parameters.removeSubrange(count...)
        comparisons = before
        return nil
    }

    func removeParameters() { parameters.removeAll() }

    /// Adds a parameter and returns its name.
    func bind(_ parameter: Parameter) -> String {
        parameters.append(parameter)
        return "?\(parameters.count)"
    }

    func newAlias() -> String {
        aliases += 1
        return "t\(aliases)"
    }

    /// The condition for rows of an entity and its subentities.
    static func entityCondition(_ entities: Range<Int>, alias: String) -> String {
        entities.count == 1
            ? "\(alias).Z_ENT = \(entities.lowerBound + 1)"
            : "\(alias).Z_ENT BETWEEN \(entities.lowerBound + 1) AND \(entities.upperBound)"
    }

    /// Joins conditions as a balanced tree, because SQLite limits the depth of an expression to 1000.
    static func joined(_ conditions: ArraySlice<String>, _ word: String) -> String {
        guard conditions.count > 1 else { return conditions.first ?? (word == "AND" ? "1" : "0") }
        let middle = conditions.startIndex + conditions.count / 2
        return "(\(joined(conditions[..<middle], word)) \(word) \(joined(conditions[middle...], word)))"
    }
}
