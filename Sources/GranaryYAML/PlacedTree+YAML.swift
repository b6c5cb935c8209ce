import Foundation
package import GranaryBase
import Synchronization
import Yams

extension PlacedTree {
    /// Replaces the `*` of an alias while keys are checked. Plain text can begin with this private-use character.
    private static let aliasMark: Unicode.Scalar = "\u{E000}"

    /// Parses YAML 1.1 with libyaml, but keeps scalars as they are written: `NO` and `007` are texts.
    ///
    /// Yams parses and deallocates its nodes recursively, at most 1,000 deep (libyaml's limit). Both happen on a thread
    /// with a large stack.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and the positions of invalid YAML or invalid keys.
    package static func read(_ text: PlacedText) throws(GranaryError) -> PlacedTree {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result: Result<PlacedTree, GranaryError>
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
        case nil:
            throw GranaryError(.internalDefect, "\(text.file): reading the \(text.kind.noun) ended without a result")
        }
    }

    private final class Outcome: Sendable {
        let result = Mutex<Result<PlacedTree, GranaryError>?>(nil)
    }

    private static func composed(_ text: PlacedText) throws(GranaryError) -> PlacedTree {
        let source = String(decoding: text.bytes, as: UTF8.self)
        if text.bytes.contains(UInt8(ascii: "*")), text.bytes.contains(UInt8(ascii: "&")) {
            // Yams hashes keys, and an alias inside a key can stand for 3^300 nodes. Keys are therefore checked first
            // in a text without aliases. The mark has the same length as `*`, so that positions stay the same.
            if let root = try node(masked(source), text) { _ = try table(root, text) }
        }
        guard let root = try node(source, text) else {
            throw GranaryError(
                Diagnostic(text.kind.syntax, "the \(text.kind.noun) is empty", at: text.position(line: 1, column: 1)))
        }
        return try table(root, text)
    }

    /// Replaces scalars instead of characters, because `*` and a combining mark are a single character.
    private static func masked(_ source: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in source.unicodeScalars { result.append(scalar == "*" ? aliasMark : scalar) }
        return String(result)
    }

    private static func node(_ source: String, _ text: PlacedText) throws(GranaryError) -> Yams.Node? {
        do {
            // Without rules every scalar is text. The default encoding of Yams would depend on the environment.
            return try Yams.compose(yaml: source, .basic, .default, .utf8)
        } catch {
            throw GranaryError(refusal(error, text))
        }
    }

    private static func table(_ root: Yams.Node, _ text: PlacedText) throws(GranaryError) -> PlacedTree {
        var tree = PlacedTree(text)
        let problems = TreeProblems(file: text.file, kind: text.kind)
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
                        problems.add(
                            text.kind.syntax, "the keys of a \(text.kind.noun) must be texts",
                            at: tree.position(keyIndex))
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
                let message =
                    "the \(text.kind.noun) has more than \(maximumNodes) values, including those that aliases repeat"
                throw GranaryError(Diagnostic(.limitExceeded, message, at: tree.position(index)))
            }
        }
        try problems.throwIfAny()
        return tree
    }

    private mutating func add(_ node: Yams.Node, label: String?) -> Int {
        add(label: label, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private static func refusal(_ error: any Error, _ text: PlacedText) -> Diagnostic {
        guard let error = error as? YamlError else { return Diagnostic(text.kind.syntax, "\(text.file): \(error)") }
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
            return Diagnostic(text.kind.syntax, message, at: place)
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? ""
            let first = text.position(line: context.mark.line, column: context.mark.column)
            let second = text.secondPlace(ofKey: key, first: first)
            let shown = Diagnostic.shortened(key)
            return Diagnostic(
                text.kind.syntax, "the key \"\(shown)\" occurs twice in this mapping, first in line \(first.line)",
                at: second ?? first, field: shown, related: second == nil ? [] : [first])
        case .reader(let problem, let offset, _, let source):
            var message = "this is not YAML: \(problem)"
            guard let offset, let index = source.index(source.startIndex, offsetBy: offset, limitedBy: source.endIndex)
            else { return Diagnostic(text.kind.syntax, "\(text.file): \(message)") }
            message += "; write it in double quotes as an escape such as \\x07"
            // The source can be the masked one, in which only lines and scalars have the positions of the plan.
            var (line, column) = (1, 1)
            for scalar in source.unicodeScalars[..<index] {
                (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            }
            return Diagnostic(text.kind.syntax, message, at: text.position(line: line, column: column))
        default: return Diagnostic(text.kind.syntax, "\(text.file): this cannot be read as YAML: \(error)")
        }
    }
}
