import GranaryBase
import TestSupport

/// One way to damage a row of a CSV file, and what has to be said of it.
struct FaultDamage: Sendable {
    enum Kind: Sendable {
        /// The column's field has another text.
        case text(FaultColumn, String, isQuoted: Bool)
        /// The row has other bytes; nil where the damage does not suit it.
        case bytes(@Sendable (FaultLine, inout SeededGenerator) -> [UInt8]?)
    }

    let name: String
    /// What may be reported; empty where only the re-read row tells.
    let codes: [Diagnostic.Code]
    /// What property it has to be said of; nil where that does not matter.
    var property: String?
    /// Whether the row may end inside quotes: then the next one has to be good, or nobody knows where that begins.
    var opensQuote = false
    /// Whether it has to be of one line: the rest of a field over several lines may look like a row.
    var needsOneLine = false
    let kind: Kind

    /// The damaged row without its line end; nil where the damage does not suit it.
    func apply(to line: FaultLine, _ random: inout SeededGenerator) -> [UInt8]? {
        if needsOneLine, line.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return nil }
        switch kind {
        case .text(let column, let text, let isQuoted):
            guard let place = line.columns.firstIndex(of: column) else { return nil }
            var line = line
            line.fields[place] = FaultCell(column, text, isQuoted: isQuoted).raw
            return line.bytes
        case .bytes(let change): return change(line, &random)
        }
    }
}

/// A row as its file has it, field by field.
struct FaultLine {
    let columns: [FaultColumn]
    /// Each with its quotes.
    var fields: [[UInt8]]
    /// The same of a good row before it.
    let earlier: [[UInt8]]?

    var bytes: [UInt8] { Array(fields.joined(separator: [0x2C])) }

    /// The place of a field that is quoted, or bare and not empty.
    func place(isQuoted: Bool, _ random: inout SeededGenerator) -> Int? {
        let places = fields.indices.filter { !fields[$0].isEmpty && (fields[$0][0] == 0x22) == isQuoted }
        return places.randomElement(using: &random)
    }
}

/// The damage that was done to a row.
struct FaultFact: Sendable {
    let row: Int
    let name: String
    let codes: [Diagnostic.Code]
    let property: String?
    /// The valid row whose key or object the damaged row takes.
    var holder: Int?

    func isTold(by diagnostic: Diagnostic) -> Bool {
        codes.isEmpty || (codes.contains(diagnostic.code) && (property == nil || property == diagnostic.property))
    }
}
