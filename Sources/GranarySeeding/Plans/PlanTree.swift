import GranaryBase

/// A plan's YAML as a table of nodes. A node names others by their index, so that no walk recurses.
struct PlanTree: Sendable {
    enum Content: Sendable {
        /// A scalar exactly as it is written; plain where it has no quotes.
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
        /// The key that it, or the list it is in, is the value of.
        let label: String?
        /// The line from 1, and the Unicode scalar in it from 1.
        let line: Int
        let column: Int
    }

    /// More nodes than this are refused, those that aliases repeat among them.
    static let maximumNodes = 1_000_000

    let text: PlanText
    var nodes: [Node] = []

    init(_ text: PlanText) { self.text = text }

    /// The first node that was made.
    static let root = 0

    func content(_ node: Int) -> Content { nodes[node].content }

    func position(_ node: Int) -> SourcePosition {
        text.position(line: nodes[node].line, column: nodes[node].column)
    }

    /// The text of a key; keys of other kinds are refused when the plan is read.
    func name(_ key: Int) -> String {
        guard case .text(let text, _) = nodes[key].content else { return "" }
        return text
    }

    func members(_ node: Int) -> [Member] {
        guard case .mapping(let members) = nodes[node].content else { return [] }
        return members
    }
}
