import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import StoreTestSupport
import TestSupport
import Testing

/// Random programs of 50 operations each, undone to the start and redone to the end.
@Suite("Undo, random programs") struct UndoProgramTests {
    struct Block: Sendable, CustomTestStringConvertible {
        let factory: StoreFactory
        let seeds: [UInt64]

        var testDescription: String { "\(factory.name), \(seeds.count) seeds from \(seeds.first ?? 0)" }
    }

    /// Most programs run in memory: files take their time.
    static let blocks: [Block] =
        [
            Block(factory: .inMemory, seeds: Array(0..<12)), Block(factory: .sqliteOpened, seeds: Array(2000..<2002)),
            // Odd seeds save in between; the others may leave references to nothing, which an archive refuses.
            Block(factory: .archive, seeds: [2001]),
        ]

    @Test("Every state comes back, with every inverse right", arguments: blocks)
    func programs(_ block: Block) { Self.run(block) }

    static func run(_ block: Block) {
        for seed in block.seeds {
            do {
                var program = try UndoProgram(block.factory, seed: seed)
                try program.run(length: 50)
            } catch { Issue.record(error, "seed \(seed)") }
        }
    }
}

/// 1,000 programs in memory, and some in files.
@Suite struct UndoProgramLongTests {
    @Test func programsInFiles() {
        UndoProgramTests.run(.init(factory: .sqliteOpened, seeds: Array(2000..<2008)))
        UndoProgramTests.run(.init(factory: .archive, seeds: [2001, 2003, 2005]))
    }

    @Test(arguments: 0..<UInt64(20)) func programs(_ block: UInt64) {
        UndoProgramTests.run(.init(factory: .inMemory, seeds: Array(block * 50..<block * 50 + 50)))
    }
}
