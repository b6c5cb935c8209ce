import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// Reads predicates and expressions as `NSKeyedArchiver` wrote them.
///
/// Classes and keys were found in public models or are Foundation's (see ``PredicateArchiveWriter``). The reader
/// refuses a tree that contains itself, is deeper than ``ObjectPredicate/archiveDepthLimit``, or is larger than
/// ``sizeLimit``: an archive can refer to one object from many places. One reader reads one tree.
struct PredicateArchiveReader {
    /// The size limit: one for each node and one more for each 64 bytes of its text or data.
    static let sizeLimit = 100_000

    let archive: KeyedArchive
    /// The objects that contain the current one.
    private var visiting: Set<KeyedArchive.Item> = []
    private var size = 0

    /// The cost of reading, also if it failed: a few bytes of an archive can describe many huge predicates. Predicates
    /// of real models are small and cheap.
    var work: Int { size + 3 * max(0, size - 16) }

    init(_ archive: KeyedArchive) { self.archive = archive }

    /// - Throws: ``GranaryError`` with `model.syntax` for an unknown class or an object that its class does not allow,
    ///   with `plist.syntax` for a field of a wrong type, with `limit.exceeded` past a limit.
    mutating func predicate(_ item: KeyedArchive.Item, depth: Int = 1) throws(GranaryError) -> ObjectPredicate {
        try enter(item, depth)
        let result: ObjectPredicate
        switch try archive.className(of: item) {
        case "NSTruePredicate": result = .constant(true)
        case "NSFalsePredicate": result = .constant(false)
        case "NSCompoundPredicate": result = try compound(item, depth: depth)
        case "NSComparisonPredicate": result = try comparison(item, depth: depth)
        case let name: throw refused("\(name ?? "a plain value") is not a known predicate")
        }
        leave(item)
        if depth == 1, result.isTooDeep { throw tooDeep }
        return result
    }

    private mutating func compound(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectPredicate {
        let number = try archive.integer("NSCompoundPredicateType", of: item) ?? 0
        let items = try archive.items("NSSubpredicates", of: item) ?? []
        try charge(items.count)
        var parts: [ObjectPredicate] = []
        for part in items { parts.append(try predicate(part, depth: depth + 1)) }
        // The numbers of `NSCompoundPredicate.LogicalType`.
        switch number {
        case 0:
            guard let part = parts.first, parts.count == 1 else { throw refused("a NOT of \(items.count) predicates") }
            return .not(part)
        case 1: return .and(parts)
        case 2: return .or(parts)
        default: throw refused("a compound predicate of the unknown type \(number)")
        }
    }

    private mutating func comparison(_ item: KeyedArchive.Item, depth: Int) throws(GranaryError) -> ObjectPredicate {
        guard let left = try archive.field("NSLeftExpression", of: item),
            let right = try archive.field("NSRightExpression", of: item),
            let operation = try archive.field("NSPredicateOperator", of: item)
        else { throw refused("a comparison without its two sides and its operator") }
        let leftSide = try expression(left, depth: depth + 1)
        let rightSide = try expression(right, depth: depth + 1)
        var node = ObjectPredicate.Comparison(leftSide, .equal, rightSide)
        try readOperator(operation, into: &node)
        return .comparison(node)
    }

    private func readOperator(
        _ item: KeyedArchive.Item, into node: inout ObjectPredicate.Comparison
    ) throws(GranaryError) {
        let name = try archive.className(of: item) ?? "a plain value"
        let type = try archive.integer("NSOperatorType", of: item) ?? 0
        guard let operation = ObjectPredicate.Operator(archiveNumber: type), operation.className == name else {
            throw refused("\(name) of type \(type) is not a known operator")
        }
        let number = try archive.integer("NSModifier", of: item) ?? 0
        guard let modifier = ObjectPredicate.Modifier(archiveNumber: number) else {
            throw refused("\(name) has the unknown modifier \(number)")
        }
        let bits = try archive.integer(operation.optionsKey, of: item) ?? 0
        let options = ObjectPredicate.Options(rawValue: Int(clamping: bits))
        guard options.isSubset(of: .all) else {
            throw refused("\(name) has the unknown options \(bits)")
        }
        if operation == .equal, try archive.boolean("NSNegate", of: item) {
            throw refused("\(name) means both == and !=")
        }
        node.operation = operation
        node.modifier = modifier
        node.options = options
    }

    mutating func enter(_ item: KeyedArchive.Item, _ depth: Int) throws(GranaryError) {
        guard depth <= ObjectPredicate.archiveDepthLimit else { throw tooDeep }
        guard visiting.insert(item).inserted else { throw refused("a predicate contains itself") }
        try charge(1)
    }

    mutating func leave(_ item: KeyedArchive.Item) { visiting.remove(item) }

    mutating func charge(_ amount: Int) throws(GranaryError) {
        // This cannot overflow: the amount is less than the number of bytes of a file.
        size += amount
        guard size <= Self.sizeLimit else {
            throw limit("a predicate is larger than \(Self.sizeLimit) nodes, the limit")
        }
    }

    func refused(_ message: String) -> GranaryError {
        GranaryError(Diagnostic(.modelSyntax, Diagnostic.shortened(message)))
    }

    var tooDeep: GranaryError {
        limit("a predicate nests deeper than \(ObjectPredicate.depthLimit) levels, the limit")
    }

    private func limit(_ message: String) -> GranaryError { GranaryError(Diagnostic(.limitExceeded, message)) }
}
