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
///
/// An attribute that the file does not name has the decision of the model, in the user info `granary.anonymise`.
package struct AnonymisationRules: Sendable {
    /// The name of the file, for messages.
    package let file: String
    /// The decisions by `Entity.attribute`.
    package private(set) var decisions: [String: Decision] = [:]

    /// The key of an attribute's user info with its decision.
    package static let key = "granary.anonymise"

    /// Only the decisions of the model.
    package init() { file = "the model" }

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
            do throws(Decision.Problem) { decisions[name] = try Decision(text) } catch {
                reader.report("\(name): \(error.message)", at: value)
            }
        }
        try reader.problems.throwIfAny()
    }

    /// The decision on an attribute of an entity: its own, or that of the nearest superentity, or that of the model.
    package func decision(on attribute: Schema.Attribute, of entity: Schema.Entity, _ schema: Schema) -> Decision? {
        var index: Int? = entity.index
        while let current = index {
            if let decision = decisions["\(schema.entities[current].name).\(attribute.name)"] { return decision }
            if current == attribute.owner { break }
            index = schema.entities[current].superentity
        }
        guard case .decided(let decision) = modelDecision(on: attribute) else { return nil }
        return decision
    }

    /// What the model's user info has about an attribute.
    private enum ModelDecision {
        case none
        case decided(Decision)
        case wrong(String)
    }

    /// What is wrong with the decision in the model's user info; nil if it is right, or if there is none.
    func modelProblem(_ attribute: Schema.Attribute) -> String? {
        if case .wrong(let reason) = modelDecision(on: attribute) { "\(Self.key): \(reason)" } else { nil }
    }

    private func modelDecision(on attribute: Schema.Attribute) -> ModelDecision {
        guard let text = attribute.description.userInfo[Self.key]?.description else { return .none }
        do throws(Decision.Problem) { return .decided(try Decision(text)) } catch { return .wrong(error.message) }
    }
}
