import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryBrowsing
@testable import SeedingTestSupport

/// Pages, one after the other, are the list that is read at once.
struct KeysetPagerTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Base",
            [
                .attribute("number", .integer16), .attribute("large", .integer64), .attribute("exact", .double),
                .attribute("rough", .float), .attribute("price", .decimal), .attribute("name", .string),
                .attribute("day", .date), .attribute("flag", .boolean),
            ]), EntityDescription("Kind", [.attribute("more", .string)], superentity: "Base"),
        EntityDescription("Other", [.attribute("text", .string)], superentity: "Base"),
    ])

    /// Few values, so that many objects have equal ones.
    private static func value(_ name: String, _ random: inout SeededGenerator) -> AttributeValue? {
        let number = Int.random(in: 0..<6, using: &random)
        guard number > 0 else { return nil }
        switch name {
        case "number": return .integer(Int64(number - 3))
        case "large": return .integer([.min, .max, 0, 9_007_199_254_740_993, 9_007_199_254_740_992][number - 1])
        case "exact": return .double([-1e300, -0.5, 0, 0.1, 1e-300][number - 1])
        case "rough": return .float([-3, 0.1, 0.2, 1, 16_777_216][number - 1])
        case "price": return .decimal(Decimal(number) / 4)
        case "name": return .string(["", "a", "B", "\u{e9}", "e\u{301}"][number - 1])
        case "day": return .date(Date(timeIntervalSinceReferenceDate: Double(number) * 0.1))
        case "flag": return .boolean(number > 3)
        default: return .string("x")
        }
    }

    private static func fill(_ store: any StoreBackend, _ count: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var batch = RowBatch()
        var key: Int64 = 0
        for _ in 0..<count {
            // Keys have gaps.
            key += Int64.random(in: 1...3, using: &random)
            let entity = store.schema.entities[Int.random(in: 0..<3, using: &random)]
            let row = batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
            for attribute in entity.attributes {
                guard let value = value(attribute.name, &random) else { continue }
                value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
            }
        }
        let last = key
        try store.transaction { writer in
            try writer.reserveKeys(root: 0, through: last)
            try writer.insert(batch)
        }
    }

    private static let orders = [
        [], ["name:asc"], ["name:desc"], ["number:asc", "name:desc"], ["flag:desc", "number:desc", "name:asc"],
        ["large:asc"],
        ["large:desc"], ["exact:asc"], ["exact:desc"], ["rough:asc"], ["rough:desc"], ["price:asc"],
        ["price:desc", "day:asc"],
        ["day:desc"],
    ]

    /// The keys of all pages of a size.
    private func pages(
        _ store: any StoreBackend, _ entity: Schema.Entity, _ order: [String], _ condition: String?, size: Int
    ) throws -> [Int64] {
        var keys: [Int64] = []
        var items = [("entity", entity.name)] + order.map { ("sort", $0) }
        if let condition { items.append(("where", condition)) }
        var after: Int64?
        while true {
            let query = try ListQuery(PageAddress("/entity", items), entity: entity, of: store)
            var page: [Int64] = []
            try KeysetPager(query, of: store).read(after: after, limit: size) { batch, row in
                page.append(batch.rows[row].key)
                return true
            }
            keys += page
            guard page.count == size, keys.count < 1000 else { return keys }
            after = page.last
        }
    }

    /// The list, sorted in memory.
    private func list(
        _ store: any StoreBackend, _ entity: Schema.Entity, _ order: [String], _ condition: String?
    ) throws -> [Int64] {
        var items = [("entity", entity.name)] + order.map { ("sort", $0) }
        if let condition { items.append(("where", condition)) }
        let query = try ListQuery(PageAddress("/entity", items), entity: entity, of: store)
        return try store.keys(StoreSearch(entities: entity.family, predicate: query.resolved, order: query.order)).map(
            \.key)
    }

    private func compare(_ store: any StoreBackend, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 100)
        for order in Self.orders {
            for condition in [nil, "number > -2 OR name == nil", "flag == YES"] {
                let entity = store.schema.entities[Int.random(in: 0..<2, using: &random)]
                let size = Int.random(in: 1...20, using: &random)
                let found = try pages(store, entity, order, condition, size: size)
                let expected = try list(store, entity, order, condition)
                guard found != expected else { continue }
                Issue.record(
                    "\(entity.name) \(order) \(condition ?? ""), pages of \(size): \(found) is not \(expected)")
            }
        }
    }

    @Test("In memory", arguments: [1, 2, 3] as [UInt64])
    func inMemory(_ seed: UInt64) throws {
        let store = try ExportSamples.store(Self.model)
        try Self.fill(store, 80, seed: seed)
        try compare(store, seed: seed)
    }

    @Test("In an SQLite store", arguments: [1, 2, 3] as [UInt64])
    func sqlite(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "S.sqlite").path
        let created = try SQLiteStore.create(path: path, schema: try Self.model.resolved())
        try Self.fill(created, 80, seed: seed)
        try created.publish()
        var warnings: [Diagnostic] = []
        let store = try SQLiteStore.openForBrowsing(
            path: path, model: nil, busyTimeout: .seconds(1), warnings: &warnings)
        try compare(store, seed: seed)
    }

    @Test func aDeletedObjectIsSaid() throws {
        let store = try ExportSamples.store(Self.model)
        try Self.fill(store, 5, seed: 1)
        let bench = try SiteBench(store)
        let sorted = try bench.get("/entity?entity=Base&sort=name:asc&after=999")
        #expect(sorted.status == 400 && sorted.text.contains("go back to the first page"))
        // In the order of the keys, nothing needs to be known about the object.
        #expect(try bench.get("/entity?entity=Base&after=999").status == 200)
        // An object of another entity is none of the list.
        let others = store.schema.entities[2].index
        let other = try #require(try store.keys(StoreSearch(entities: others..<others + 1)).first)
        #expect(try bench.get("/entity?entity=Kind&sort=name:asc&after=\(other.key)").status == 400)
    }
}
