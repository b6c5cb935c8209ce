import GranaryBase
import GranaryPredicates

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
            guard let kind = variables[name] else {
                throw error("the variable $\(Diagnostic.shortened(name)) has no value", at: "$\(name)")
            }
            return (expression, kind)
        case .keyPath(let path):
            let path = schema.plainPath(path, from: .object(entity))
            return (.keyPath(path), try kind(ofPath: path, from: .object(entity)))
        case .path(let path, let operand):
            let inner = try resolved(operand)
            if isGivenObject(operand) { try checkPathOfGivenObject(path) }
            let path = schema.plainPath(path, from: inner.kind)
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

    func resolved(
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
        default:
            throw error("SUBQUERY takes a collection, but \(Self.shown(collection)) is \(kind.phrase)", at: collection)
        }
        var inner = self
        inner.variables[variable] = kind.element
        if isGivenObject(collection) {
            inner.givenObjects.insert(variable)
        } else {
            inner.givenObjects.remove(variable)
        }
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
            default:
                throw error(
                    "\(Self.shown(place)) is \(placeKind.phrase), but an index is a number, FIRST, LAST or SIZE",
                    at: place)
            }
        }
    }

    // MARK: - Key paths

    /// The kind of the value at the end of a key path.
    func kind(ofPath path: String, from start: ExpressionKind) throws(GranaryError) -> ExpressionKind {
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        if keys.first == "SELF", keys.count > 1 { keys.removeFirst() }
        var kind = start
        var followed = 0
        while let key = keys.popFirst() {
            guard !key.isEmpty else { throw error("the key path \(Self.quoted(path)) has an empty key", in: path) }
            if key.hasPrefix("@") {
                kind = try self.kind(ofOperator: key, &keys, on: kind, path, &followed)
            } else {
                kind = try step(key, &keys, from: kind, path)
                try count(kind, &followed, path)
            }
        }
        return kind
    }

    /// The maximum number of relationships of a key path, as for paths of nested objects in an export. The time of a
    /// search grows with the product of the numbers of objects at all steps.
    package static let pathLimit = 32

    private func count(_ kind: ExpressionKind, _ followed: inout Int, _ path: String) throws(GranaryError) {
        guard case .object = kind.element else { return }
        followed += 1
        guard followed > Self.pathLimit else { return }
        throw error(
            "the key path \(Self.quoted(path)) follows more than \(Self.pathLimit) relationships, the limit", in: path)
    }

    private func kind(
        ofOperator name: String, _ keys: inout ArraySlice<String>, on collection: ExpressionKind, _ path: String,
        _ followed: inout Int
    ) throws(GranaryError) -> ExpressionKind {
        guard let operation = CollectionOperator(rawValue: name) else {
            throw error(
                "there is no operator \(Self.quoted(name)) for the key path \(Self.quoted(path))"
                    + NearestText.hint(for: name, in: CollectionOperator.allCases.map(\.rawValue)), in: path)
        }
        switch collection {
        case .list, .null, .unknown: break
        default:
            throw error(
                "the operator \(name) of the key path \(Self.quoted(path)) takes a collection, not "
                    + "\(collection.phrase)\(hint(forOperator: name, keys, on: collection))", in: path)
        }
        if operation == .count {
            guard keys.isEmpty else {
                throw error("the key path \(Self.quoted(path)) continues after @count", in: path)
            }
            return .number
        }
        // The rest of the path leads to the values; another operator ends it.
        var element = collection.element
        while let key = keys.first, !key.hasPrefix("@") {
            keys.removeFirst()
            element = try step(key, &keys, from: element, path).element
            try count(element, &followed, path)
        }
        switch operation {
        case .sum, .average:
            switch element {
            case .number, .null, .unknown: return .number
            default:
                throw error(
                    "the operator \(name) of \(Self.quoted(path)) takes numbers, not \(element.phrase)", in: path)
            }
        case .minimum, .maximum:
            guard element.isOrdered else {
                throw error(
                    "the operator \(name) of \(Self.quoted(path)) takes values, not \(element.phrase)", in: path)
            }
            return element
        case .count, .union, .distinctUnion: return .list(element)
        }
    }

    /// How a path that begins with an operator is written: the operator follows the collection.
    private func hint(
        forOperator name: String, _ keys: ArraySlice<String>, on kind: ExpressionKind
    ) -> String {
        guard case .object(let entity?) = kind, let first = keys.first,
            case .relationship(let index)? = entity.property(named: first), entity.relationships[index].isToMany
        else { return "" }
        let better = ([first, name] + keys.dropFirst()).joined(separator: ".")
        return "; write \(Self.quoted(better))"
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
            throw error(
                "the key path \(Self.quoted(path)) continues after \(kind.phrase) with \(Self.quoted(key))", in: path)
        }
    }

    private func property(
        _ key: String, _ keys: inout ArraySlice<String>, of entity: Schema.Entity, _ path: String
    ) throws(GranaryError) -> ExpressionKind {
        switch entity.property(named: key) {
        case .attribute(let index)?:
            let type = entity.attributes[index].type
            guard type != .transformable || !isRefusing else {
                throw error(
                    "\(Self.quoted(key)) is a Transformable attribute: its value is an archive, which a condition cannot "
                        + "read. Compare it with nil, or filter by another attribute", in: path)
            }
            return ExpressionKind(type)
        case .relationship(let index)?:
            let relationship = entity.relationships[index]
            let destination = ExpressionKind.object(schema.entities[relationship.destination])
            return relationship.isToMany ? .list(destination) : destination
        case nil: break
        }
        if key == "self" || key == "objectID" { return .object(entity) }
        // The leaf of a composite attribute: its name contains points. A longer name than any is not tried.
        var name = key
        var rest = keys
        var points = entity.attributes.lazy.map { $0.name.utf8.count(where: { $0 == UInt8(ascii: ".") }) }.max() ?? 0
        while points > 0, let next = rest.popFirst() {
            points -= 1
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
                    : "\(Self.quoted(key)) is a fetched property, which cannot be compared", in: path)
        }
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let nearest = NearestText.hint(for: key, in: names)
        throw GranaryError(
            .usage,
            "\(entity.name) has no property \(Self.quoted(key)) for the key path \(Self.quoted(path))"
                + (nearest.isEmpty && key == path ? PredicateHints.unknownName(key) : nearest),
            underlying: PredicatePlace(keyPath: path))
    }

    // MARK: - Objects given as values

    /// Whether an expression gives objects that are known by their IDs only. Their properties cannot be read.
    private func isGivenObject(_ expression: ObjectExpression) -> Bool {
        switch expression {
        case .object: true
        case .variable(let name): givenObjects.contains(name)
        case .list(let elements): elements.contains { isGivenObject($0) }
        case .conditional(_, let first, let second): isGivenObject(first) || isGivenObject(second)
        case .element(let collection, .first), .element(let collection, .last), .element(let collection, .at):
            isGivenObject(collection)
        case .combined(let left, _, let right): isGivenObject(left) || isGivenObject(right)
        case .subquery(let collection, _, _): isGivenObject(collection)
        case .element(_, .size), .evaluatedObject, .constant, .null, .keyPath, .path, .function, .method, .className:
            false
        }
    }

    /// Checks a key path from such an object, which can lead to the object itself or count objects only.
    private func checkPathOfGivenObject(_ path: String) throws(GranaryError) {
        let keys = path.split(separator: ".")
        guard keys.contains(where: { $0 != "self" && $0 != "objectID" && !$0.hasPrefix("@") }) else { return }
        throw error(
            "the key path \(Self.quoted(path)) of an object given as a value has no value here; give the value itself",
            in: path)
    }
}
