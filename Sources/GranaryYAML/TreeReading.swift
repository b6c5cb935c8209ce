package import GranaryBase

/// Reads values from a tree, and reports all problems with their positions.
package protocol TreeReading: AnyObject {
    var tree: PlacedTree { get }
    var problems: TreeProblems { get }

    /// Replaces the variables of a text; nil after a problem was reported.
    func expanded(_ text: String, at node: Int) -> String?
}

extension TreeReading {
    package func report(_ message: String, at node: Int, code: Diagnostic.Code? = nil, value: String? = nil) {
        let label = tree.nodes[node].label.map(Diagnostic.shortened)
        problems.add(
            code ?? tree.text.kind.syntax, (label.map { "\($0): " } ?? "") + message, at: tree.position(node),
            field: label, value: value.map(Diagnostic.shortened))
    }

    /// Reads a mapping, and reports unknown and repeated keys.
    package func mapping<Key: TreeKey>(_ node: Int, _ what: String, _: Key.Type) -> KeyedMapping<Key> {
        var mapping = KeyedMapping<Key>(node: node)
        guard case .mapping(let members) = tree.content(node) else {
            report("\(what) must be a mapping", at: node)
            return mapping
        }
        for member in members {
            let name = tree.name(member.key)
            guard let key = Key(rawValue: name) else {
                let hint = NearestText.hint(for: name, in: Key.allCases.map(\.rawValue))
                report(
                    "\(what) has no key \"\(Diagnostic.shortened(name))\"\(hint)", at: member.key,
                    code: tree.text.kind.unknown)
                continue
            }
            if mapping[key] != nil {
                report("the key \"\(name)\" occurs twice in this mapping", at: member.key)
            }
            mapping.set(key, member)
        }
        return mapping
    }

    /// Reads a text and expands its variables; nil if the node is not a text.
    package func text(_ node: Int) -> String? {
        guard case .text(let text, let isPlain) = tree.content(node) else {
            report("a single text is required", at: node)
            return nil
        }
        if isPlain, text.isEmpty {
            report("the value is missing; write '' for an empty text", at: node)
            return nil
        }
        return expanded(text, at: node)
    }

    /// The elements of a list, or the node itself if it is not a list.
    package func elements(_ node: Int) -> [Int] {
        guard case .list(let list) = tree.content(node) else { return [node] }
        if list.isEmpty { report("the list is empty", at: node) }
        return list
    }

    /// Reads a text or a list of texts.
    package func texts(_ node: Int) -> [String]? {
        let texts = elements(node).map(text)
        return texts.isEmpty || texts.contains(nil) ? nil : texts.compactMap { $0 }
    }

    /// Reads a mapping with any keys.
    package func pairs(_ node: Int, _ what: String) -> [(name: String, value: Int)] {
        guard case .mapping(let members) = tree.content(node) else {
            report("a mapping is required: \(what)", at: node)
            return []
        }
        var known: Set<String> = []
        return members.map { member in
            let name = tree.name(member.key)
            if !known.insert(name).inserted {
                report("the key \"\(name)\" occurs twice in this mapping", at: member.key)
            }
            return (name, member.value)
        }
    }

    package func flag(_ node: Int) -> Bool? {
        guard let text = text(node) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            report("\"\(Diagnostic.shortened(text))\" is neither true nor false", at: node, value: text)
            return nil
        }
    }

    package func integer(_ node: Int, _ range: ClosedRange<Int64>) -> Int64? {
        guard let text = text(node) else { return nil }
        let bytes = Array(text.utf8)
        let number = bytes.withUnsafeBufferPointer { try? IntegerText.parse($0) }
        guard let number, range.contains(number) else {
            let limits =
                range.upperBound == .max
                ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            report("a whole number is required, \(limits)", at: node, value: text)
            return nil
        }
        return number
    }

    package func decimal(_ node: Int) -> ExactDecimal? {
        guard let text = text(node) else { return nil }
        let bytes = Array(text.utf8)
        guard let number = bytes.withUnsafeBufferPointer({ try? DecimalText.parse($0) }) else {
            report("a number is required, such as 0.01", at: node, value: text)
            return nil
        }
        return number
    }

    /// Reads a node into a setting, which keeps its value if there is no node, or an invalid one.
    package func read<Value>(_ setting: inout Value, _ node: Int?, _ parse: (Int) -> Value?) {
        if let node, let value = parse(node) { setting = value }
    }

    package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: Int) -> Choice? {
        choice(node, of: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    package func choice(_ node: Int, of names: [String]) -> String? {
        guard let text = text(node) else { return nil }
        if names.contains(text) { return text }
        report(
            "\"\(Diagnostic.shortened(text))\" is not one of \(names.joined(separator: ", "))"
                + NearestText.hint(for: text, in: names), at: node, value: text)
        return nil
    }
}
