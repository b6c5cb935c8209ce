#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLStore: HistoryReading {
        var historySource: String { source }

        func historyTransactions(
            after number: Int64, limit: Int, of identity: StoreIdentity
        ) throws(GranaryError) -> [PersistentHistoryTransaction] {
            try readHistory(after: number, limit: limit, of: identity)
        }

        func firstHistoryTransaction() throws -> Int64? {
            try connection.query("SELECT min(number) FROM \(layout.qualified(HistoryTables.transaction))").integer(0, 0)
        }

        func historyHeaders(after number: Int64, limit: Int) throws -> [PersistentHistoryTransaction] {
            let texts = ["author", "context", "bundle", "process"].map { "substr(\($0), 1, 4096)" }
            var parameters = SQLParameters(number)
            parameters.add(Int64(max(0, limit)))
            var found: [PersistentHistoryTransaction] = []
            try connection.forEachRow(
                "SELECT number, \(Self.seconds), \(texts.joined(separator: ", ")) FROM "
                    + "\(layout.qualified(HistoryTables.transaction)) WHERE number > $1 ORDER BY number LIMIT $2",
                parameters
            ) { result, row in
                found.append(
                    PersistentHistoryTransaction(
                        transactionNumber: result.integer(row, 0) ?? 0, storeID: identifier,
                        timestamp: Date(
                            timeIntervalSinceReferenceDate: result.value(row, 1).flatMap(BinaryValue.number) ?? 0),
                        author: result.text(row, 2), contextName: result.text(row, 3), bundleID: result.text(row, 4),
                        processID: result.text(row, 5)))
                return true
            }
            return found
        }

        private static let changes = "transaction = $1 AND kind <> 'gone'"

        func changeCount(of transaction: Int64) throws -> Int {
            let table = layout.qualified(HistoryTables.change)
            let count = try connection.query(
                "SELECT count(*) FROM \(table) WHERE \(Self.changes)", SQLParameters(transaction))
            return Int(clamping: count.integer(0, 0) ?? 0)
        }

        func historyChanges(
            of transaction: Int64, _ identity: StoreIdentity
        ) throws -> [PersistentHistoryChange] {
            let table = layout.qualified(HistoryTables.change)
            let sql = """
                SELECT number, kind, entity, object, array_to_json(properties)::text,
                    (SELECT jsonb_object_agg(e.key, e.value) FROM jsonb_each_text(tombstone) e)::text
                FROM \(table) WHERE \(Self.changes) ORDER BY number
                """
            let entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
            var found: [PersistentHistoryChange] = []
            try connection.forEachRow(sql, SQLParameters(transaction)) { result, row in
                guard let entity = result.text(row, 2).flatMap({ entities[$0] }),
                    let kind = result.text(row, 1).flatMap({ PersistentHistoryChange.Kind(word: $0) }),
                    let number = result.integer(row, 0), let object = result.integer(row, 3)
                else { return true }
                let properties: [String]? = try result.bytes(row, 4).map(Self.decoded)
                let tombstone: [String: String] = try result.bytes(row, 5).map(Self.decoded) ?? [:]
                found.append(
                    PersistentHistoryChange(
                        changeID: number, changeType: kind,
                        changedObjectID: ManagedObjectID(origin: identity, entity: entity.index, key: object),
                        updatedProperties: kind == .update ? properties?.sorted(by: utf8Less) : nil,
                        tombstone: kind == .delete ? TombstoneText.values(tombstone, of: entity) : [:]))
                return true
            }
            return found
        }

        private static func decoded<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(bytes))
        }
    }

    extension PersistentHistoryChange.Kind {
        /// - Parameter word: the content of the column `kind`.
        fileprivate init?(word: String) {
            switch word {
            case "insert": self = .insert
            case "update": self = .update
            case "delete": self = .delete
            default: return nil
            }
        }
    }
#endif
