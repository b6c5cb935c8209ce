import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Predicates and expressions, each read once. What uses one again pays for its size, which text length stands for.
extension CompiledModelDecoder {
    mutating func predicate(_ item: KeyedArchive.Item) throws(GranaryError) -> Parsed<PredicateNode> {
        if let known = predicates[item] {
            try chargeUse(of: known)
            return known
        }
        let parsed: Parsed<PredicateNode>
        var reader = PredicateArchiveReader(archive)
        do throws(GranaryError) {
            let node = try reader.predicate(item)
            parsed = .node(node, PredicateFormat.text(of: node).utf8.count)
        } catch {
            parsed = .refused(error.message)
        }
        predicates[item] = parsed
        try charge(reader.work)
        try chargeUse(of: parsed)
        return parsed
    }

    mutating func expression(_ item: KeyedArchive.Item) throws(GranaryError) -> Parsed<ExpressionNode> {
        if let known = expressions[item] {
            try chargeUse(of: known)
            return known
        }
        let parsed: Parsed<ExpressionNode>
        var reader = PredicateArchiveReader(archive)
        do throws(GranaryError) {
            let node = try reader.expression(item)
            parsed = .node(node, PredicateFormat.text(of: node).utf8.count)
        } catch {
            parsed = .refused(error.message)
        }
        expressions[item] = parsed
        try charge(reader.work)
        try chargeUse(of: parsed)
        return parsed
    }

    /// A predicate as text; the name of its class, with a warning, where it is not read.
    mutating func predicateText(_ item: KeyedArchive.Item) throws(GranaryError) -> String {
        switch try predicate(item) {
        case .node(let node, _): return PredicateFormat.text(of: node)
        case .refused(let reason):
            warn("a predicate is not read: \(reason)")
            return try archive.className(of: item) ?? ""
        }
    }

    private mutating func chargeUse<Node>(of parsed: Parsed<Node>) throws(GranaryError) {
        switch parsed {
        case .node(_, let length): try charge(1 + length / 8)
        case .refused: try charge(16)
        }
    }
}
