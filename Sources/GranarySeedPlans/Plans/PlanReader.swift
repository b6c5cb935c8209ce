import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords

/// Reads the tree of a plan, and reports all problems with their positions.
final class PlanReader {
    let tree: PlanTree
    let problems: PlanProblems
    var variables: PlanVariables
    /// The prefix of relative paths: empty, or the plan's folder with a slash.
    let folder: String
    /// The size of the rows of all imports so far, as JSON.
    var rowBytes = 0
    var settings = SeedPlan.Settings()

    init(_ tree: PlanTree, folder: String, variables: PlanVariables) {
        self.tree = tree
        self.folder = folder
        self.variables = variables
        problems = PlanProblems(file: tree.text.file)
    }

    func report(_ message: String, at node: Int, code: Diagnostic.Code = .planSyntax, value: String? = nil) {
        let label = tree.nodes[node].label.map(Diagnostic.shortened)
        problems.add(
            code, (label.map { "\($0): " } ?? "") + message, at: tree.position(node), field: label,
            value: value.map(Diagnostic.shortened))
    }

    /// Reads a mapping, and reports unknown and repeated keys.
    func mapping<Key: PlanKey>(_ node: Int, _ what: String, _: Key.Type) -> PlanMapping<Key> {
        var mapping = PlanMapping<Key>(node: node)
        guard case .mapping(let members) = tree.content(node) else {
            report("\(what) must be a mapping", at: node)
            return mapping
        }
        for member in members {
            let name = tree.name(member.key)
            guard let key = Key(rawValue: name) else {
                let hint = NearestText.hint(for: name, in: Key.allCases.map(\.rawValue))
                report(
                    "\(what) has no key \"\(Diagnostic.shortened(name))\"\(hint)", at: member.key, code: .planUnknown)
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
    func text(_ node: Int) -> String? {
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

    func expanded(_ text: String, at node: Int) -> String? {
        do { return try variables.expanding(text) } catch {
            report(error.message, at: node, value: text)
            return nil
        }
    }

    /// The elements of a list, or the node itself if it is not a list.
    func elements(_ node: Int) -> [Int] {
        guard case .list(let list) = tree.content(node) else { return [node] }
        if list.isEmpty { report("the list is empty", at: node) }
        return list
    }

    /// Reads a text or a list of texts.
    func texts(_ node: Int) -> [String]? {
        let texts = elements(node).map(text)
        return texts.isEmpty || texts.contains(nil) ? nil : texts.compactMap { $0 }
    }

    /// Reads a list of names, or a text with names separated by commas.
    func names(_ node: Int) -> [String]? {
        guard case .list = tree.content(node) else { return text(node).map(OptionText.names) }
        return texts(node)
    }

    /// Reads a mapping with any keys.
    func pairs(_ node: Int, _ what: String) -> [(name: String, value: Int)] {
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

    func flag(_ node: Int) -> Bool? {
        guard let text = text(node) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            report("\"\(Diagnostic.shortened(text))\" is neither true nor false", at: node, value: text)
            return nil
        }
    }

    func integer(_ node: Int, _ range: ClosedRange<Int64>) -> Int64? {
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

    func decimal(_ node: Int) -> ExactDecimal? {
        guard let text = text(node) else { return nil }
        let bytes = Array(text.utf8)
        guard let number = bytes.withUnsafeBufferPointer({ try? DecimalText.parse($0) }) else {
            report("a number is required, such as 0.01", at: node, value: text)
            return nil
        }
        return number
    }

    /// Reads a node into a setting, which keeps its value if there is no node, or an invalid one.
    func read<Value>(_ setting: inout Value, _ node: Int?, _ parse: (Int) -> Value?) {
        if let node, let value = parse(node) { setting = value }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: Int) -> Choice? {
        choice(node, of: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    func choice(_ node: Int, of names: [String]) -> String? {
        guard let text = text(node) else { return nil }
        if names.contains(text) { return text }
        report(
            "\"\(Diagnostic.shortened(text))\" is not one of \(names.joined(separator: ", "))"
                + NearestText.hint(for: text, in: names), at: node, value: text)
        return nil
    }

    /// Reads a text with a parser of ``OptionText``, as the command line does.
    func option<Value>(_ node: Int, _ read: (String) throws(OptionProblem) -> Value) -> Value? {
        guard let text = text(node) else { return nil }
        do throws(OptionProblem) { return try read(text) } catch {
            report(error.message, at: node, value: text)
            return nil
        }
    }

    /// Prepends the folder of the plan to a relative path.
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }

    /// Reads the path or the pattern of files; `-` is standard input.
    func file(_ node: Int) -> PlanPath? {
        guard let text = text(node) else { return nil }
        if text == "-" { return PlanPath(path: text, position: tree.position(node), label: "file") }
        var file = PlanPath(path: path(text), position: tree.position(node), label: "file")
        if text.utf8.contains(where: { "*?[".utf8.contains($0) }) {
            var pattern = ""
            for scalar in text.hasPrefix("/") ? "".unicodeScalars : folder.unicodeScalars {
                if "*?[\\".unicodeScalars.contains(scalar) { pattern += "\\" }
                pattern.unicodeScalars.append(scalar)
            }
            file.pattern = pattern + text
        }
        return file
    }
}
