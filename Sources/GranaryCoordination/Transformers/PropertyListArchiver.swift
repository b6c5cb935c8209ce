import Foundation
import GranaryBase
import GranaryPropertyLists

/// Encodes Swift values of property-list classes as a keyed archive.
enum PropertyListArchiver {
    private enum Kind {
        case array, set
        case dictionary(keys: [KeyedArchiveTree])
    }

    /// - Throws: ``GranaryError`` with code `refused`: `value.syntax`, `value.range` or `limit.exceeded`.
    static func archive(_ value: any Sendable) throws(GranaryError) -> Data {
        var budget = PropertyListBudget()
        let bytes = KeyedArchiveWriter.write(try tree(of: value, depth: 0, &budget))
        // Equal texts are written once, so the archive may be too small for the number of its values to be read again.
        try budget.check(archiveBytes: bytes.count)
        return Data(bytes)
    }

    /// Recurses once for each level of collections.
    private static func tree(
        of value: Any, depth: Int, _ budget: inout PropertyListBudget
    ) throws(GranaryError) -> KeyedArchiveTree {
        if let leaf = try leaf(value, &budget) { return leaf }
        let (kind, members) = try open(value, &budget)
        try PropertyListBudget.checkDepth(depth)
        var trees: [KeyedArchiveTree] = []
        for member in members { trees.append(try tree(of: member, depth: depth + 1, &budget)) }
        return close(kind, trees)
    }

    /// - Returns: nil for a collection or an unknown type.
    private static func leaf(_ value: Any, _ budget: inout PropertyListBudget) throws(GranaryError) -> KeyedArchiveTree?
    {
        let leaf = try scalar(value)
        switch leaf {
        case nil: return nil
        case .string(let text): try budget.charge(bytes: text.utf8.count)
        case .data(let bytes): try budget.charge(bytes: bytes.count)
        case .url(let relative, _): try budget.charge(bytes: relative.utf8.count)
        default: try budget.charge()
        }
        return leaf
    }

    private static func scalar(_ value: Any) throws(GranaryError) -> KeyedArchiveTree? {
        switch value {
        case let value as Bool: return .boolean(value)
        case let value as String: return .string(value)
        case let value as any BinaryInteger: return try whole(value)
        case let value as any BinaryFloatingPoint: return .real(real(value))
        case let value as Decimal:
            guard let number = ExactDecimal(exactly: value) else {
                throw GranaryError(
                    Diagnostic(.valueRange, "\(value) is not a Decimal of at most 38 digits"))
            }
            return .decimal(number)
        case let value as Date:
            let seconds = value.timeIntervalSinceReferenceDate
            guard seconds.isFinite else {
                throw GranaryError(Diagnostic(.valueRange, "a date of \(seconds) seconds cannot be archived"))
            }
            return .date(seconds)
        case let value as Data: return .data(Array(value))
        case let value as UUID: return .uuid(value)
        case let value as URL: return .url(relative: value.relativeString, base: value.baseURL?.absoluteString)
        case is ArchivedNull: return .null
        case let value as any ArchivableOptional: return value.isNone ? KeyedArchiveTree.null : nil
        default: return nil
        }
    }

    private static func whole<Number: BinaryInteger>(_ number: Number) throws(GranaryError) -> KeyedArchiveTree {
        if let value = Int64(exactly: number) { return .integer(value) }
        if let value = UInt64(exactly: number) { return .unsigned(value) }
        throw GranaryError(Diagnostic(.valueRange, "\(number) does not fit into 64 bits"))
    }

    private static func real<Number: BinaryFloatingPoint>(_ number: Number) -> Double { Double(number) }

    /// The members of a dictionary are its values.
    private static func open(_ value: Any, _ budget: inout PropertyListBudget) throws(GranaryError) -> (Kind, [Any]) {
        try budget.charge()
        if let members = value as? [Any] { return (.array, members) }
        if let members = value as? Set<AnyHashable> { return (.set, members.map(\.base)) }
        if let entries = value as? ArchivedEntries {
            var keys: [KeyedArchiveTree] = []
            let sorted = zip(entries.names, entries.values).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            for (name, _) in sorted { keys.append(try key(name, &budget)) }
            return (.dictionary(keys: keys), sorted.map(\.1))
        }
        guard let entries = value as? [AnyHashable: Any] else {
            throw GranaryError(
                Diagnostic(
                    .valueSyntax,
                    "a property list cannot hold a value of the type \(type(of: value)); the attribute needs a "
                        + "custom transformer"))
        }
        var pairs: [(key: KeyedArchiveTree, value: Any)] = []
        for (key, value) in entries { pairs.append((try self.key(key.base, &budget), value)) }
        // A Swift dictionary has another order in every run.
        let sorted = pairs.map { (text: $0.key.orderText, pair: $0) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map(\.pair)
        return (.dictionary(keys: sorted.map(\.key)), sorted.map(\.value))
    }

    private static func key(_ key: Any, _ budget: inout PropertyListBudget) throws(GranaryError) -> KeyedArchiveTree {
        let tree = try leaf(key, &budget)
        switch tree {
        case .string(let text): return .string(text)
        case .integer(let number): return .integer(number)
        default:
            throw GranaryError(
                Diagnostic(
                    .valueSyntax,
                    "a dictionary has a key of the type \(type(of: key)); a key must be a string or an integer"
                ))
        }
    }

    private static func close(_ kind: Kind, _ members: [KeyedArchiveTree]) -> KeyedArchiveTree {
        switch kind {
        case .array: return .array(members)
        case .set:
            let sorted = members.map { (text: $0.orderText, tree: $0) }
                .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
            return .set(sorted.map(\.tree))
        case .dictionary(let keys):
            return .dictionary(zip(keys, members).map { KeyedArchiveTree.Entry($0, $1) })
        }
    }
}

extension KeyedArchiveTree {
    /// A sort key for the members of sets and dictionaries, so that equal values give equal bytes.
    fileprivate var orderText: String {
        switch self {
        case .string(let value): value
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .date(let value): "\(value)"
        case .data(let value): value.map { "\($0)" }.joined(separator: " ")
        case .uuid(let value): value.uuidString
        case .url(let relative, let base): relative + " " + (base ?? "")
        case .null, .array, .set, .orderedSet, .dictionary, .object: ""
        }
    }
}
