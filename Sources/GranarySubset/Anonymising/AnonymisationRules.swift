package import GranaryBase
package import GranaryModel
import GranaryYAML

/// What happens to the values of each attribute when objects leave a store: a decision for each, from a file.
///
/// ```yaml
/// Patient.name: replace
/// Patient.notes: null
/// Patient.age: keep
/// Patient.emailid: hash
/// Patient.ward: "constant: unknown"
/// ```
package struct AnonymisationRules: Sendable {
    /// The decision on an attribute.
    package enum Decision: Sendable, Hashable {
        /// The values stay as they are.
        case keep
        /// Another value of the same shape: that of `--anonymise`.
        case replace
        /// No value.
        case null
        /// Always the same text.
        case constant(String)
        /// The beginning of HMAC-SHA-256 of the text, in hexadecimal digits. With the same key, the same text has the same
        /// digits in every store.
        case hash

        package static let forms = "keep, replace, null, hash, or \"constant: TEXT\""

        /// The text of ``constant(_:)``; empty for others.
        var constant: String { if case .constant(let text) = self { text } else { "" } }

        /// Nil for a text that is no decision.
        init?(_ text: String) {
            switch text {
            case "keep": self = .keep
            case "replace": self = .replace
            case "null": self = .null
            case "hash": self = .hash
            default:
                guard text.hasPrefix("constant:") else { return nil }
                self = .constant(String(text.dropFirst("constant:".count).drop { $0 == " " }))
            }
        }
    }

    /// The name of the file, for messages.
    package let file: String
    /// The decisions by `Entity.attribute`.
    package private(set) var decisions: [String: Decision] = [:]

    private static let kind = TreeKind(
        noun: "file of decisions", syntax: .modelSyntax, unknown: .modelUnknown)

    private final class Reader: TreeReading {
        let tree: PlacedTree
        let problems: TreeProblems

        init(_ tree: PlacedTree) {
            self.tree = tree
            problems = TreeProblems(file: tree.text.file, kind: AnonymisationRules.kind)
        }

        func expanded(_ text: String, at node: Int) -> String? { text }
    }

    /// - Throws: ``GranaryError``: `unreadable` if the file cannot be read; `refused` with a diagnostic for each problem.
    package init(path: String) throws(GranaryError) {
        file = path
        let bytes = try ByteSource(path: path).readAll(limit: PlacedText.maximumBytes)
        // A new file has no decision yet.
        if bytes.allSatisfy({ $0 <= 0x20 }) { return }
        let reader = Reader(try PlacedTree.read(try PlacedText(bytes, file: path, kind: Self.kind)))
        for (name, value) in reader.pairs(PlacedTree.root, "decisions by attribute") {
            guard let text = reader.text(value) else { continue }
            guard let decision = Decision(text) else {
                reader.report("\(name): after it comes \(Decision.forms)", at: value)
                continue
            }
            decisions[name] = decision
        }
        try reader.problems.throwIfAny()
    }

    /// The decision on an attribute of an entity: its own, or that of the nearest superentity.
    package func decision(on attribute: Schema.Attribute, of entity: Schema.Entity, _ schema: Schema) -> Decision? {
        var index: Int? = entity.index
        while let current = index {
            if let decision = decisions["\(schema.entities[current].name).\(attribute.name)"] { return decision }
            if current == attribute.owner { return nil }
            index = schema.entities[current].superentity
        }
        return nil
    }
}
