import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// Predicates and expressions, each read once. Each further use costs work in proportion to the length of its text.
extension CompiledModelDecoder {
    mutating func predicate(_ item: KeyedArchive.Item) throws(GranaryError) -> Parsed<ObjectPredicate> {
        try parsed(item, in: \.predicates) { reader throws(GranaryError) in
            let node = try reader.predicate(item)
            return .node(node, node.description.utf8.count)
        }
    }

    mutating func expression(_ item: KeyedArchive.Item) throws(GranaryError) -> Parsed<ObjectExpression> {
        try parsed(item, in: \.expressions) { reader throws(GranaryError) in
            let node = try reader.expression(item)
            return .node(node, node.description.utf8.count)
        }
    }

    private mutating func parsed<Node>(
        _ item: KeyedArchive.Item, in cache: WritableKeyPath<Self, [KeyedArchive.Item: Parsed<Node>]>,
        _ read: (inout PredicateArchiveReader) throws(GranaryError) -> Parsed<Node>
    ) throws(GranaryError) -> Parsed<Node> {
        let parsed: Parsed<Node>
        if let known = self[keyPath: cache][item] {
            parsed = known
        } else {
            var reader = PredicateArchiveReader(archive)
            do throws(GranaryError) {
                parsed = try read(&reader)
            } catch {
                parsed = .refused(error.message)
            }
            self[keyPath: cache][item] = parsed
            try charge(reader.work)
        }
        switch parsed {
        case .node(_, let length): try charge(1 + length / 8)
        case .refused: try charge(16)
        }
        return parsed
    }

    /// A predicate as text; the name of its class, with a warning, if it cannot be read.
    mutating func predicateText(_ item: KeyedArchive.Item) throws(GranaryError) -> String {
        switch try predicate(item) {
        case .node(let node, _): return node.description
        case .refused(let reason):
            warn("a predicate cannot be read: \(reason)")
            return try archive.className(of: item) ?? ""
        }
    }
}
