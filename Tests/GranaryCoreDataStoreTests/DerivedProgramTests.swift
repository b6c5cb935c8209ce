import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// Compares random saves, imports and foreign SQL statements with ``DerivedTwin``.
@Suite("Derived attributes: random operations") struct DerivedProgramTests {
    static let kinds: [StoreFactory] = [.sqliteInTheMaking] + StoreFactory.derivingPostgreSQL

    @Test("Every derived column is correct after every step", arguments: UInt64(0)..<4, kinds)
    func programs(_ seed: UInt64, _ factory: StoreFactory) throws {
        // A server takes longer for each step.
        try run(seed, factory, steps: factory.name == StoreFactory.sqliteInTheMaking.name ? 60 : 20)
    }

    func run(_ seed: UInt64, _ factory: StoreFactory, steps: Int) throws {
        var program = DerivedProgram(bench: try DerivedBench(factory), seed: seed)
        for step in 0..<steps {
            let what = try program.step()
            #expect(try DerivedTwin(program.bench.backend).differences() == [], "step \(step): \(what)")
        }
    }

    @Test("A store that is filled at once has the same values", arguments: kinds)
    func copies(_ factory: StoreFactory) throws {
        var program = DerivedProgram(bench: try DerivedBench(.sqliteInTheMaking), seed: 9)
        // Without references to no object.
        program.isSound = true
        for _ in 0..<60 { _ = try program.step() }
        let copy = try factory.make(try DerivedBench.model.resolved()).store
        try StoreCopy(source: program.bench.backend, destination: copy).run()
        try copy.publish()
        #expect(try DerivedTwin(copy).differences() == [])
    }
}

struct DerivedProgram {
    let bench: DerivedBench
    private var random: SeededGenerator
    /// The next key. No key is used twice in any table.
    private var nextKey: Int64 = 1
    private var owners: [Int64: String] = [:]
    private var items: [Int64] = []
    private var tags: [Int64] = []

    /// Whether the store is read with SQL of SQLite, and can have references to no object.
    private let isSQLite: Bool
    var isSound = false

    init(bench: DerivedBench, seed: UInt64) {
        self.bench = bench
        isSQLite = bench.backend is SQLiteStore
        random = SeededGenerator(seed: seed)
    }

    /// Performs a random operation and returns its description.
    mutating func step() throws -> String {
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: return try insertOwner()
        case 2, 3, 4: return try insertItem()
        case 5: return try insertTag()
        case 6: return try updateItem()
        case 7: return try updateOwner()
        case 8: return try updateTag()
        case 9, 10: return try changeLinks()
        case 11: return try setReference()
        case 12: return try delete()
        default: return isSQLite ? try runSQL() : try changeLinks()
        }
    }

    private mutating func takeKey() -> Int64 {
        nextKey += 1
        return nextKey - 1
    }

    private mutating func whole() -> AttributeValue? {
        Bool.random(using: &random) ? .integer(Int64.random(in: -9...9, using: &random)) : nil
    }

    private mutating func quarters() -> AttributeValue? {
        Bool.random(using: &random) ? .decimal(Decimal(Int.random(in: -40...40, using: &random)) / 4) : nil
    }

    private mutating func name() -> AttributeValue? {
        let names: [AttributeValue?] = ["Zoë", "ÉCLAIR", "straße", "plain", "", nil]
        return names.randomElement(using: &random) ?? nil
    }

    private mutating func owner() -> Int64? { owners.keys.sorted().randomElement(using: &random) }

    /// An existing owner, a later one, or none.
    private mutating func ownerReference(_ name: String) -> [String: (entity: String, key: Int64)] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return [:]
        case 1 where isSQLite && !isSound: return [name: (entity: "Owner", key: nextKey + 1)]
        default:
            guard let key = owner() else { return [:] }
            return [name: (entity: owners[key] ?? "Owner", key: key)]
        }
    }

    private func write(_ row: RowBatch, isNew: Bool) throws {
        try bench.backend.transaction { writer in
            if isNew { try writer.insert(row) } else { try writer.update(row) }
        }
    }

    private mutating func writeOwner(_ key: Int64, _ entity: String, isNew: Bool) throws {
        var references = ownerReference("parent")
        if Int.random(in: 0..<8, using: &random) == 0 { references["parent"] = (entity: entity, key: key) }
        // The value of a derived attribute in a row is ignored.
        let values: [String: AttributeValue?] = [
            "name": name(), "weight": whole(), "total": isNew ? whole() : nil, "again": isNew ? name() : nil,
        ]
        try write(try bench.row(entity, key, version: isNew ? 1 : 2, values, references: references), isNew: isNew)
    }

    private mutating func insertOwner() throws -> String {
        let key = takeKey()
        let entity = Bool.random(using: &random) ? "Owner" : "Chief"
        owners[key] = entity
        try writeOwner(key, entity, isNew: true)
        return "insert \(entity) p\(key)"
    }

    private mutating func updateOwner() throws -> String {
        guard let key = owner(), let entity = owners[key] else { return "nothing" }
        try writeOwner(key, entity, isNew: false)
        return "update \(entity) p\(key)"
    }

    private mutating func writeItem(_ key: Int64, isNew: Bool) throws {
        let values: [String: AttributeValue?] = ["amount": whole(), "price": quarters()]
        let references = ownerReference("owner")
        try write(try bench.row("Item", key, version: isNew ? 1 : 2, values, references: references), isNew: isNew)
    }

    private mutating func insertItem() throws -> String {
        let key = takeKey()
        items.append(key)
        try writeItem(key, isNew: true)
        return "insert Item p\(key)"
    }

    private mutating func updateItem() throws -> String {
        guard let key = items.randomElement(using: &random) else { return "nothing" }
        try writeItem(key, isNew: false)
        return "update Item p\(key)"
    }

    private mutating func insertTag() throws -> String {
        let key = takeKey()
        tags.append(key)
        let weight = whole()
        try write(try bench.row("Tag", key, ["weight": weight]), isNew: true)
        return "insert Tag p\(key)"
    }

    private mutating func updateTag() throws -> String {
        guard let key = tags.randomElement(using: &random) else { return "nothing" }
        let weight = whole()
        try write(try bench.row("Tag", key, version: 2, ["weight": weight]), isNew: false)
        return "update Tag p\(key)"
    }

    private mutating func pick(_ keys: [Int64]) -> [Int64] {
        Array(keys.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
    }

    private mutating func changeLinks() throws -> String {
        if let tag = tags.randomElement(using: &random), Int.random(in: 0..<4, using: &random) == 0 {
            let members = pick(owners.keys.sorted())
            try bench.setLinks("owners", of: "Tag", tag, members)
            return "owners of Tag p\(tag)"
        }
        guard let key = owner(), let entity = owners[key],
            let name = ["items", "tags", "friends", "likes", "likedBy", "children"].randomElement(using: &random)
        else { return "nothing" }
        let others = name == "items" ? items : name == "tags" ? tags : owners.keys.sorted()
        let members = pick(others)
        try bench.setLinks(name, of: entity, key, members)
        return "\(name) of \(entity) p\(key)"
    }

    private mutating func setReference() throws -> String {
        guard let key = owner(), let item = items.randomElement(using: &random) else { return "nothing" }
        let relationship = try #require(try bench.entity("Item").relationship(named: "owner"))
        let entity = try bench.entity(owners[key] ?? "Owner").index
        try bench.backend.transaction { writer in
            try writer.setReference(relationship, owner: item, entity: entity, destination: key)
        }
        return "owner of Item p\(item)"
    }

    private mutating func delete() throws -> String {
        if let key = tags.last, Bool.random(using: &random) {
            tags.removeLast()
            let entity = try bench.entity("Tag").index
            try bench.backend.transaction { try $0.delete(entity: entity, keys: [key]) }
            return "delete Tag p\(key)"
        }
        guard let key = owner(), let entity = owners.removeValue(forKey: key) else { return "nothing" }
        // The delete rule is nullify.
        for name in ["items", "children"] { try bench.setLinks(name, of: entity, key, []) }
        let index = try bench.entity(entity).index
        try bench.backend.transaction { try $0.delete(entity: index, keys: [key]) }
        return "delete \(entity) p\(key)"
    }

    private mutating func runSQL() throws -> String {
        let key = owner() ?? 1
        let statements = [
            "UPDATE ZITEM SET ZOWNER = ZOWNER, ZAMOUNT = ZAMOUNT, ZPRICE = ZPRICE",
            "UPDATE ZITEM SET ZOWNER = \(key) WHERE Z_PK % 3 = 0", "UPDATE ZITEM SET ZOWNER = NULL WHERE Z_PK % 5 = 0",
            "UPDATE ZITEM SET ZAMOUNT = -ZAMOUNT, ZPRICE = ZPRICE + 0.5",
            "UPDATE ZOWNER SET ZWEIGHT = ZWEIGHT + 1, ZNAME = ZNAME || 'X'",
            "UPDATE ZOWNER SET ZPARENT = \(key), ZWEIGHT = NULL WHERE Z_PK % 2 = 0",
            "DELETE FROM ZITEM WHERE Z_PK % 7 = 1",
        ]
        guard let sql = statements.randomElement(using: &random) else { return "nothing" }
        try bench.store.connection.execute(sql)
        if sql.hasPrefix("DELETE") { items.removeAll { $0 % 7 == 1 } }
        return sql
    }
}

@Suite struct DerivedProgramLongTests {
    @Test("Every derived column is correct after every step", arguments: UInt64(0)..<16)
    func programs(_ seed: UInt64) throws {
        for factory in DerivedProgramTests.kinds { try DerivedProgramTests().run(seed, factory, steps: 60) }
    }
}
