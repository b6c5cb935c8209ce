import TestSupport
import Testing

@testable import GranaryFormats

@Suite("CSV: generated text against a slow twin")
struct CSVGeneratedTests {
    /// Bytes that matter, often enough to make and to break records.
    private static func text(_ generator: inout SeededGenerator) -> [UInt8] {
        let pieces: [[UInt8]] = [
            [0x2C], [0x2C], [0x2C], [0x22], [0x22], [0x0A], [0x0A], [0x0D], [0x0D, 0x0A], Array("a".utf8),
            Array(" ".utf8),
            Array("ä€".utf8), Array("\"x\"".utf8), Array("\"\",".utf8), Array("\"x,\n\"\"".utf8), Array("#".utf8),
            Array("1,2\n".utf8), Array("long text ".utf8), Array("\"q\",\"r\"\r\n".utf8),
        ]
        var result: [UInt8] = Int.random(in: 0..<20, using: &generator) == 0 ? [0xEF, 0xBB, 0xBF] : []
        for _ in 0..<Int.random(in: 0..<40, using: &generator) {
            result += pieces.randomElement(using: &generator) ?? []
            if Int.random(in: 0..<60, using: &generator) == 0 {
                result.append([0x00, 0xFF, 0xC3, 0x80].randomElement(using: &generator) ?? 0)
            }
        }
        return result
    }

    @Test(arguments: 0..<2)
    func agreesWithTheTwin(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<400 {
            let text = Self.text(&generator)
            let width = Int.random(in: 1...3, using: &generator)
            let comment: UInt8? = Bool.random(using: &generator) ? UInt8(ascii: "#") : nil
            let twin = CSVTwin.read(text, width: width, comment: comment)
            var options = CSVReader.Options.headerless((1...width).map { "c\($0)" })
            options.comment = comment
            for chunkBytes in [1, 2, 3, 7, 1 << 16] {
                let reading = try Reading.csv(text, options, chunkBytes: chunkBytes)
                // The reader says that four bytes look like UTF-16; the twin only that they hold U+0000.
                if case .thrown("encoding.invalid", _, _, _) = reading.outcomes.first, text.prefix(4).contains(0) {
                    continue
                }
                try #require(reading.outcomes == twin.outcomes, "round \(round), chunks of \(chunkBytes), \(text)")
                try #require(reading.skippedBlankLines == twin.skipped, "round \(round), \(text)")
            }
        }
    }
}

@Suite("CSV: more generated text against a slow twin")
struct CSVGeneratedLongTests {
    @Test(arguments: 2..<8)
    func agreesWithTheTwin(seed: Int) throws { try CSVGeneratedTests().agreesWithTheTwin(seed: seed) }
}
