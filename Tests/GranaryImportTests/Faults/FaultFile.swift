import GranaryBase
import GranaryFormats
import GranaryRecords
import TestSupport
@testable import GranaryImport

/// A CSV file of items with damaged rows: what it has, and what has to become of it.
struct FaultFile {
    let columns: [FaultColumn]
    let lineEnd: [UInt8]
    /// The rows before any was damaged.
    private(set) var rows: [FaultRow] = []
    /// The bytes of each row as the file has them, without their line ends.
    private(set) var lines: [[UInt8]] = []
    private(set) var facts: [FaultFact] = []
    private(set) var records: [FaultRecord] = []
    private(set) var linesOfRow: [ClosedRange<Int>] = []

    /// - Parameter damaged: how many rows of eight are damaged.
    init(
        seed: UInt64, rowCount: Int, damaged: Int, by damages: [FaultDamage], columns: [FaultColumn]? = nil,
        known: [[UInt8]] = []
    ) {
        var random = SeededGenerator(seed: seed)
        self.columns = columns ?? FaultColumn.choice(&random)
        lineEnd = random.next() % 2 == 0 ? [0x0A] : [0x0D, 0x0A]
        let isDamaged = (0..<rowCount).map { _ in Int.random(in: 0..<8, using: &random) < damaged }
        var generator = FaultGenerator(self.columns, seed: random.next())
        rows = generator.rows(isDamaged: isDamaged, known: known)
        var earlier: Int?
        var opensQuote = false
        for index in rows.indices {
            if opensQuote, let name = self.columns.firstIndex(of: .name) {
                // Its quote shows that the one before is still open.
                rows[index].cells[name].isQuoted = true
            }
            opensQuote = false
            let isNextGood = index + 1 == rowCount || !isDamaged[index + 1]
            let damage =
                isDamaged[index] ? spoil(index, damages, earlier: earlier, isNextGood: isNextGood, &random) : nil
            if let (damage, bytes) = damage {
                var fact = FaultFact(row: index, name: damage.name, codes: damage.codes, property: damage.property)
                if damage.name.hasPrefix("taken") { fact.holder = earlier }
                facts.append(fact)
                lines.append(bytes)
                opensQuote = damage.opensQuote
            } else {
                lines.append(rows[index].raw)
                // A row stays the earlier one for several rows, so that it can be in another batch.
                if earlier == nil || index % 7 == 0 { earlier = index }
            }
        }
        findRecords()
    }

    private func spoil(
        _ index: Int, _ damages: [FaultDamage], earlier: Int?, isNextGood: Bool, _ random: inout SeededGenerator
    ) -> (FaultDamage, [UInt8])? {
        let line = FaultLine(
            columns: columns, fields: rows[index].cells.map(\.raw),
            earlier: earlier.map { rows[$0].cells.map(\.raw) })
        for _ in 0..<100 {
            guard let damage = damages.randomElement(using: &random), isNextGood || !damage.opensQuote,
                let bytes = damage.apply(to: line, &random), bytes != line.bytes
            else { continue }
            return (damage, bytes)
        }
        return nil
    }

    /// Reads every row once more, as its bytes are now.
    private mutating func findRecords() {
        var line = 2
        let damaged = Set(facts.map(\.row))
        for index in lines.indices {
            let end = line + FaultSplitter.lineEnds(lines[index] + lineEnd)
            if damaged.contains(index) {
                for (place, row) in FaultSplitter.records(lines[index], columns, like: rows[index]) {
                    records.append(FaultRecord(lines: place.lowerBound + line...place.upperBound + line, row: row))
                }
            } else {
                records.append(FaultRecord(lines: line...end - 1, row: rows[index]))
            }
            linesOfRow.append(line...end - 1)
            line = end
        }
    }

    // MARK: As bytes

    func bytes(of lines: some Sequence<[UInt8]>) -> [UInt8] {
        var bytes = Array(columns.map(\.rawValue).joined(separator: ",").utf8) + lineEnd
        for line in lines { bytes += line + lineEnd }
        return bytes
    }

    /// The file as it is.
    var bytes: [UInt8] { bytes(of: lines) }

    /// The file as it was before.
    var goodBytes: [UInt8] { bytes(of: rows.map(\.raw)) }

    static func job(_ bytes: [UInt8], _ options: ImportOptions = ImportOptions()) -> ImportJob {
        ImportJob(entity: "Item", sources: [source(bytes, name: "items.csv")], options: options)
    }

    static func source(_ bytes: [UInt8], name: String) -> ImportSource {
        ImportSource(name: name, nests: false) { () throws(GranaryError) -> any RecordReader in
            // Small chunks: many rows lie across their borders.
            try CSVReader(ByteSource(bytes: bytes, name: name), options: CSVReader.Options(), chunkBytes: 1 << 16)
        }
    }
}
