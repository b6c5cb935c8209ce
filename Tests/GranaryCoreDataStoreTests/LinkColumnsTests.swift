import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// The form of links in the tables. The conformance suite tests their behaviour.
@Suite("Links in the tables") struct LinkColumnsTests {
    private let bench: StoreBench
    private let store: SQLiteStore

    init() throws {
        bench = try StoreBench(.sqliteInTheMaking)
        store = try #require(bench.store as? SQLiteStore)
        try bench.insertNodes(6)
    }

    /// The rows of a query as text.
    private func rows(_ sql: String) throws -> [String] {
        let statement = try store.connection.prepare(sql)
        var found: [String] = []
        while try statement.step() { found.append(try statement.string(at: 0) ?? "NULL") }
        return found
    }

    private var number: Int { get throws { try bench.entity("Node").number } }

    @Test("Order keys begin at 2048 and increase by 1024; removed members have none")
    func orderKeys() throws {
        try bench.setLinks("members", 1, [4, 2, 6])
        let query = "SELECT Z_PK || ' ' || Z_FOK_TEAM FROM ZNODE WHERE ZTEAM = 1 ORDER BY Z_FOK_TEAM"
        #expect(try rows(query) == ["4 2048", "2 3072", "6 4096"])
        try bench.setLinks("members", 1, [6])
        #expect(try rows(query) == ["6 4096"])
        #expect(try rows("SELECT Z_PK FROM ZNODE WHERE Z_FOK_TEAM IS NOT NULL") == ["6"])
    }

    @Test("A new member of an ordered list gets a key in a gap; the others keep their keys")
    func joiningMembers() throws {
        let node = try number
        try bench.setLinks("members", 1, [4, 2])
        try bench.setLinks("members", 1, [5, 4, 6, 2, 3])
        #expect(
            try rows("SELECT Z_PK || ' ' || Z_FOK_TEAM FROM ZNODE WHERE ZTEAM = 1 ORDER BY Z_FOK_TEAM")
                == ["5 1024", "4 2048", "6 2560", "2 3072", "3 4096"])
        try bench.setLinks("ranks", 1, [4, 2])
        try bench.setLinks("ranks", 1, [4, 6, 5, 2])
        let join = try #require(store.layout.joinTables.first { $0.orderColumns.contains("Z_FOK_\(node)RANKS") })
        #expect(
            try rows("SELECT Z_FOK_\(node)RANKS FROM \(join.name) ORDER BY 1")
                == ["2048", "2389", "2730", "3072"])
    }

    @Test("The entity column of a reference contains the concrete entity")
    func entityColumns() throws {
        let leaf = try bench.entity("Leaf")
        try store.transaction { writer in
            try writer.insert(try bench.row("Leaf", 10))
            try writer.insert(try bench.row("Node", 11, references: ["parent": ("Leaf", 10)]))
            try writer.setReference(try bench.relationship("parent"), owner: 1, entity: leaf.index, destination: 10)
            try writer.setLinks(
                try bench.relationship("children"), owner: 2, ownerEntity: try bench.entity("Node").index,
                to: [Link(owner: 2, entity: leaf.index, destination: 10)])
        }
        let column = "Z\(try number)_PARENT"
        #expect(
            try rows(
                "SELECT Z_PK || ' ' || ZPARENT || ' ' || \(column) FROM ZNODE WHERE ZPARENT IS NOT NULL ORDER BY Z_PK")
                == ["1 10 \(leaf.number)", "10 2 \(try number)", "11 10 \(leaf.number)"])
        try bench.setLinks("children", 2, [])
        #expect(try rows("SELECT Z_PK FROM ZNODE WHERE \(column) = \(try number)") == [])
    }

    @Test("An object that joins another list has no order key until the order is completed")
    func movedMembers() throws {
        try bench.setLinks("members", 1, [4, 2])
        try bench.setLinks("members", 3, [5])
        let node = try bench.entity("Node").index
        try store.transaction { writer in
            try writer.setReference(try bench.relationship("team"), owner: 4, entity: node, destination: 3)
            try writer.update(try bench.row("Node", 2, version: 2, references: ["team": ("Node", 3)]))
            // Setting the same list keeps the order key.
            try writer.update(try bench.row("Node", 5, version: 2, references: ["team": ("Node", 3)]))
        }
        #expect(
            try rows("SELECT IFNULL(Z_FOK_TEAM, 0) FROM ZNODE WHERE ZTEAM = 3 ORDER BY Z_PK") == ["0", "0", "2048"])
        #expect(try bench.links("members", 3) == [5, 2, 4])
        try store.transaction { try $0.completeOrder() }
        #expect(try rows("SELECT Z_FOK_TEAM FROM ZNODE WHERE ZTEAM = 3 ORDER BY Z_PK") == ["3072", "4096", "2048"])
        try store.transaction { try $0.update(try bench.row("Node", 5, version: 3)) }
        #expect(try rows("SELECT Z_PK FROM ZNODE WHERE ZTEAM IS NULL AND Z_FOK_TEAM IS NOT NULL") == [])
    }

    @Test("Completing the order takes time in proportion to the rows")
    func largeList() throws {
        let node = try bench.entity("Node").index
        var batch = RowBatch()
        let (slot, count) = (try bench.relationship("team").slot, try bench.entity("Node").slotCount)
        for key in 100..<20_100 {
            let row = batch.appendRow(entity: node, key: Int64(key), version: 1, slotCount: count)
            batch[row, slot] = .reference(key: 1, entity: Int32(node))
        }
        try store.transaction { writer in
            try writer.insert(batch)
            try writer.completeOrder()
        }
        #expect(
            try rows("SELECT MIN(Z_FOK_TEAM) || ' ' || MAX(Z_FOK_TEAM) || ' ' || COUNT(DISTINCT Z_FOK_TEAM) FROM ZNODE")
                == ["2048 \(2_048 + 19_999 * 1_024) 20000"])
    }

    @Test("Deleting an object removes its join table rows and owner keys")
    func nothingDangles() throws {
        for name in ["likes", "reviewers", "ranks", "friends"] {
            try bench.setLinks(name, 1, [1, 2, 3])
            try bench.setLinks(name, 4, [1, 5])
        }
        try store.transaction { try $0.insert(try bench.row("Tag", 1)) }
        try bench.setLinks("tags", 1, [1])
        try bench.setLinks("keeps", 1, [2])
        try store.transaction { try $0.delete(entity: try bench.entity("Node").index, keys: [1]) }
        for join in store.layout.joinTables {
            let (first, second) = (join.firstColumn, join.secondColumn)
            let nodes = "(SELECT Z_PK FROM ZNODE)"
            #expect(
                try rows("SELECT 1 FROM \(join.name) WHERE \(first) NOT IN \(nodes) OR \(second) NOT IN \(nodes)")
                    == [],
                "\(join.name)")
            #expect(try rows("SELECT 1 FROM \(join.name)").isEmpty == false, "\(join.name)")
        }
        #expect(try rows("SELECT Z_PK FROM ZTAG WHERE Z\(try number)TAGS IS NOT NULL") == [])
        #expect(try rows("SELECT Z_PK FROM ZNODE WHERE Z\(try number)KEEPS IS NOT NULL") == [])
    }

    @Test("A relationship that is its own inverse stores each pair in both directions")
    func ownInverse() throws {
        try bench.setLinks("friends", 1, [1, 2])
        let query = "SELECT Z_\(try number)FRIENDS || ' ' || REFLEXIVE FROM Z_\(try number)FRIENDS ORDER BY 1"
        #expect(try rows(query) == ["1 1", "1 2", "2 1"])
        try bench.setLinks("friends", 2, [])
        #expect(try rows(query) == ["1 1"])
    }

    @Test("A link stored in one direction only is read in both, once; changing one end completes or removes it")
    func oneDirection() throws {
        let table = "Z_\(try number)FRIENDS"
        try store.connection.execute("INSERT INTO \(table) VALUES (1, 2), (2, 1), (3, 1), (4, 4), (5, 3)")
        func friends(_ owners: [Int64]?) throws -> [[Int64]] {
            var found: [[Int64]] = []
            try store.readLinks(of: try bench.relationship("friends"), owners: owners) {
                found.append([$0.owner, $0.destination])
            }
            return found
        }
        #expect(try friends(nil) == [[1, 2], [1, 3], [2, 1], [3, 1], [3, 5], [4, 4], [5, 3]])
        #expect(try friends([1, 3]) == [[1, 2], [1, 3], [3, 1], [3, 5]])
        try bench.setLinks("friends", 1, [3])
        #expect(
            try rows("SELECT Z_\(try number)FRIENDS || REFLEXIVE FROM \(table) ORDER BY 1") == ["13", "31", "44", "53"])
        try bench.setLinks("friends", 3, [])
        #expect(try rows("SELECT Z_\(try number)FRIENDS || REFLEXIVE FROM \(table) ORDER BY 1") == ["44"])
    }

    @Test("A derived count follows inserts, changes and deletions; an outdated copy does not overwrite it")
    func derivedCount() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Book",
                [
                    .attribute("pagesCount", .integer64, .derived("pages.@count")),
                    .toMany("pages", "Page", inverse: "book"),
                ]),
            EntityDescription("Page", [.toOne("book", "Book", inverse: "pages")]),
        ])
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        func pages(_ range: ClosedRange<Int64>) -> RowBatch {
            var batch = RowBatch()
            for key in range {
                let row = batch.appendRow(entity: 1, key: key, version: 1, slotCount: 1)
                batch[row, 0] = .reference(key: 1, entity: 0)
            }
            return batch
        }
        var book = RowBatch()
        book.appendRow(entity: 0, key: 1, version: 1, slotCount: 2)
        try store.transaction { writer in
            try writer.insert(pages(1...2))
            try writer.insert(book)
            try writer.insert(pages(3...4))
        }
        let stale = book
        try store.transaction { writer in
            try writer.update(stale)
            try writer.delete(entity: 1, keys: [1])
        }
        #expect(try store.connection.integer("SELECT ZPAGESCOUNT FROM ZBOOK") == 3)
    }

    @Test("A violated uniqueness constraint is reported with its properties")
    func uniqueness() throws {
        try store.transaction { try $0.insert(try bench.row("Account", 1, ["first": "Ann", "last": "Lee"])) }
        let error = #expect(throws: GranaryError.self) {
            try store.transaction { try $0.insert(try bench.row("Savings", 2, ["first": "Ann", "last": "Lee"])) }
        }
        let diagnostic = error?.diagnostics.first
        #expect(diagnostic?.code == .uniqueExists)
        #expect(diagnostic?.property == "first, last")
        #expect(diagnostic?.coreDataCode == Diagnostic.Code.uniqueExists.coreDataCode)
        #expect(try bench.keys("Account") == [1])
    }
}
