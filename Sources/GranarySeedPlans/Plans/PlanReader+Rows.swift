import GranaryBase
import GranaryFormats
import GranaryYAML

extension PlanReader {
    /// The maximum size of all rows of a plan as JSON, including the blank lines before them.
    private static let maximumRowBytes = 64 << 20

    private enum Step {
        case node(Int)
        /// A key, which is always text.
        case key(Int)
        case byte(UInt8)
    }

    /// Converts a list of mappings to a JSON array in which each value is on the same line as in the plan, so that
    /// diagnostics have the positions in the plan.
    ///
    /// Scalars become JSON strings, from which values of every type are parsed. A plain `null`, `~` or an empty value
    /// is NULL.
    func rows(_ node: Int) -> [UInt8] {
        guard case .list(let rows) = tree.content(node) else {
            report("a list of rows is required, each a mapping of properties", at: node)
            return []
        }
        for row in rows {
            if case .mapping = tree.content(row) { continue }
            report("a row must be a mapping of properties", at: row)
        }
        var json = PlacedBytes()
        var steps = [Step.node(node)]
        while let step = steps.popLast() {
            let node: Int
            switch step {
            case .byte(let byte):
                json.bytes.append(byte)
                continue
            case .key(let key):
                json.move(to: tree.position(key))
                JSONText.append(tree.name(key), to: &json.bytes)
                continue
            case .node(let next): node = next
            }
            json.move(to: tree.position(node))
            guard rowBytes + json.bytes.count <= Self.maximumRowBytes else {
                report("the rows have more than \(Self.maximumRowBytes) bytes as JSON; move them to a file", at: node)
                return []
            }
            switch tree.content(node) {
            case .text(let text, let isPlain):
                if isPlain, ["", "~", "null"].contains(text) {
                    json.bytes += Array("null".utf8)
                } else {
                    JSONText.append(expanded(text, at: node) ?? "", to: &json.bytes)
                }
            case .list(let elements):
                steps.append(.byte(UInt8(ascii: "]")))
                for (index, element) in elements.enumerated().reversed() {
                    steps.append(.node(element))
                    if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
                }
                json.bytes.append(UInt8(ascii: "["))
            case .mapping(let members):
                steps.append(.byte(UInt8(ascii: "}")))
                for (index, member) in members.enumerated().reversed() {
                    steps += [.node(member.value), .byte(UInt8(ascii: ":")), .key(member.key)]
                    if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
                }
                json.bytes.append(UInt8(ascii: "{"))
            }
        }
        rowBytes += json.bytes.count
        return json.bytes
    }

    /// Bytes that are padded with line feeds and spaces up to given positions.
    private struct PlacedBytes {
        var bytes: [UInt8] = []
        private var line = 1
        private var lineStart = 0

        mutating func move(to position: SourcePosition) {
            while line < position.line {
                bytes.append(UInt8(ascii: "\n"))
                line += 1
                lineStart = bytes.count
            }
            // Quotes can take more room than in the plan, so that the position is already passed.
            let missing = position.column - 1 - (bytes.count - lineStart)
            if line == position.line, missing > 0 { bytes += repeatElement(UInt8(ascii: " "), count: missing) }
        }
    }
}
