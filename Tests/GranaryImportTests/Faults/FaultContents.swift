import GranaryModel
import GranaryPredicates
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// What a store has, by natural keys and byte by byte: Swift's own strings find "é" equal to its decomposed form.
enum FaultContents {
    /// An object's properties as bytes; NULL is none of them.
    typealias Properties = [String: [UInt8]]

    /// All objects of an entity by the bytes of their keys.
    static func of(_ entity: String, in store: any StoreBackend) throws -> [[UInt8]: Properties] {
        guard let entity = store.schema.entity(named: entity) else { return [:] }
        let names = try store.schema.entities.map { try self.names(of: $0, in: store) }
        let rows = try table(entity, in: store)
        let tags = try links(of: entity, in: store, names)
        var found: [[UInt8]: Properties] = [:]
        for row in rows.rows.indices {
            let key = rows.rows[row].key
            var properties: Properties = [:]
            for attribute in entity.attributes {
                properties[attribute.name] = bytes(of: rows[row, attribute.slot], in: rows)
            }
            for relationship in entity.relationships where !relationship.isToMany {
                guard case .reference(let key, let target) = rows[row, relationship.slot] else { continue }
                properties[relationship.name] = names[Int(target)][key] ?? []
            }
            if let members = tags[key] { properties["tags"] = list(members) }
            found[names[entity.index][key] ?? []] = properties
        }
        return found
    }

    /// All objects of all entities, by entity.
    static func of(_ store: any StoreBackend) throws -> [String: [[UInt8]: Properties]] {
        var found: [String: [[UInt8]: Properties]] = [:]
        for entity in FaultModel.keys.keys { found[entity] = try of(entity, in: store) }
        return found
    }

    /// The first differences in words; none where both are the same.
    static func differences(
        _ found: [[UInt8]: Properties], _ expected: [[UInt8]: Properties], limit: Int = 5
    ) -> [String] {
        var words: [String] = []
        for key in Set(found.keys).union(expected.keys) where words.count < limit && found[key] != expected[key] {
            words.append("\(text(key)): \(text(found[key])), expected \(text(expected[key]))")
        }
        return words
    }

    /// Every row and link as it is, keys and versions included.
    static func image(_ store: any StoreBackend) throws -> [String] {
        var image: [String] = []
        for entity in store.schema.entities {
            let rows = try table(entity, in: store)
            let last = try store.lastKey(root: entity.root)
            image.append("\(entity.name) \(last)")
            for (row, header) in rows.rows.enumerated() {
                var line = "\(header.key) \(header.version)"
                for slot in 0..<entity.slotCount {
                    if case .reference(let key, let target) = rows[row, slot] {
                        line += " ->\(target)/\(key)"
                    } else {
                        line += " \(bytes(of: rows[row, slot], in: rows) ?? [])"
                    }
                }
                image.append(line)
            }
            for relationship in entity.relationships where relationship.isToMany {
                try store.readLinks(of: relationship, owners: nil) {
                    image.append("\(relationship.name) \($0.owner) \($0.destination)")
                }
            }
        }
        return image
    }

    // MARK: Values

    static func bytes(of value: AttributeValue) -> [UInt8] {
        var batch = RowBatch()
        let cell = value.withBorrowed { batch.cell(for: $0) }
        return bytes(of: cell, in: batch) ?? []
    }

    static func bytes(ofText text: [UInt8]) -> [UInt8] { [UInt8(ascii: "t")] + text }

    static func bytes(ofInteger number: Int64) -> [UInt8] { Array("i\(number)".utf8) }

    static func list(_ members: [[UInt8]]) -> [UInt8] {
        Array(members.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0]))
    }

    private static func bytes(of cell: StoredCell, in batch: borrowing RowBatch) -> [UInt8]? {
        switch cell {
        case .null, .reference: return nil
        case .integer(let number): return bytes(ofInteger: number)
        case .real(let number): return Array("r\(number)".utf8)
        case .text(let start, let count): return bytes(ofText: span(start, count, of: batch))
        case .blob(let start, let count), .file(let start, let count):
            return [UInt8(ascii: "b")] + span(start, count, of: batch)
        case .decimal(let start, let count): return [UInt8(ascii: "d")] + span(start, count, of: batch)
        }
    }

    private static func span(_ start: UInt32, _ count: UInt32, of batch: borrowing RowBatch) -> [UInt8] {
        batch.lend(start, count) { Array($0) }
    }

    // MARK: Reading

    private static func table(_ entity: Schema.Entity, in store: any StoreBackend) throws -> RowBatch {
        try store.read(entities: entity.index..<entity.index + 1, after: 0, limit: 1_000_000)
    }

    private static func names(of entity: Schema.Entity, in store: any StoreBackend) throws -> [Int64: [UInt8]] {
        guard let key = entity.attribute(named: FaultModel.keys[entity.name] ?? "") else { return [:] }
        let rows = try table(entity, in: store)
        var names: [Int64: [UInt8]] = [:]
        for row in rows.rows.indices { names[rows.rows[row].key] = bytes(of: rows[row, key.slot], in: rows) }
        return names
    }

    private static func links(
        of entity: Schema.Entity, in store: any StoreBackend, _ names: [[Int64: [UInt8]]]
    ) throws -> [Int64: [[UInt8]]] {
        var links: [Int64: [[UInt8]]] = [:]
        guard let tags = entity.relationship(named: "tags") else { return links }
        try store.readLinks(of: tags, owners: nil) {
            links[$0.owner, default: []].append(names[$0.entity][$0.destination] ?? [])
        }
        return links
    }

    private static func text(_ key: [UInt8]) -> String { String(decoding: key, as: UTF8.self) }

    private static func text(_ properties: Properties?) -> String {
        guard let properties else { return "nothing" }
        return properties.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ")
    }
}
