import GranaryBase
import GranaryFormats
import TestSupport
@testable import GranaryImport

/// Items as JSON Lines or as an array with one object a line, damaged.
struct FaultJSON {
    let columns: [FaultColumn]
    let isLines: Bool
    private(set) var lines: [String] = []
    private(set) var facts: [FaultFact] = []
    private(set) var records: [FaultRecord] = []

    init(seed: UInt64, rowCount: Int, isLines: Bool) {
        var random = SeededGenerator(seed: seed)
        self.isLines = isLines
        columns = FaultColumn.choice(&random)
        let isDamaged = (0..<rowCount).map { _ in random.next() % 2 == 0 }
        var generator = FaultGenerator(columns, seed: random.next())
        for (index, row) in generator.rows(isDamaged: isDamaged).enumerated() {
            var row: FaultRow? = row
            var line = Self.object(row?.cells ?? [], columns, &random)
            if isDamaged[index], let damage = spoil(&row, &line, &random) {
                facts.append(FaultFact(row: index, name: damage.name, codes: damage.codes, property: damage.property))
            }
            lines.append(line)
            let number = index + (isLines ? 1 : 2)
            records.append(FaultRecord(lines: number...number, row: row))
        }
    }

    private func spoil(
        _ row: inout FaultRow?, _ line: inout String, _ random: inout SeededGenerator
    ) -> FaultJSONDamage? {
        for _ in 0..<100 {
            guard let damage = FaultJSONDamage.all.randomElement(using: &random), isLines || !damage.isForLines,
                let cells = row?.cells
            else { continue }
            switch damage.kind {
            case .line(let change):
                line = change(line)
                row = nil
                return damage
            case .member(let column, let text, let reading):
                guard let place = columns.firstIndex(of: column) else { continue }
                row?.cells[place].reading = reading
                var members = Self.members(cells, columns, &random).filter { $0.name != column.rawValue }
                members.append((column.rawValue, text))
                line = Self.object(members)
                return damage
            }
        }
        return nil
    }

    var bytes: [UInt8] {
        let text = isLines ? lines.map { $0 + "\n" }.joined() : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
        return Array(text.utf8)
    }

    func reader() -> JSONReader {
        var options = JSONReader.Options()
        options.lines = isLines
        return JSONReader(ByteSource(bytes: bytes, name: "items.json"), options: options)
    }

    // MARK: Writing

    private static func object(
        _ cells: [FaultCell], _ columns: [FaultColumn], _ random: inout SeededGenerator
    ) -> String {
        object(members(cells, columns, &random))
    }

    private static func object(_ members: [(name: String, text: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.text)" }.joined(separator: ", ") + "}"
    }

    private static func members(
        _ cells: [FaultCell], _ columns: [FaultColumn], _ random: inout SeededGenerator
    ) -> [(name: String, text: String)] {
        var members: [(name: String, text: String)] = []
        for (column, cell) in zip(columns, cells) {
            let text = text(of: cell, column)
            // What is absent is NULL too.
            if text == "null", random.next() % 2 == 0 { continue }
            members.append((column.rawValue, text))
        }
        return members
    }

    private static func text(of cell: FaultCell, _ column: FaultColumn) -> String {
        if cell.text.isEmpty, !cell.isQuoted { return "null" }
        let text = String(decoding: cell.text, as: UTF8.self)
        if case .keys(let keys) = cell.reading, column == .tags {
            // Behind its mark a key is its text.
            return "[" + keys.map { string(String(decoding: $0.dropFirst(), as: UTF8.self)) }.joined(separator: ",")
                + "]"
        }
        let isLiteral = column.isNumber ? !text.hasPrefix("+") : column == .flag && ["true", "false"].contains(text)
        return isLiteral && !cell.isQuoted ? text : string(text)
    }

    static func string(_ text: String) -> String {
        var escaped = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped + "\""
    }
}
