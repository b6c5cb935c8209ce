import Foundation
import GranaryBase
package import GranaryModel
package import GranaryPredicates

/// Evaluates predicates and expressions on a stored row. Related rows are read from the store when they are needed.
package struct RowSubject: PredicateSubject {
    /// The store, and rows that were read for other rows.
    package final class Cache {
        let store: any StoreBackend
        /// The model of the store.
        package var schema: Schema { store.schema }
        /// The first error of an evaluation, because evaluations cannot throw.
        private(set) var failure: (any Error)?
        private var rows: [RowName: (batch: RowBatch, row: Int)] = [:]
        private var bytes = 0

        private struct RowName: Hashable {
            let root: Int
            let key: Int64
        }

        /// Related rows are forgotten past this number, or this many bytes of values, so memory is bounded.
        private static let limit = 4096
        private static let byteLimit = 32 << 20

        package init(_ store: any StoreBackend) { self.store = store }

        /// Throws the error of an evaluation, if there was one.
        package func check() throws { if let failure { throw failure } }

        fileprivate func attempt<Value>(_ body: () throws -> Value?) -> Value? {
            do { return try body() } catch {
                if failure == nil { failure = error }
                return nil
            }
        }

        fileprivate func row(root: Int, key: Int64) throws -> (batch: RowBatch, row: Int)? {
            let name = RowName(root: root, key: key)
            if let known = rows[name] { return known }
            let batch = try store.read(root: root, keys: [key])
            guard let row = batch.rows.firstIndex(where: { $0.key == key }) else { return nil }
            if rows.count >= Self.limit || bytes >= Self.byteLimit {
                rows.removeAll(keepingCapacity: true)
                bytes = 0
            }
            rows[name] = (batch, row)
            bytes += batch.bytes.count
            return (batch, row)
        }
    }

    private let cache: Cache
    /// The index of the entity; for a row that was not read yet, the one that the reference names.
    package let entity: Int
    /// The primary key.
    package let key: Int64
    private let loaded: (batch: RowBatch, row: Int)?
    /// The name of a composite attribute with a point, if the subject is that attribute.
    private var prefix = ""

    /// The subject of a row of a batch.
    package init(cache: Cache, batch: RowBatch, row: Int) {
        self.cache = cache
        entity = Int(batch.rows[row].entity)
        key = batch.rows[row].key
        loaded = (batch, row)
    }

    /// The subject of a row that is read when a value is needed.
    init(cache: Cache, entity: Int, key: Int64) {
        self.cache = cache
        self.entity = entity
        self.key = key
        loaded = nil
    }

    package var predicateSelf: PredicateOperand? { .subject(self) }

    package var predicateReference: ObjectReference? {
        guard prefix.isEmpty else { return nil }
        let schema = cache.store.schema
        return ObjectReference(
            store: cache.store.identifier, root: schema.entities[schema.entities[entity].root].name,
            key: .stored(key), uri: "")
    }

    package func predicateValue(forKey name: String) -> PredicateOperand? {
        cache.attempt { () throws -> PredicateOperand? in
            let schema = cache.store.schema
            guard let (batch, row) = try loaded ?? cache.row(root: schema.entities[entity].root, key: key) else {
                return nil
            }
            let entity = schema.entities[Int(batch.rows[row].entity)]
            let full = prefix.isEmpty ? name : prefix + name
            switch entity.property(named: full) {
            case .attribute(let index)?:
                let attribute = entity.attributes[index]
                guard attribute.isPersistent else { return nil }
                return try batch.checkedValue(row: row, of: attribute, schema).map(PredicateOperand.value)
            case .relationship(let index)?:
                let relationship = entity.relationships[index]
                guard relationship.isPersistent else { return relationship.isToMany ? .list([]) : nil }
                if relationship.isToMany { return .list(try members(of: relationship)) }
                guard case .reference(let target, let destination) = batch[row, relationship.slot] else { return nil }
                return .subject(RowSubject(cache: cache, entity: Int(destination), key: target))
            case nil:
                guard entity.attributes.contains(where: { $0.name.hasPrefix(full + ".") }) else { return nil }
                var composite = self
                composite.prefix = full + "."
                return .subject(composite)
            }
        }
    }

    private func members(of relationship: Schema.Relationship) throws -> [PredicateOperand?] {
        var members: [PredicateOperand?] = []
        try cache.store.readLinks(of: relationship, owners: [key]) { link in
            members.append(.subject(RowSubject(cache: cache, entity: link.entity, key: link.destination)))
        }
        return members
    }
}
