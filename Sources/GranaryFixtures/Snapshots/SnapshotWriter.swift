import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Writes the records of an export as the text of a snapshot.
final class SnapshotWriter: ValueWriter {
    /// Longer binary values are written as their size and SHA-256.
    private static let binaryLimit = 48

    /// The text of one object.
    private struct Block {
        /// The text of its natural key; nil if it has none or a part of it is NULL.
        var key: [UInt8]?
        var lines: [UInt8]
    }

    private let plan: SnapshotPlan
    private var output: [UInt8] = []
    /// The bytes of the output and of the objects of the table.
    private var size = 0
    /// The bytes of the list that is being read.
    private var listSize = 0

    private var entity = SnapshotPlan.Entity()
    private var name = ""
    private var columns: [String] = []
    private var blocks: [Block] = []

    private var identifier: [UInt8] = []
    private var keyParts: [String: [UInt8]] = [:]
    private var lines: [UInt8] = []
    private var list: (column: Int, elements: [[UInt8]])?

    init(_ plan: SnapshotPlan) { self.plan = plan }

    /// The snapshot, after the end of the export.
    var text: String { output.isEmpty ? "no objects\n" : String(decoding: output, as: UTF8.self) }

    func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        name = entity
        self.entity = plan.entities[entity] ?? SnapshotPlan.Entity()
        self.columns = columns
        blocks = []
    }

    func beginRow() throws(GranaryError) {
        identifier = []
        keyParts = [:]
        lines = []
    }

    func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        let column = try self.column(column)
        if case .text(let bytes) = value, column == RecordTable.identifierColumn {
            identifier = Array(bytes)
            return
        }
        if case .null = value { return }
        if entity.ignored.contains(column) { return }
        let text = try Self.text(of: value)
        if entity.key.contains(column) { keyParts[column] = text }
        try add(column, text)
    }

    func beginList(column: Int) throws(GranaryError) { list = (column, []) }

    func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        let text = try Self.text(of: value)
        listSize += text.count
        try check(size + listSize)
        list?.elements.append(text)
    }

    func endList() throws(GranaryError) {
        guard let list else { return }
        self.list = nil
        listSize = 0
        let column = try self.column(list.column)
        guard !list.elements.isEmpty, !entity.ignored.contains(column) else { return }
        var elements = list.elements
        if !entity.ordered.contains(column) { elements.sort { $0.lexicographicallyPrecedes($1) } }
        try add(column, [UInt8(ascii: "[")] + Self.joined(elements) + [UInt8(ascii: "]")])
    }

    func endRow() throws(GranaryError) {
        let parts = entity.key.compactMap { keyParts[$0] }
        let key =
            parts.isEmpty || parts.count < entity.key.count ? nil : Array(parts.joined(separator: Array(", ".utf8)))
        var block = key.map { Array("\(name) ".utf8) + $0 } ?? identifier
        block.append(0x0A)
        if key != nil, entity.showsIdentifier {
            // Other objects refer to it by this name, which the title does not have.
            var text: [UInt8] = []
            identifier.withUnsafeBufferPointer { JSONText.append($0, to: &text) }
            Self.append(RecordTable.identifierColumn, text, to: &block)
        }
        block.append(contentsOf: lines)
        // With the empty line before it.
        size += block.count + 1
        try check(size)
        blocks.append(Block(key: key, lines: block))
    }

    func endTable() throws(GranaryError) {
        // Objects without a key come last, in the order of their primary keys.
        let keyed = blocks.filter { $0.key != nil }.sorted { ($0.key ?? []).lexicographicallyPrecedes($1.key ?? []) }
        for block in keyed + blocks.filter({ $0.key == nil }) {
            if !output.isEmpty { output.append(0x0A) }
            output.append(contentsOf: block.lines)
        }
        blocks = []
    }

    func finish(model: [UInt8]?) throws(GranaryError) {}

    // MARK: - Lines

    private func column(_ index: Int) throws(GranaryError) -> String {
        guard columns.indices.contains(index) else {
            throw GranaryError(.internalDefect, "the table has no column \(index)")
        }
        return columns[index]
    }

    private func add(_ column: String, _ text: [UInt8]) throws(GranaryError) {
        Self.append(column, text, to: &lines)
        try check(size + lines.count)
    }

    private static func append(_ column: String, _ text: [UInt8], to lines: inout [UInt8]) {
        lines.append(contentsOf: "  \(column): ".utf8)
        lines.append(contentsOf: text)
        lines.append(0x0A)
    }

    private func check(_ size: Int) throws(GranaryError) {
        guard size <= plan.maximumBytes else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "the snapshot has more than \(plan.maximumBytes) bytes; compare such stores with StoreDiff"
                ))
        }
    }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: Array(", ".utf8))) }

    private static func text(of value: BorrowedValue) throws(GranaryError) -> [UInt8] {
        var text: [UInt8] = []
        switch value {
        case .null: text.append(contentsOf: "null".utf8)
        case .text(let bytes), .uri(let bytes): JSONText.append(bytes, to: &text)
        case .binary(let bytes) where bytes.count > binaryLimit:
            var digest = ContentDigest()
            digest.update(UnsafeRawBufferPointer(bytes))
            text.append(contentsOf: "\(bytes.count) bytes, SHA-256 \(digest.hexadecimal)".utf8)
        case .date(let seconds):
            if DateText.append(seconds, to: &text) { break }
            // A year that ISO 8601 cannot express.
            try ValueText.append(value, dates: .seconds, binary: .base64, nonFinite: .text, to: &text)
        default: try ValueText.append(value, dates: .iso8601, binary: .base64, nonFinite: .text, to: &text)
        }
        return text
    }
}
