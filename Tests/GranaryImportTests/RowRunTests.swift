import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import TestSupport
import Testing
@testable import GranaryImport

/// Rows that are noted together give the same places and keys as rows that are noted one by one.
@Suite struct RowRunTests {
    @Test func placesOfRunsAreThoseOfTheirRows() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var (together, single) = (RowPlaces(), RowPlaces())
            var (key, line, record): (Int64, Int, Int) = (1, 2, 1)
            var last: [RowID] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let count = [0, 1, 2, 3, 100].randomElement(using: &random) ?? 1
                together.note(RowID(root: 0, key: key), file: 3, line: line, record: record, count: count)
                for index in 0..<count {
                    let id = RowID(root: 0, key: key + Int64(index))
                    single.note(id, file: 3, line: line + index, record: record + index)
                    last.append(id)
                }
                key += Int64(count)
                line += count
                record += count
                // A rejected record, one of several lines, a key that was asked for.
                if Bool.random(using: &random) { (line, record) = (line + 1, record + 1) }
                if Bool.random(using: &random) { line += 2 }
                if Int.random(in: 0..<5, using: &random) == 0 { key += 10 }
            }
            for id in last {
                #expect(
                    together[id].map { [Int($0.file), $0.line, $0.record] }
                        == single[id].map { [Int($0.file), $0.line, $0.record] })
            }
        }
    }

    @Test func keysOfRunsAreThoseOfTheirRows() {
        var (together, single) = (PrimaryKeys(last: [0: 4]), PrimaryKeys(last: [0: 4]))
        for count in [1, 5, 0, 3] {
            #expect(count == 0 || together.first(of: count, root: 0) == single.last[0].map { $0 + 1 })
            together.take(count, root: 0)
            for _ in 0..<count { #expect(single.next(root: 0) != nil) }
            #expect(together.last == single.last)
        }
        // What was given cannot be asked for.
        for key in 1...20 as ClosedRange<Int64> {
            for keys in [\Both.together, \.single] {
                var both = Both(together: together, single: single)
                let given = both[keyPath: keys].next(root: 0) ?? 0
                #expect(both[keyPath: keys].take(key, insteadOf: given, root: 0) == (key >= 14), "\(key)")
            }
        }
        #expect(PrimaryKeys(last: [0: .max - 1]).first(of: 2, root: 0) == nil)
        #expect(PrimaryKeys(last: [0: .max - 1]).first(of: 1, root: 0) == .max)
    }

    private struct Both {
        var together: PrimaryKeys
        var single: PrimaryKeys
    }
}
