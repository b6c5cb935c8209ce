package import GranaryBase

/// The values of a YAML or JSON text as a table of nodes, with their positions. Nodes refer to others by index, so that no traversal is recursive.
package struct PlacedTree: Sendable {
    package enum Content: Sendable {
        /// A scalar as it is written; plain if it has no quotes.
        case text(String, isPlain: Bool)
        case list([Int])
        case mapping([Member])
    }

    package struct Member: Sendable {
        package let key: Int
        package let value: Int
    }

    package struct Node: Sendable {
        package var content: Content
        /// The key whose value is this node, or the list that contains it.
        package let label: String?
        /// The line, and the Unicode scalar in it, both from 1.
        package let line: Int
        package let column: Int
    }

    /// The maximum number of nodes, including those that aliases repeat.
    package static let maximumNodes = 1_000_000

    package let text: PlacedText
    package internal(set) var nodes: [Node] = []

    init(_ text: PlacedText) { self.text = text }

    /// The index of the root.
    package static let root = 0

    package func content(_ node: Int) -> Content { nodes[node].content }

    package func position(_ node: Int) -> SourcePosition {
        text.position(line: nodes[node].line, column: nodes[node].column)
    }

    /// The text of a key. Other keys are refused when the plan is read.
    package func name(_ key: Int) -> String {
        guard case .text(let text, _) = nodes[key].content else { return "" }
        return text
    }

    package func members(_ node: Int) -> [Member] {
        guard case .mapping(let members) = nodes[node].content else { return [] }
        return members
    }

    /// Adds a node without content.
    mutating func add(label: String?, line: Int, column: Int) -> Int {
        nodes.append(Node(content: .text("", isPlain: true), label: label, line: line, column: column))
        return nodes.count - 1
    }
}
