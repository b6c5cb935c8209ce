import Foundation
import GranaryBase
import Synchronization
import Yams

/// The YAML of a plan as a table of nodes. Nodes refer to others by index, so that no traversal is recursive.
struct PlanTree: Sendable {
    enum Content: Sendable {
        /// A scalar as it is written; plain if it has no quotes.
        case text(String, isPlain: Bool)
        case list([Int])
        case mapping([Member])
    }

    struct Member: Sendable {
        let key: Int
        let value: Int
    }

    struct Node: Sendable {
        var content: Content
        /// The key whose value is this node, or the list that contains it.
        let label: String?
        /// The line, and the Unicode scalar in it, both from 1.
        let line: Int
        let column: Int
    }

    /// The maximum number of nodes, including those that aliases repeat.
    static let maximumNodes = 1_000_000

    let text: PlanText
    var nodes: [Node] = []

    init(_ text: PlanText) { self.text = text }

    /// The index of the root.
    static let root = 0

    func content(_ node: Int) -> Content { nodes[node].content }

    func position(_ node: Int) -> SourcePosition {
        text.position(line: nodes[node].line, column: nodes[node].column)
    }

    /// The text of a key. Other keys are refused when the plan is read.
    func name(_ key: Int) -> String {
        guard case .text(let text, _) = nodes[key].content else { return "" }
        return text
    }

    func members(_ node: Int) -> [Member] {
        guard case .mapping(let members) = nodes[node].content else { return [] }
        return members
    }
}

extension PlanTree {
    /// Replaces the `*` of an alias while keys are checked. Plain text can begin with this private-use character.
    private static let aliasMark: Unicode.Scalar = "\u{E000}"

    /// Parses YAML 1.1 with libyaml, but keeps scalars as they are written: `NO` and `007` are texts.
    ///
    /// Yams parses and deallocates its nodes recursively, at most 1,000 deep (libyaml's limit). Both happen on a thread
    /// with a large stack.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and the positions of invalid YAML or invalid keys.
    static func read(_ text: PlanText) throws(GranaryError) -> PlanTree {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result: Result<PlanTree, GranaryError>
            do throws(GranaryError) { result = .success(try composed(text)) } catch { result = .failure(error) }
            outcome.result.withLock { $0 = result }
            done.signal()
        }
        thread.stackSize = 32 << 20
        thread.start()
        done.wait()
        switch outcome.result.withLock({ $0 }) {
        case .success(let tree)?: return tree
        case .failure(let error)?: throw error
        case nil: throw GranaryError(.internalDefect, "\(text.file): reading the plan ended without a result")
        }
    }

    private final class Outcome: Sendable {
        let result = Mutex<Result<PlanTree, GranaryError>?>(nil)
    }

    private static func composed(_ text: PlanText) throws(GranaryError) -> PlanTree {
        let source = String(decoding: text.bytes, as: UTF8.self)
        if text.bytes.contains(UInt8(ascii: "*")), text.bytes.contains(UInt8(ascii: "&")) {
            // Yams hashes keys, and an alias inside a key can stand for 3^300 nodes. Keys are therefore checked first
            // in a text without aliases. The mark has the same length as `*`, so that positions stay the same.
            if let root = try node(masked(source), text) { _ = try table(root, text) }
        }
        guard let root = try node(source, text) else {
            throw GranaryError(
                Diagnostic(.planSyntax, "the plan is empty", at: text.position(line: 1, column: 1)))
        }
        return try table(root, text)
    }

    /// Replaces scalars instead of characters, because `*` and a combining mark are a single character.
    private static func masked(_ source: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in source.unicodeScalars { result.append(scalar == "*" ? aliasMark : scalar) }
        return String(result)
    }

    private static func node(_ source: String, _ text: PlanText) throws(GranaryError) -> Yams.Node? {
        do {
            // Without rules every scalar is text. The default encoding of Yams would depend on the environment.
            return try Yams.compose(yaml: source, .basic, .default, .utf8)
        } catch {
            throw GranaryError(refusal(error, text))
        }
    }

    private static func table(_ root: Yams.Node, _ text: PlanText) throws(GranaryError) -> PlanTree {
        var tree = PlanTree(text)
        let problems = PlanProblems(file: text.file)
        var waiting = [(root, tree.add(root, label: nil))]
        while let (node, index) = waiting.popLast() {
            switch node {
            case .scalar(let scalar):
                tree.nodes[index].content = .text(scalar.string, isPlain: scalar.style == .plain)
            case .sequence(let sequence):
                var list: [Int] = []
                for element in sequence {
                    // The mappings of a list have no label.
                    var label = tree.nodes[index].label
                    if case .mapping = element { label = nil }
                    list.append(tree.add(element, label: label))
                    waiting.append((element, list[list.count - 1]))
                }
                tree.nodes[index].content = .list(list)
            case .mapping(let mapping):
                var members: [Member] = []
                for (key, value) in mapping {
                    let keyIndex = tree.add(key, label: nil)
                    guard case .scalar(let name) = key,
                        name.style != .plain || name.string.unicodeScalars.first != aliasMark
                    else {
                        problems.add(.planSyntax, "the keys of a plan must be texts", at: tree.position(keyIndex))
                        continue
                    }
                    tree.nodes[keyIndex].content = .text(name.string, isPlain: name.style == .plain)
                    let member = Member(key: keyIndex, value: tree.add(value, label: name.string))
                    members.append(member)
                    waiting.append((value, member.value))
                }
                tree.nodes[index].content = .mapping(members)
            case .alias:
                // A parsed tree contains the expanded nodes; only trees for writing contain aliases.
                break
            }
            guard tree.nodes.count <= maximumNodes else {
                let message = "the plan has more than \(maximumNodes) values, including those that aliases repeat"
                throw GranaryError(Diagnostic(.limitExceeded, message, at: tree.position(index)))
            }
        }
        try problems.throwIfAny()
        return tree
    }

    private mutating func add(_ node: Yams.Node, label: String?) -> Int {
        nodes.append(
            Node(
                content: .text("", isPlain: true), label: label, line: node.mark?.line ?? 1,
                column: node.mark?.column ?? 1))
        return nodes.count - 1
    }

    private static func refusal(_ error: any Error, _ text: PlanText) -> Diagnostic {
        guard let error = error as? YamlError else { return Diagnostic(.planSyntax, "\(text.file): \(error)") }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let place = text.position(line: mark.line, column: mark.column)
            var message = "this is not YAML: \(problem)"
            if let context { message = "this is not YAML: \(context.text): \(problem)" }
            let isIndicator = text.byte(at: place).map { "%@`*&!|>[]{},".utf8.contains($0) } ?? false
            if isIndicator || context?.text.contains("alias") ?? false {
                message += "; text that begins with one of %@`*&!|>[]{}, needs quotes"
            }
            return Diagnostic(.planSyntax, message, at: place)
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? ""
            let first = text.position(line: context.mark.line, column: context.mark.column)
            let second = text.secondPlace(ofKey: key, first: first)
            let shown = Diagnostic.shortened(key)
            return Diagnostic(
                .planSyntax, "the key \"\(shown)\" occurs twice in this mapping, first in line \(first.line)",
                at: second ?? first, field: shown, related: second == nil ? [] : [first])
        case .reader(let problem, let offset, _, let source):
            var message = "this is not YAML: \(problem)"
            guard let offset, let index = source.index(source.startIndex, offsetBy: offset, limitedBy: source.endIndex)
            else { return Diagnostic(.planSyntax, "\(text.file): \(message)") }
            message += "; write it in double quotes as an escape such as \\x07"
            // The source can be the masked one, in which only lines and scalars have the positions of the plan.
            var (line, column) = (1, 1)
            for scalar in source.unicodeScalars[..<index] {
                (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            }
            return Diagnostic(.planSyntax, message, at: text.position(line: line, column: column))
        default: return Diagnostic(.planSyntax, "\(text.file): this cannot be read as YAML: \(error)")
        }
    }
}
