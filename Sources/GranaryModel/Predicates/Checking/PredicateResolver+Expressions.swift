import GranaryBase

extension PredicateResolver {
    /// Resolves an expression and tells its kind.
    func resolved(
        _ expression: ObjectExpression
    ) throws(GranaryError) -> (expression: ObjectExpression, kind: ExpressionKind) {
        switch expression {
        case .evaluatedObject: return (expression, .object(entity))
        case .constant(let value): return (expression, ExpressionKind(value))
        case .null: return (expression, .null)
        case .object: return (expression, .object(nil))
        case .variable(let name):
            guard let kind = variables[name] else { throw error("the variable $\(name) has no value") }
            return (expression, kind)
        case .keyPath(let path): return (expression, try kind(ofPath: path, from: .object(entity)))
        case .path(let path, let operand):
            let inner = try resolved(operand)
            return (.path(path, of: inner.expression), try kind(ofPath: path, from: inner.kind))
        case .list(let elements):
            let (values, kinds) = try resolved(elements)
            return (.list(values), .list(Self.common(kinds)))
        case .function(let name, let arguments): return try resolved(name, arguments)
        case .method("dateByAddingTimeInterval:", let operand, let arguments):
            let date = try resolved(operand)
            let (values, _) = try resolved(arguments)
            guard values.count == 1 else {
                throw error("the method \"dateByAddingTimeInterval:\" takes one number of seconds")
            }
            return (.method("dateByAddingTimeInterval:", of: date.expression, values), .date)
        case .method(let name, _, _): throw error("the method \(Self.quoted(name)) cannot be called")
        case .className(let name): throw error("the class \(Self.quoted(name)) has no value")
        case .subquery(let collection, let variable, let condition):
            return try subquery(collection, variable, condition)
        case .conditional(let condition, let first, let second):
            let (one, other) = (try resolved(first), try resolved(second))
            return (
                .conditional(try resolve(condition), one.expression, other.expression),
                Self.common([one.kind, other.kind])
            )
        case .element(let collection, let index): return try element(of: collection, index)
        case .combined(let left, let operation, let right):
            let (one, other) = (try resolved(left), try resolved(right))
            return (
                .combined(one.expression, operation, other.expression),
                .list(Self.common([one.kind.element, other.kind.element]))
            )
        }
    }

    private func resolved(
        _ expressions: [ObjectExpression]
    ) throws(GranaryError) -> (expressions: [ObjectExpression], kinds: [ExpressionKind]) {
        var values: [ObjectExpression] = []
        var kinds: [ExpressionKind] = []
        for expression in expressions {
            let (value, kind) = try resolved(expression)
            values.append(value)
            kinds.append(kind)
        }
        return (values, kinds)
    }

    private func subquery(
        _ collection: ObjectExpression, _ variable: String, _ condition: ObjectPredicate
    ) throws(GranaryError) -> (ObjectExpression, ExpressionKind) {
        let (value, kind) = try resolved(collection)
        switch kind {
        case .list, .null, .unknown: break
        default: throw error("SUBQUERY takes a collection, but \(collection) is \(kind.phrase)")
        }
        var inner = self
        inner.variables[variable] = kind.element
        return (.subquery(value, variable: variable, try inner.resolve(condition)), .list(kind.element))
    }

    private func element(
        of collection: ObjectExpression, _ index: ObjectExpression.Index
    ) throws(GranaryError) -> (ObjectExpression, ExpressionKind) {
        let (value, kind) = try resolved(collection)
        switch index {
        case .first, .last: return (.element(of: value, index), kind.element)
        case .size: return (.element(of: value, index), .number)
        case .at(let place):
            let (number, placeKind) = try resolved(place)
            switch placeKind {
            case .number, .unknown, .null: return (.element(of: value, .at(number)), kind.element)
            default: throw error("\(place) is \(placeKind.phrase), but an index is a number, FIRST, LAST or SIZE")
            }
        }
    }

    private func resolved(
        _ name: String, _ arguments: [ObjectExpression]
    ) throws(GranaryError) -> (expression: ObjectExpression, kind: ExpressionKind) {
        guard let counts = PredicateFunction.argumentCounts(of: name) else {
            throw error("there is no function \(Self.quoted(name))")
        }
        guard counts.contains(arguments.count) else {
            let wanted =
                counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "at least \(counts.lowerBound)"
            throw error("the function \(Self.quoted(name)) takes \(wanted) arguments, not \(arguments.count)")
        }
        let (values, kinds) = try resolved(arguments)
        return (.function(name, values), try kind(ofFunction: name, values, kinds))
    }

    private func kind(
        ofFunction name: String, _ arguments: [ObjectExpression], _ kinds: [ExpressionKind]
    ) throws(GranaryError) -> ExpressionKind {
        let first = kinds.first ?? .null
        switch name {
        case "now": return .date
        case "uppercase:", "lowercase:", "canonical:":
            guard first.isText else { throw error("\(name) takes text, but \(arguments[0]) is \(first.phrase)") }
            return .text
        case "noindex:": return first
        case "min:", "max:", "mode:", "objectFrom:withIndex:": return Self.common(kinds.prefix(1).map(\.element))
        case "castObject:toType:":
            guard case .constant(.string(let type))? = arguments.last else { return .unknown }
            switch type {
            case "NSDate": return .date
            case "NSNumber", "NSDecimalNumber": return .number
            case "NSString", "NSURL": return .text
            case "NSUUID": return .uuid
            case "NSData": return .data
            default: throw error("CAST to \(Self.quoted(type)) is not supported")
            }
        case "add:to:", "from:subtract:", "multiply:by:", "divide:by:":
            for (argument, kind) in zip(arguments, kinds) {
                switch kind {
                case .number, .date, .null, .unknown: break
                default: throw error("\(argument) is \(kind.phrase), but arithmetic takes numbers")
                }
            }
            let dates = kinds.count(where: { if case .date = $0 { true } else { false } })
            return dates == 1 ? .date : .number
        default: return .number
        }
    }

    // MARK: - Key paths

    /// The kind of the value at the end of a key path.
    func kind(ofPath path: String, from start: ExpressionKind) throws(GranaryError) -> ExpressionKind {
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        if keys.first == "SELF", keys.count > 1 { keys.removeFirst() }
        var kind = start
        while let key = keys.popFirst() {
            guard !key.isEmpty else { throw error("the key path \(Self.quoted(path)) has an empty key") }
            if key.hasPrefix("@") {
                kind = try self.kind(ofOperator: key, &keys, on: kind, path)
            } else {
                kind = try step(key, &keys, from: kind, path)
            }
        }
        return kind
    }

    private func kind(
        ofOperator name: String, _ keys: inout ArraySlice<String>, on collection: ExpressionKind, _ path: String
    ) throws(GranaryError) -> ExpressionKind {
        let isKnown = ["@count", "@sum", "@avg", "@min", "@max", "@distinctUnionOfObjects", "@unionOfObjects"]
            .contains(name)
        guard isKnown else {
            throw error("there is no operator \(Self.quoted(name)) for the key path \(Self.quoted(path))")
        }
        switch collection {
        case .list, .null, .unknown: break
        default:
            throw error(
                "the operator \(name) of the key path \(Self.quoted(path)) takes a collection, not "
                    + "\(collection.phrase)")
        }
        if name == "@count" {
            guard keys.isEmpty else { throw error("the key path \(Self.quoted(path)) continues after @count") }
            return .number
        }
        // The rest of the path leads to the values; another operator ends it.
        var element = collection.element
        while let key = keys.first, !key.hasPrefix("@") {
            keys.removeFirst()
            element = try step(key, &keys, from: element, path).element
        }
        switch name {
        case "@sum", "@avg":
            switch element {
            case .number, .null, .unknown: return .number
            default: throw error("the operator \(name) of \(Self.quoted(path)) takes numbers, not \(element.phrase)")
            }
        case "@min", "@max":
            guard element.isOrdered else {
                throw error("the operator \(name) of \(Self.quoted(path)) takes values, not \(element.phrase)")
            }
            return element
        default: return .list(element)
        }
    }

    private func step(
        _ key: String, _ keys: inout ArraySlice<String>, from kind: ExpressionKind, _ path: String
    ) throws(GranaryError) -> ExpressionKind {
        switch kind {
        case .null, .unknown: return .unknown
        case .list(let element):
            let next = try step(key, &keys, from: element, path)
            return .list(next.element)
        case .text where key == "length", .data where key == "length": return .number
        case .object(nil): return .unknown
        case .object(let entity?): return try property(key, &keys, of: entity, path)
        default:
            throw error("the key path \(Self.quoted(path)) continues after \(kind.phrase) with \(Self.quoted(key))")
        }
    }

    private func property(
        _ key: String, _ keys: inout ArraySlice<String>, of entity: Schema.Entity, _ path: String
    ) throws(GranaryError) -> ExpressionKind {
        switch entity.property(named: key) {
        case .attribute(let index)?: return ExpressionKind(entity.attributes[index].type)
        case .relationship(let index)?:
            let relationship = entity.relationships[index]
            let destination = ExpressionKind.object(schema.entities[relationship.destination])
            return relationship.isToMany ? .list(destination) : destination
        case nil: break
        }
        if key == "self" || key == "objectID" { return .object(entity) }
        // The leaf of a composite attribute: its name contains points.
        var name = key
        var rest = keys
        while let next = rest.popFirst() {
            name += "." + next
            guard let attribute = entity.attribute(named: name) else { continue }
            keys = rest
            return ExpressionKind(attribute.type)
        }
        if entity.propertyNames.contains(key) {
            let isComposite = entity.attributes.contains { $0.name.hasPrefix(key + ".") }
            throw error(
                isComposite
                    ? "\(Self.quoted(key)) is a composite attribute; name one of its elements"
                    : "\(Self.quoted(key)) is a fetched property, which cannot be compared")
        }
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        throw GranaryError(
            .usage,
            "\(entity.name) has no property \(Self.quoted(key)) for the key path \(Self.quoted(path))"
                + NearestText.hint(for: key, in: names))
    }
}
