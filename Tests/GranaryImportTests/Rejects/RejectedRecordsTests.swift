import TestSupport
import Testing
@testable import GranaryImport

@Suite struct RejectedRecordsTests {
    @Test(arguments: [1, 64, 4096, 100_000, 1 << 40])
    func `It is a set of numbers`(_ range: Int) {
        var generator = SeededGenerator(seed: UInt64(range))
        var records = RejectedRecords()
        var twin: Set<Int> = []
        for _ in 0..<5000 {
            let number = Int.random(in: 0..<range, using: &generator)
            records.insert(number)
            twin.insert(number)
        }
        #expect(records.count == twin.count)
        var wrong = 0
        for number in twin where !records.contains(number) { wrong += 1 }
        for _ in 0..<5000 {
            let number = Int.random(in: 0..<range, using: &generator)
            if records.contains(number) != twin.contains(number) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func `No number is too large or too small`() {
        var records = RejectedRecords()
        #expect(records.isEmpty)
        for number in [Int.max, Int.min, 0, -1, -4096, 63, 64] { records.insert(number) }
        #expect(records.count == 7)
        #expect(records.contains(.max) && records.contains(.min) && records.contains(-4096))
        #expect(!records.contains(1) && !records.contains(-2) && !records.contains(.max - 1))
    }
}
