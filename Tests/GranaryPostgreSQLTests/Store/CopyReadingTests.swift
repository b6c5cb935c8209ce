#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Large tables are read by COPY over another connection. Here all tables are.
        @Suite struct CopyReadingTests {
            private let url: String
            private let bench: StoreBench
            private let reader: PostgreSQLStore

            init() throws {
                let url = try PostgreSQLServer.required().url()
                self.url = url
                bench = try StoreBench(
                    StoreFactory(name: "PostgreSQL") {
                        OpenedStore(store: try PostgreSQLStores.create(url, schema: $0))
                    })
                try bench.store.publish()
                reader = try #require(try PostgreSQLStores.openForReading(url, model: nil) as? PostgreSQLStore)
                reader.copiedBytes = 0
            }

            private func keys(_ store: any StoreBackend, stopAfter limit: Int = .max) throws -> [Int64] {
                var keys: [Int64] = []
                try store.read(entities: try bench.entity("Node").family, batchSize: 7) { batch in
                    keys += batch.rows.map(\.key)
                    return keys.count < limit
                }
                return keys
            }

            @Test func allValuesAreTheSame() throws {
                let entity = try bench.entity("Values")
                var batch = RowBatch()
                for (name, values) in ConformanceModel.values {
                    for value in values where value != "a\u{0}b" {
                        let row = try bench.row("Values", Int64(batch.rows.count + 1), [name: value])
                        batch.append(0, of: row, slotCount: entity.slotCount)
                    }
                }
                try bench.store.transaction { try $0.insert(batch) }
                var count = 0
                try reader.read(entities: entity.family, batchSize: 5) { rows in
                    let same = try bench.store.read(root: entity.index, keys: rows.rows.map(\.key))
                    for row in rows.rows.indices {
                        count += 1
                        for attribute in entity.attributes {
                            let values = try [rows, same].map { try $0.value(row: row, of: attribute) }
                            #expect(values[0] == values[1])
                        }
                    }
                    return true
                }
                #expect(count == batch.rows.count && count > 20)
            }

            @Test func referencesHaveTheirEntities() throws {
                try bench.store.transaction { writer in
                    try writer.insert(try bench.row("Leaf", 1))
                    try writer.insert(try bench.row("Node", 2, references: ["pointer": ("Leaf", 1)]))
                }
                let slot = try bench.relationship("pointer").slot
                var cell: StoredCell?
                try reader.read(entities: try bench.entity("Node").family, batchSize: 9) { batch in
                    cell = batch[1, slot]
                    return true
                }
                let leaf = Int32(try bench.entity("Leaf").index)
                if case .reference(1, leaf)? = cell { return }
                Issue.record("\(String(describing: cell))")
            }

            @Test func readingCanStopAndBeRepeatedAndNested() throws {
                try bench.insertNodes(100)
                try reader.reading {
                    #expect(try keys(reader, stopAfter: 20) == Array(1...21))
                    #expect(try keys(reader) == Array(1...100))
                    var inner: [[Int64]] = []
                    try reader.read(entities: try bench.entity("Node").family, batchSize: 40) { batch in
                        inner.append(try keys(reader))
                        #expect(try reader.versions(root: try bench.entity("Node").index, keys: [1]) == [1: 1])
                        return true
                    }
                    #expect(inner == Array(repeating: Array(1...100), count: 3))
                }
                #expect(reader.copiers.isEmpty)
            }

            @Test func allReadsSeeOneState() throws {
                try bench.insertNodes(10)
                try reader.reading {
                    #expect(try keys(reader).count == 10)
                    try bench.store.transaction { try $0.insert(try bench.row("Node", 11)) }
                    #expect(try keys(reader).count == 10)
                    #expect(try reader.count(entity: try bench.entity("Node").index) == 10)
                }
                #expect(try keys(reader).count == 11)
            }

            @Test func anErrorOfTheReceiverPassesThrough() throws {
                struct Stop: Error {}
                try bench.insertNodes(50)
                #expect(throws: Stop.self) {
                    try reader.read(entities: try bench.entity("Node").family, batchSize: 5) { _ in throw Stop() }
                }
                #expect(try keys(reader).count == 50)
            }

            /// A writer reads its own rows, which a second connection cannot see.
            @Test func aWriterReadsItsOwnRows() throws {
                let writer = try #require(
                    try PostgreSQLStores.openForWriting(url, schema: bench.schema) as? PostgreSQLStore)
                writer.copiedBytes = 0
                try writer.transaction {
                    try $0.insert(try bench.row("Node", 1))
                    #expect(try keys(writer) == [1])
                }
            }
        }
    }
#endif
