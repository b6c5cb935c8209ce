#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import StoreTestSupport
    import TestSupport

    @testable import GranaryPostgreSQL

    /// A store that a test changes in ways that the layout does not have.
    struct DamagedStore {
        let server: PostgreSQLServer
        private let name = "damaged \(UUID().uuidString.prefix(8))"

        init() throws {
            server = try PostgreSQLServer.required()
            try PostgreSQLStores.create(url, schema: try ConformanceModel.model.resolved()).publish()
        }

        var url: String { server.url(schema: name) }

        func sql(_ text: String) throws { _ = try server.sql("SET search_path = \"\(name)\"; \(text)") }

        /// Reads the whole store and returns the number of values and links.
        func read() throws -> Int {
            let store = try PostgreSQLStores.openForReading(url, model: nil)
            var values = 0
            for root in store.schema.entities where root.superentity == nil {
                try store.read(entities: root.family, batchSize: 10) { batch in
                    for row in batch.rows.indices {
                        let entity = store.schema.entities[Int(batch.rows[row].entity)]
                        for attribute in entity.attributes {
                            if try batch.checkedValue(row: row, of: attribute, store.schema) != nil { values += 1 }
                        }
                    }
                    return true
                }
                for relationship in root.relationships where relationship.isToMany {
                    try store.readLinks(of: relationship, owners: nil) { _ in values += 1 }
                }
            }
            return values
        }
    }
#endif
