import Foundation
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import Testing

/// What every kind of store does with values that may lie outside it: nothing that a reader could see.
@Suite("Store conformance: external values") struct ExternalConformanceTests {
    private struct Stop: Error {}

    private static let first = AttributeValue.binary(ExternalBench.bytes(200_000, seed: 1))
    private static let second = AttributeValue.binary(ExternalBench.bytes(200_000, seed: 2))

    /// Two photos: the first has long values only.
    private func bench(_ factory: StoreFactory) throws -> StoreBench {
        let bench = try StoreBench(factory, model: ExternalBench.model)
        let photo = try bench.entity("Photo").index
        try bench.store.transaction { writer in
            try writer.reserveKeys(root: photo, through: 2)
            try writer.insert(
                try bench.row("Photo", 1, ["data": Self.first, "plain": Self.first, "shape": Self.second]))
            try writer.insert(try bench.row("Photo", 2, ["data": Self.first, "shape": .binary(Data([2, 1]))]))
        }
        return bench
    }

    private func values(_ bench: StoreBench, _ key: Int64) throws -> [AttributeValue?] {
        try ["data", "plain", "shape"].map { try bench.value("Photo", key, $0) }
    }

    @Test("They are inserted, updated, shortened and deleted", arguments: StoreFactory.all)
    func writing(_ factory: StoreFactory) throws {
        let bench = try bench(factory)
        #expect(try values(bench, 1) == [Self.first, Self.first, Self.second])
        #expect(try values(bench, 2) == [Self.first, nil, .binary(Data([2, 1]))])
        try bench.store.transaction { writer in
            try writer.update(try bench.row("Photo", 1, version: 2, ["data": Self.second, "shape": Self.second]))
            try writer.update(try bench.row("Photo", 2, version: 2, ["data": .binary(Data()), "shape": Self.first]))
        }
        #expect(try values(bench, 1) == [Self.second, nil, Self.second])
        #expect(try values(bench, 2) == [.binary(Data()), nil, Self.first])
        try bench.store.transaction { try $0.delete(entity: try bench.entity("Photo").index, keys: [1]) }
        #expect(try bench.keys("Photo") == [2])
        #expect(try values(bench, 2) == [.binary(Data()), nil, Self.first])
        // The key's next owner has nothing of the former one's.
        try bench.store.transaction { try $0.insert(try bench.row("Photo", 1, ["shape": Self.first])) }
        #expect(try values(bench, 1) == [nil, nil, Self.first])
    }

    @Test("A transaction that throws leaves them as they were", arguments: StoreFactory.all)
    func rollback(_ factory: StoreFactory) throws {
        let bench = try bench(factory)
        let photo = try bench.entity("Photo").index
        #expect(throws: (any Error).self) {
            try bench.store.transaction { writer in
                try writer.update(try bench.row("Photo", 1, version: 2, ["data": Self.second]))
                try writer.delete(entity: photo, keys: [2])
                try writer.insert(try bench.row("Photo", 3, ["data": Self.second]))
                throw Stop()
            }
        }
        #expect(try bench.keys("Photo") == [1, 2])
        #expect(try values(bench, 1) == [Self.first, Self.first, Self.second])
        #expect(try values(bench, 2) == [Self.first, nil, .binary(Data([2, 1]))])
    }
}
