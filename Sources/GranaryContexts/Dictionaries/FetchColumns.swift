import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The checked columns and groups of a request for dictionaries, as expressions on rows.
struct FetchColumns {
    struct Column {
        let name: String
        /// On a row; for groups on the variables ``FetchColumns/groupVariable(_:)`` and
        /// ``FetchColumns/aggregateVariable(_:)``.
        let expression: ObjectExpression
        let resultType: AttributeType?
    }

    struct Group {
        let name: String
        let expression: ObjectExpression
    }

    private let entity: Schema.Entity
    private let schema: Schema
    private let resolver: PredicateResolver
    private(set) var columns: [Column] = []
    private(set) var groups: [Group] = []
    private(set) var aggregates: [FetchAggregate] = []
    /// Whether a row is a group of objects rather than one object.
    private(set) var isGrouped = false

    static func groupVariable(_ index: Int) -> String { "group \(index)" }
    static func aggregateVariable(_ index: Int) -> String { "aggregate \(index)" }

    /// - Throws: ``GranaryError`` with code `usage` for an invalid column or group.
    init(_ request: FetchRequest<ManagedObject>, entity: Schema.Entity, schema: Schema) throws(GranaryError) {
        self.entity = entity
        self.schema = schema
        resolver = PredicateResolver(schema: schema, entity: entity)
        var chosen = request.propertiesToFetch
        if chosen.isEmpty { chosen = request.propertiesToGroupBy.map(FetchColumn.property) }
        if chosen.isEmpty { chosen = entity.attributes.filter(\.isPersistent).map { .property($0.name) } }
        var named: [ExpressionDescription] = []
        for column in chosen {
            switch column {
            case .property(let path):
                try checkPath(path)
                named.append(ExpressionDescription(path, .keyPath(path)))
            case .expression(let description):
                if description.expression.isTooDeep {
                    throw error("the expression \(Self.quoted(description.name)) is nested too deeply")
                }
                named.append(description)
            }
        }
        let names = named.map(\.name)
        if let double = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw error("there are several columns \(Self.quoted(double))")
        }
        let hasAggregates = named.contains { hasAggregate($0.expression) }
        isGrouped = hasAggregates || !request.propertiesToGroupBy.isEmpty
        for name in request.propertiesToGroupBy { try addGroup(name, named) }
        for description in named {
            let expression: ObjectExpression
            if let index = groups.firstIndex(where: { $0.name == description.name }) {
                expression = .variable(Self.groupVariable(index))
            } else if isGrouped {
                expression = try grouped(description.expression, description.name)
            } else {
                expression = try resolver.resolve(description.expression)
            }
            columns.append(
                Column(name: description.name, expression: expression, resultType: description.resultType))
        }
    }

    private mutating func addGroup(_ name: String, _ named: [ExpressionDescription]) throws(GranaryError) {
        let expression: ObjectExpression
        if let column = named.first(where: { $0.name == name }) {
            guard !hasAggregate(column.expression) else {
                throw error("\(Self.quoted(name)) combines rows, so rows cannot be grouped by it")
            }
            expression = column.expression
        } else {
            try checkPath(name)
            expression = .keyPath(name)
        }
        groups.append(Group(name: name, expression: try resolver.resolve(expression)))
    }

    /// Replaces aggregates and grouped values by variables.
    ///
    /// Recursion is bounded, because deeper expressions were refused.
    private mutating func grouped(
        _ expression: ObjectExpression, _ name: String
    ) throws(GranaryError) -> ObjectExpression {
        if let index = groups.firstIndex(where: { $0.expression == expression }) {
            return .variable(Self.groupVariable(index))
        }
        if var aggregate = rowAggregate(expression) {
            if let argument = aggregate.argument {
                aggregate = FetchAggregate(
                    function: aggregate.function, argument: try checked(argument, of: aggregate.function))
            }
            return variable(for: aggregate)
        }
        if let aggregate = combinedAggregate(expression) {
            _ = try resolver.resolve(expression)
            return variable(for: aggregate)
        }
        switch expression {
        case .constant, .null, .object: return expression
        case .function(let function, let arguments):
            var replaced: [ObjectExpression] = []
            for argument in arguments { replaced.append(try grouped(argument, name)) }
            return .function(function, replaced)
        default:
            throw error(
                "\(Self.quoted(name)) differs between the rows of a group; group by it, or combine its values with "
                    + "sum:, average:, min:, max: or count:")
        }
    }

    private mutating func variable(for aggregate: FetchAggregate) -> ObjectExpression {
        let index = aggregates.firstIndex(of: aggregate) ?? aggregates.count
        if index == aggregates.count { aggregates.append(aggregate) }
        return .variable(Self.aggregateVariable(index))
    }

    /// The aggregate over rows that combines the aggregates over a collection of each row: `languages.@count` of a
    /// group is the sum of the counts of its rows, as if their collections were one. Averages cannot be combined in
    /// this way.
    private func combinedAggregate(_ expression: ObjectExpression) -> FetchAggregate? {
        guard case .keyPath(let path) = expression,
            let name = path.split(separator: ".").first(where: { $0.hasPrefix("@") }), !path.hasPrefix("@")
        else { return nil }
        let function: FetchAggregate.Function
        switch name {
        case "@count", "@sum": function = .sum
        case "@min": function = .minimum
        case "@max": function = .maximum
        default: return nil
        }
        return FetchAggregate(function: function, argument: expression)
    }

    private func hasAggregate(_ expression: ObjectExpression) -> Bool {
        if rowAggregate(expression) != nil { return true }
        if case .function(_, let arguments) = expression { return arguments.contains { hasAggregate($0) } }
        return false
    }

    /// The aggregate over rows that an expression is; nil for an aggregate over a collection of one row.
    private func rowAggregate(_ expression: ObjectExpression) -> FetchAggregate? {
        switch expression {
        case .keyPath("@count"): return FetchAggregate(function: .count, argument: nil)
        case .keyPath(let path) where path.hasPrefix("@"):
            let parts = path.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let function = FetchAggregate.Function(keyPathOperator: parts[0]) else {
                return nil
            }
            return FetchAggregate(function: function, argument: .keyPath(String(parts[1])))
        case .function(let name, let arguments):
            guard arguments.count == 1, let function = FetchAggregate.Function(rawValue: name),
                !isCollection(arguments[0])
            else { return nil }
            if function == .count, arguments[0] == .evaluatedObject {
                return FetchAggregate(function: .count, argument: nil)
            }
            return FetchAggregate(function: function, argument: arguments[0])
        default: return nil
        }
    }

    private func checked(
        _ argument: ObjectExpression, of function: FetchAggregate.Function
    ) throws(GranaryError) -> ObjectExpression {
        guard !hasAggregate(argument) else { throw error("\(function.rawValue) cannot combine another aggregate") }
        let resolved = try resolver.resolve(argument)
        guard function == .sum || function == .average, case .keyPath(let path) = argument,
            let type = attribute(path)?.type, !Self.numbers.contains(type)
        else { return resolved }
        throw error("\(function.rawValue) takes numbers, but \(Self.quoted(path)) is \(type.phrase)")
    }

    private static let numbers: Set<AttributeType> = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .undefined,
    ]

    // MARK: - Key paths

    private func isCollection(_ expression: ObjectExpression) -> Bool {
        switch expression {
        case .list, .subquery, .combined: true
        case .keyPath(let path): toManyName(path) != nil
        default: false
        }
    }

    /// - Throws: ``GranaryError`` with code `usage` if a column would have several values.
    private func checkPath(_ path: String) throws(GranaryError) {
        if let leaf = attribute(path), !leaf.isPersistent {
            throw error("the column \(Self.quoted(path)) is transient: stores do not have it")
        }
        guard let name = toManyName(path) else { return }
        throw error(
            "the column \(Self.quoted(path)) has several values, because \(name) is to-many; count them with "
                + "\(Self.quoted(name + ".@count")) in an expression")
    }

    /// The to-many relationship on a path; nil if there is none, or the values of the path are combined to one.
    private func toManyName(_ path: String) -> String? {
        var entity = entity
        var found: String?
        for key in path.split(separator: ".").map(String.init) {
            if ["@count", "@sum", "@avg", "@min", "@max"].contains(key) { return nil }
            guard let relationship = entity.relationship(named: key) else { continue }
            if relationship.isToMany, found == nil { found = key }
            entity = schema.entities[relationship.destination]
        }
        return found
    }

    /// The attribute at the end of a path; nil for anything else.
    private func attribute(_ path: String) -> Schema.Attribute? {
        var entity = entity
        var keys = path.split(separator: ".").map(String.init)[...]
        while let key = keys.first, let relationship = entity.relationship(named: key) {
            entity = schema.entities[relationship.destination]
            keys.removeFirst()
        }
        return entity.attribute(named: keys.joined(separator: "."))
    }

    // MARK: - Conditions on groups

    /// Returns a condition on groups with its properties as variables.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a property that is not grouped, an aggregate, or an unknown
    ///   variable.
    func condition(_ predicate: ObjectPredicate) throws(GranaryError) -> ObjectPredicate {
        guard isGrouped else { throw error("havingPredicate needs groups or aggregates") }
        if predicate.isTooDeep { throw error("havingPredicate is nested too deeply") }
        let columnNames = columns.map(\.name)
        return try predicate.mapping { (expression) throws(GranaryError) -> ObjectExpression in
            switch expression {
            case .keyPath(let path):
                guard let index = groups.firstIndex(where: { $0.name == path }) else {
                    throw error(
                        "havingPredicate: \(Self.quoted(path)) is no property of the groups"
                            + (columnNames.contains(path) ? "; write the column as $\(path)" : ""))
                }
                return .variable(Self.groupVariable(index))
            case .variable(let name):
                guard columnNames.contains(name) else {
                    throw error(
                        "havingPredicate: there is no column for the variable $\(name)"
                            + NearestText.hint(for: name, in: columnNames))
                }
                return expression
            case .function(let name, _) where FetchAggregate.Function(rawValue: name) != nil:
                throw error(
                    "havingPredicate: name the result of \(name) in propertiesToFetch, and use the name as a variable")
            case .subquery, .evaluatedObject:
                throw error("havingPredicate cannot use the objects of a group")
            default: return expression
            }
        }
    }

    func error(_ message: String) -> GranaryError { GranaryError(.usage, "\(entity.name): \(message)") }

    static func quoted(_ text: String) -> String { "\"\(Diagnostic.shortened(text))\"" }
}
