import GranaryBase
public import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// One dictionary of a fetch: values by the names of the columns.
///
/// ```swift
/// for row in try context.fetchDictionaries(request) {
///     let total: Decimal? = try row[AttributeKey("total")]
///     print(row["name"], row.objectID("department"), total)
/// }
/// ```
public struct FetchedRow: Sendable, Hashable {
    private let rows: FetchedRows
    private let index: Int

    init(_ rows: FetchedRows, _ index: Int) {
        self.rows = rows
        self.index = index
    }

    /// The names of the columns, in the order of the request.
    public var names: [String] { rows.names }
    /// The values of the columns. No value is a list of objects.
    public var values: [PropertyValue] { names.indices.map { rows.value(index, $0) } }

    public static func == (left: FetchedRow, right: FetchedRow) -> Bool {
        left.names == right.names && left.values == right.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(names)
        hasher.combine(values)
    }

    /// The attribute value or computed value of a column; nil for NULL, for an object, and if there is no such column.
    public subscript(name: String) -> AttributeValue? {
        if case .attribute(let value)? = column(name) { value } else { nil }
    }

    /// The value of a column in its Swift type; nil for NULL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if there is no such column, or its value is not of the key's type.
    public subscript<Value>(key: AttributeKey<Value>) -> Value? {
        get throws {
            guard case .attribute(let found)? = column(key.name) else {
                throw GranaryError(.usage, "the rows have no column of values \"\(Diagnostic.shortened(key.name))\"")
            }
            guard let value = found else { return nil }
            guard let result = Value(value) else {
                throw GranaryError(.usage, "\(key.name) holds \(value.phrase), which is not a \(Value.self)")
            }
            return result
        }
    }

    /// The object of a column that is a to-one relationship; nil for none, and if there is no such column.
    public func objectID(_ name: String) -> ManagedObjectID? {
        if case .object(let id)? = column(name) { id } else { nil }
    }

    /// The values by name, without NULLs, as Core Data returns them.
    public var dictionary: [String: PropertyValue] {
        var result: [String: PropertyValue] = [:]
        for (name, value) in zip(names, values) where !value.isNull { result[name] = value }
        return result
    }

    private func column(_ name: String) -> PropertyValue? {
        names.firstIndex(of: name).map { rows.value(index, $0) }
    }
}

extension PropertyValue {
    var isNull: Bool { self == .attribute(nil) || self == .object(nil) }

    /// The attribute value; nil for NULL and objects.
    var attribute: AttributeValue? {
        if case .attribute(let value) = self { value } else { nil }
    }

    /// The value as a constant.
    var expression: ObjectExpression {
        switch self {
        case .attribute(let value): value.map(ObjectExpression.constant) ?? .null
        case .object(let id): id.map { .object($0.predicateReference) } ?? .null
        case .objects(let ids): .list(ids.map { .object($0.predicateReference) })
        }
    }

    /// A number in another type; other values, and numbers out of range, are unchanged.
    func converted(to type: AttributeType?) -> PropertyValue {
        guard let type, case .attribute(let value?) = self, let number = value.doubleValue else { return self }
        let converted: AttributeValue?
        switch type {
        case .integer16, .integer32, .integer64:
            converted = (value.int64Value ?? Int64(exactly: number.rounded(.towardZero))).map(AttributeValue.integer)
        case .double: converted = .double(number)
        case .float: converted = .float(Float(number))
        case .decimal: converted = value.decimalValue.map(AttributeValue.decimal)
        case .boolean: converted = .boolean(number != 0)
        default: converted = nil
        }
        return .attribute(converted.flatMap { $0.fits(type) ? $0 : nil } ?? value)
    }
}

extension FetchedRow: CustomStringConvertible {
    /// The columns in the format language of predicates: `name: "Ann", salary: 1200, department: nil`.
    public var description: String {
        zip(names, values).map { "\($0): \($1.expression)" }.joined(separator: ", ")
    }
}
