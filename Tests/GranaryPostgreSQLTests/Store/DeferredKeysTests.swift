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
        /// New stores whose keys, indexes and foreign keys are created after the rows.
        @Suite struct DeferredKeysTests {
            private let server: PostgreSQLServer
            private let name = "deferred \(UUID().uuidString.prefix(8))"
            private let bench: StoreBench

            init() throws {
                let server = try PostgreSQLServer.required()
                self.server = server
                let url = server.url(schema: name)
                bench = try StoreBench(
                    StoreFactory(name: "PostgreSQL, deferred") { schema in
                        OpenedStore(store: try PostgreSQLStores.create(url, schema: schema))
                    }, model: Self.model)
            }

            private static let model: ManagedObjectModel = {
                var model = ConformanceModel.model
                model.entities.append(
                    EntityDescription("Strict", [.attribute("text", .string, .required), .attribute("code", .string)]))
                return model
            }()

            /// The keys and indexes of a schema, without its name.
            private func keys(_ schema: String) throws -> String {
                let literal = SQLIdentifier.literal(schema)
                let found = try server.sql(
                    "SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint "
                        + "WHERE connamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(literal)) ORDER BY 1::text, 2; "
                        + "SELECT indexdef FROM pg_indexes WHERE schemaname = \(literal) ORDER BY 1")
                return found.replacing(schema, with: "S")
            }

            private func insert(_ batches: RowBatch...) throws {
                try bench.store.transaction { writer in
                    writer.bulk?.deferIndexes()
                    for batch in batches { try writer.insert(batch) }
                    try writer.bulk?.finishRows()
                }
            }

            /// Nodes with names, of which the row `row` has another name.
            private func nodes(_ count: Int, _ other: (row: Int, name: String)? = nil) throws -> RowBatch {
                let entity = try bench.entity("Node")
                var batch = RowBatch()
                for row in 0..<count {
                    let name = other?.row == row ? other?.name ?? "" : "n\(row)"
                    batch.append(
                        0, of: try bench.row("Node", Int64(row + 1), ["name": .string(name)]),
                        slotCount: entity.slotCount)
                }
                return batch
            }

            @Test func theTablesHaveTheSameKeys() throws {
                try insert(try nodes(10), try bench.row("Account", 1, ["email": "a@x"]), try bench.row("Tag", 1))
                let nodes = try (1...3).map { Link(owner: 1, entity: try bench.entity("Node").index, destination: $0) }
                try bench.store.transaction { writer in
                    writer.bulk?.deferIndexes()
                    try writer.insertLinks(
                        try bench.relationship("likes"), nodes, ownerEntity: try bench.entity("Node").index)
                }
                try bench.store.publish()
                let other = "direct \(UUID().uuidString.prefix(8))"
                try PostgreSQLStores.create(server.url(schema: other), schema: bench.schema).publish()
                #expect(try keys(name) == keys(other))
                #expect(try keys(name).contains("FOREIGN KEY"))
                #expect(try bench.keys("Node").count == 10)
                #expect(try bench.links("likes", 1) == [1, 2, 3])
            }

            @Test func rowsThatAreEncodedInAdvanceAreTheSame() throws {
                var batch = RowBatch()
                let entity = try bench.entity("Values")
                for (name, values) in ConformanceModel.values {
                    for value in values where value != "a\u{0}b" {
                        let key = Int64(batch.rows.count + 1)
                        batch.append(0, of: try bench.row("Values", key, [name: value]), slotCount: entity.slotCount)
                    }
                }
                try bench.store.transaction { writer in
                    let bulk = try #require(writer.bulk)
                    bulk.deferIndexes()
                    let encoder = try #require(bulk.rowEncoder)
                    encoder.encode(&batch)
                    #expect(batch.rows.allSatisfy { $0.encoded >= 0 })
                    try writer.insert(batch)
                    // The same rows with other keys, not encoded.
                    for row in batch.rows.indices {
                        batch.rows[row].encoded = -1
                        batch.rows[row].key += 1000
                    }
                    batch.encoded = nil
                    try writer.insert(batch)
                }
                let (first, second) = (batch.rows.map { $0.key - 1000 }, batch.rows.map(\.key))
                let rows = try [first, second].map { try bench.store.read(root: entity.root, keys: $0) }
                for attribute in entity.attributes {
                    for row in batch.rows.indices {
                        #expect(
                            try rows[0].value(row: row, of: attribute) == rows[1].value(row: row, of: attribute))
                    }
                }
            }

            @Test func equalUniqueValuesAreNamed() throws {
                var rows = try bench.row("Account", 1, ["email": "a@x"])
                rows.append(0, of: try bench.row("Account", 2, ["email": "a@x"]), slotCount: rows.cells.count)
                let error = try #require(throws: GranaryError.self) { try insert(rows) }
                #expect(error.code == .refused)
                #expect(error.diagnostics.first?.code == .uniqueExists)
                #expect(error.diagnostics.first?.entity == "Account" && error.diagnostics.first?.property == "email")
                #expect(error.message.contains("a@x"))
            }

            @Test func aMissingObjectIsNamedAndTheStoreIsNotPublished() throws {
                try insert(try bench.row("Node", 1, references: ["parent": ("Node", 99)]))
                let error = try #require(throws: GranaryError.self) { try bench.store.publish() }
                #expect(error.code == .refused)
                #expect(error.diagnostics.first?.code == .relationshipNotFound)
                #expect(error.diagnostics.first?.entity == "Node" && error.diagnostics.first?.property == "parent")
                #expect(try !PostgreSQLStores.exists(server.url(schema: name)))
            }

            @Test(arguments: [0, 4, 9])
            func aRefusedRowIsNamedAndTheOthersAreInserted(row: Int) throws {
                let batch = try nodes(10, (row, "a\u{0}b"))
                try bench.store.transaction { writer in
                    writer.bulk?.deferIndexes()
                    let error = try #require(throws: GranaryError.self) { try writer.insert(batch) }
                    #expect(error.diagnostics.first?.property == "name" && error.message.contains("U+0000"))
                    #expect(writer.writtenRows == row)
                    var rest = batch
                    rest.rows.removeFirst(row + 1)
                    try writer.insert(rest)
                }
                try bench.store.publish()
                #expect(try bench.keys("Node", batchSize: 20).count == 9)
            }

            /// The server refuses these rows, not the encoder. They are found as in a store with keys.
            @Test(arguments: ["text", "email"])
            func aRowThatTheServerRefusesIsNamed(property: String) throws {
                var random = SeededGenerator(seed: 5)
                let long = String(
                    (0..<5_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 33...126, using: &random))) })
                let entity = property == "text" ? "Strict" : "Account"
                var batch = RowBatch()
                for key in 1...9 {
                    let bad: AttributeValue? = property == "text" ? nil : .string(long)
                    let value: AttributeValue? = key == 5 ? bad : .string("\(key)")
                    let row = try bench.row(entity, Int64(key), value.map { [property: $0] } ?? [:])
                    batch.append(0, of: row, slotCount: row.cells.count)
                }
                try bench.store.transaction { writer in
                    writer.bulk?.deferIndexes()
                    let error = try #require(throws: GranaryError.self) { try writer.insert(batch) }
                    #expect(error.diagnostics.first?.entity == entity)
                    if property == "text" { #expect(error.diagnostics.first?.property == "text") }
                    #expect(writer.writtenRows == 4)
                    var rest = batch
                    rest.rows.removeFirst(5)
                    try writer.insert(rest)
                }
                try bench.store.publish()
                #expect(try bench.keys(entity, batchSize: 20) == [1, 2, 3, 4, 6, 7, 8, 9])
            }

            @Test func aTransactionThatIsRolledBackCanBeRunAgain() throws {
                struct Stop: Error {}
                let batch = try nodes(10)
                for finishes in [false, true] {
                    #expect(throws: Stop.self) {
                        try bench.store.transaction { writer in
                            writer.bulk?.deferIndexes()
                            try writer.insert(batch)
                            if finishes { try writer.bulk?.finishRows() }
                            throw Stop()
                        }
                    }
                }
                try insert(batch)
                try bench.store.publish()
                #expect(try bench.keys("Node", batchSize: 20).count == 10)
                #expect(try keys(name).contains("PRIMARY KEY (\"$id\")"))
            }

            /// A writer that does not defer keys has them from its first row on.
            @Test func withoutDeferringTheKeysExistFirst() throws {
                let row = try bench.row("Account", 1, ["email": "a@x"])
                try bench.store.transaction { try $0.insert(row) }
                let other = try bench.row("Account", 2, ["email": "a@x"])
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.transaction { try $0.insert(other) }
                }
                #expect(error.diagnostics.first?.code == .uniqueExists)
            }
        }
    }
#endif
