/// What a field means, as a slow twin reads it.
enum FaultReading: Sendable {
    case null
    /// A value as ``FaultContents`` has it.
    case value([UInt8])
    /// The objects that a relationship's field refers to, by the bytes of their keys; none for NULL.
    case keys([[UInt8]])
    /// No value of the column.
    case bad
    /// The twin cannot tell whether it is a value; if it is, it is this one.
    case uncertain([UInt8])
}

/// One field of a row.
struct FaultCell: Sendable {
    let text: [UInt8]
    /// In CSV whether it stands in quotes, in JSON whether it is a string.
    var isQuoted: Bool
    var reading: FaultReading

    init(_ column: FaultColumn, _ text: [UInt8], isQuoted: Bool) {
        self.text = text
        self.isQuoted = isQuoted
        reading = FaultTwin.read(column, text, isQuoted: isQuoted)
    }

    init(_ column: FaultColumn, _ text: String, isQuoted: Bool) {
        self.init(column, Array(text.utf8), isQuoted: isQuoted)
    }

    /// The field as CSV has it.
    var raw: [UInt8] {
        guard isQuoted || text.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
            return text
        }
        var raw: [UInt8] = [0x22]
        for byte in text {
            if byte == 0x22 { raw.append(byte) }
            raw.append(byte)
        }
        raw.append(0x22)
        return raw
    }
}

/// One row: a cell for each column of its file.
struct FaultRow: Sendable {
    var cells: [FaultCell]

    /// The row as CSV has it, without its line end.
    var raw: [UInt8] { Array(cells.map(\.raw).joined(separator: [0x2C])) }

    /// What the store has of it.
    func properties(_ columns: [FaultColumn]) -> FaultContents.Properties {
        var properties: FaultContents.Properties = [:]
        for (column, cell) in zip(columns, cells) {
            switch cell.reading {
            case .value(let bytes), .uncertain(let bytes): properties[column.rawValue] = bytes
            case .keys(let keys) where column == .tags:
                if !keys.isEmpty { properties[column.rawValue] = FaultContents.list(unique(keys)) }
            case .keys(let keys): properties[column.rawValue] = keys.first
            case .null, .bad: break
            }
        }
        return properties
    }

    /// An object that stands in a list twice is in it once.
    private func unique(_ keys: [[UInt8]]) -> [[UInt8]] { Array(Set(keys)) }
}

/// One record of a file, and what has to become of it.
struct FaultRecord: Sendable {
    /// The physical lines that it takes.
    var lines: ClosedRange<Int>
    /// Nil for one that is malformed.
    var row: FaultRow?
    /// Whether it has to be rejected; ``FaultOracle`` decides.
    var isBad = false
}
