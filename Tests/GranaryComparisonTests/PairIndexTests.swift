import Testing
@testable import GranaryComparison

@Suite struct PairIndexTests {
    /// An object: its key as text, nil for none, and its primary key.
    private typealias Object = (key: String?, object: Int64)

    private static let cases: [(a: [Object], b: [Object], pairs: [String], unkeyed: Int)] = [
        ([], [], [], 0),
        ([("x", 1)], [("x", 2)], ["1-2"], 0),
        ([("x", 1)], [("y", 1)], ["1-", "-1"], 0),
        ([("x", 1), ("y", 2)], [("y", 1), ("x", 2)], ["1-2", "2-1"], 0),
        // A prefix of a key is another key.
        ([("x", 1)], [("xx", 1), ("", 2)], ["1-", "-1", "-2"], 0),
        ([(nil, 1), (nil, 2)], [(nil, 2), (nil, 3)], ["1-", "2-2", "-3"], 4),
        ([("x", 1), ("x", 2)], [("x", 2)], ["1-", "2-2"], 3),
        ([("x", 2)], [("x", 1), ("x", 2), ("x", 3)], ["2-2", "-1", "-3"], 4),
        ([("x", 1), ("x", 2)], [], ["1-", "2-"], 2),
        ([(nil, 1), ("x", 5)], [("x", 1), ("x", 5), ("z", 7)], ["1-1", "5-5", "-7"], 4),
    ]

    @Test(arguments: cases.indices)
    func `Objects are paired by key, then by primary key`(_ index: Int) throws {
        let (a, b, expected, unkeyed) = Self.cases[index]
        let pairs = try PairIndex(folder: try DiffFolder())
        for entity in [0, 3] {
            for (side, objects) in [(PairIndex.Side.a, a), (.b, b)] {
                for (key, object) in objects {
                    try pairs.add(
                        side, entity: entity, key: key.map { Array($0.utf8) }, object: object, lacksKey: true)
                }
            }
        }
        try pairs.match(nil)
        for entity in [0, 3] {
            var found: [String] = []
            let cursor = try pairs.pairs(entity: entity)
            while let pair = try cursor.next() { found.append("\(pair.object)-\(pair.partner.map { "\($0)" } ?? "")") }
            let rest = try pairs.objectsOnlyInB(entity: entity)
            while let pair = try rest.next() { found.append("-\(pair.object)") }
            #expect(found == expected)
            #expect(pairs.unkeyed[entity] ?? 0 == unkeyed)
            for (_, object) in a {
                let partner = try pairs.partner(entity: entity, object: object)
                let text = expected.first { $0.hasPrefix("\(object)-") }?.split(separator: "-").dropFirst().first
                let wanted = text.flatMap { Int64($0) }.map { PairIndex.Partner.paired($0) }
                #expect(partner == wanted ?? PairIndex.Partner.none)
            }
        }
        #expect(try pairs.partner(entity: 0, object: 99) == .unknown)
        #expect(try pairs.partner(entity: 1, object: 1) == .unknown)
    }
}
