import GranaryModel
import Testing
@testable import GranaryGeneration

@Suite struct LinkDegreesTests {
    private static func end(_ must: Int, _ range: ClosedRange<Int>) throws -> LinkEnd {
        let schema = try ManagedObjectModel(entities: [
            EntityDescription(
                "A",
                [
                    .toMany(
                        "b", "A", inverse: nil, .count(range.lowerBound, range.upperBound == 99 ? 0 : range.upperBound)
                    )
                ])
        ]).resolved()
        var end = LinkEnd(schema.entities[0].relationships[0])
        end.must = UInt64(must)
        return end
    }

    @Test("Every solution keeps the counts of both ends, and no link occurs twice")
    func solutions() throws {
        let ends = try [
            Self.end(0, 0...99), Self.end(2, 2...99), Self.end(0, 3...4), Self.end(3, 3...4), Self.end(1, 1...2), .free,
            .exclusive,
        ]
        var solved = 0
        for a in ends {
            for b in ends {
                for counts in [(1, 1), (3, 5), (6, 4), (10, 10), (1, 12), (7, 0)] as [(UInt64, UInt64)] {
                    guard let degrees = LinkDegrees.solve(a, b, counts: counts, wanted: counts) else {
                        #expect(a.must > 0 || b.must > 0)
                        continue
                    }
                    solved += 1
                    let table = LinkTable(
                        degrees, Permutation(count: counts.0, RandomStream(seed: 1, ["a"])),
                        Permutation(count: counts.1, RandomStream(seed: 1, ["b"])), shift: 1)
                    check(table, a, b, counts)
                }
            }
        }
        #expect(solved > 100)
    }

    private func check(_ table: LinkTable, _ a: LinkEnd, _ b: LinkEnd, _ counts: (UInt64, UInt64)) {
        var owners: [UInt64: Set<UInt64>] = [:]
        for object in 0..<counts.0 {
            let links = table.second(of: object)
            #expect(Set(links).count == links.count)
            #expect(isAllowed(links.count, a), "\(counts) \(a): \(links)")
            for link in links { owners[link, default: []].insert(object) }
        }
        for object in 0..<counts.1 {
            let links = table.first(of: object)
            #expect(Set(links) == owners[object] ?? [] && Set(links).count == links.count)
            #expect(isAllowed(links.count, b), "\(counts) \(b): \(links)")
        }
    }

    private func isAllowed(_ count: Int, _ end: LinkEnd) -> Bool {
        let count = UInt64(count)
        return count == 0 ? end.must == 0 : count >= end.step && count <= end.limit
    }
}
