import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

@Suite("CSV: a quote too many or too few in generated files")
struct CSVSalvageGeneratedTests {
    /// A file of good rows, one of them damaged.
    private struct Sample {
        var text: [UInt8] = Array("id,name,day,note\n".utf8)
        /// The rows that are whole: physical line, offset and bytes.
        var good: [Row] = []
        var damagedLines = 0..<0
    }

    private struct Row: Equatable {
        let line: Int
        let offset: Int
        let raw: [UInt8]
    }

    private static func sample(_ generator: inout SeededGenerator) -> Sample {
        let end: [UInt8] = Bool.random(using: &generator) ? [0x0A] : [0x0D, 0x0A]
        let rows = (0..<Int.random(in: 2...12, using: &generator)).map { row($0, &generator) }
        let damaged = Int.random(in: 0..<rows.count, using: &generator)
        var sample = Sample()
        var line = 2
        for (index, row) in rows.enumerated() {
            let raw = index == damaged ? damage(row, &generator) : row
            let next = line + 1 + row.count(where: { $0 == 0x0A })
            if index == damaged {
                sample.damagedLines = line..<next
            } else {
                sample.good.append(Row(line: line, offset: sample.text.count, raw: raw))
            }
            sample.text += raw + end
            line = next
        }
        return sample
    }

    private static func row(_ index: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let day = "2020-01-\(Int.random(in: 10...28, using: &generator))"
        let fields = ["\(index)", text(&generator), day, text(&generator)]
        return Array(fields.joined(separator: ",").utf8)
    }

    /// A field of text as a file has it. It begins with a letter: a quote before a delimiter or a line end could be
    /// taken for one that closes, and then a row is short or long instead of broken.
    private static func text(_ generator: inout SeededGenerator) -> String {
        guard Int.random(in: 0..<3, using: &generator) > 0 else {
            return ["", "bare", "x y"][Int(generator.next() % 3)]
        }
        let pieces = ["a", "bc ", ",", "\n", "\"\"", "1,2", "é"]
        var result = "t"
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            result += pieces.randomElement(using: &generator) ?? ""
        }
        return "\"\(result)\""
    }

    private static func damage(_ row: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var row = row
        let quotes = row.indices.filter { row[$0] == 0x22 }
        if let place = quotes.randomElement(using: &generator), Bool.random(using: &generator) {
            row.remove(at: place)
        } else {
            row.insert(0x22, at: Int.random(in: 0...row.count, using: &generator))
        }
        return row
    }

    @Test(arguments: 0..<2)
    func losesNoOtherRow(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<150 {
            let sample = Self.sample(&generator)
            for chunkBytes in [1, 7, 64, 1 << 18] {
                let reader = try CSVReader(
                    ByteSource(bytes: sample.text, name: "t.csv"), options: .init(), chunkBytes: chunkBytes)
                try reader.readHeader()
                reader.judge = CSVTestJudge("itdt")
                var record = Record()
                var good: [Row] = []
                var bad: [Int] = []
                var numbers: [Int] = []
                loop: while true {
                    switch try reader.next(into: &record) {
                    case .record:
                        if !sample.damagedLines.contains(record.line) {
                            good.append(Row(line: record.line, offset: record.byteOffset, raw: record.raw))
                        }
                    case .malformed(let diagnostic):
                        bad.append(diagnostic.position?.line ?? 0)
                        let end = record.byteOffset + record.raw.count
                        #expect(Array(sample.text[record.byteOffset..<end]) == record.raw)
                    case .end: break loop
                    }
                    numbers.append(record.number)
                }
                let place = "round \(round), chunks of \(chunkBytes): \(String(decoding: sample.text, as: UTF8.self))"
                try #require(good == sample.good, "\(place)")
                try #require(!bad.isEmpty && bad.allSatisfy { sample.damagedLines.contains($0) }, "\(bad) \(place)")
                #expect(numbers == Array(1...numbers.count))
            }
        }
    }
}

struct CSVSalvageGeneratedLongTests {
    @Test(arguments: 2..<6)
    func losesNoOtherRow(seed: Int) throws { try CSVSalvageGeneratedTests().losesNoOtherRow(seed: seed) }
}
