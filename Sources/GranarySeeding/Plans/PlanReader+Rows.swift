import GranaryBase
import GranaryFormats

extension PlanReader {
    /// What all rows of a plan may come to as JSON, the blank lines before them counted too.
    private static let maximumRowBytes = 64 << 20

    private enum Step {
        case node(Int)
        /// A key is text whatever it says.
        case key(Int)
        case byte(UInt8)
    }

    /// A list of mappings as a JSON array, each value on the line that it has in the plan, so that what is wrong with a
    /// row is shown where the plan has it.
    ///
    /// Scalars are JSON strings, which may say values of every type; a plain `null`, `~` or nothing is NULL.
    func rows(_ node: Int) -> [UInt8] {
        guard case .list(let rows) = tree.content(node) else {
            report("a list of rows is needed, each a mapping of properties", at: node)
            return []
        }
        for row in rows {
            if case .mapping = tree.content(row) { continue }
            report("a row is a mapping of properties", at: row)
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
                report("the rows have more than \(Self.maximumRowBytes) bytes as JSON; put them into a file", at: node)
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

    /// Bytes, and line ends and blanks between them that bring them to their places.
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
            // Behind its place already: quotes take room that the plan does not need.
            let missing = position.column - 1 - (bytes.count - lineStart)
            if line == position.line, missing > 0 { bytes += repeatElement(UInt8(ascii: " "), count: missing) }
        }
    }
}
