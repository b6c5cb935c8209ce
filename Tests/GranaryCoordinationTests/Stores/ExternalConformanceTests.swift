import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// External values behave the same in every kind of store.
@Suite("Store conformance: external values") struct ExternalConformanceTests {
    private struct Stop: Error {}

    private static let first = AttributeValue.binary(ExternalBench.bytes(200_000, seed: 1))
    private static let second = AttributeValue.binary(ExternalBench.bytes(200_000, seed: 2))

    /// Two photos. The first has only long values.
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

    @Test("External values are inserted, updated, shortened and deleted", arguments: StoreFactory.conforming)
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
        // A new object with the same key has no value of the deleted one.
        try bench.store.transaction { try $0.insert(try bench.row("Photo", 1, ["shape": Self.first])) }
        #expect(try values(bench, 1) == [nil, nil, Self.first])
    }

    @Test("A transaction that throws leaves external values unchanged", arguments: StoreFactory.conforming)
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
