import GranaryBase
import GranaryModel

/// Maps entity indexes between a model and a part of it.
struct ConfigurationMap {
    let whole: Schema
    let part: Schema
    /// Indexes in the part, by the index in the whole model; nil for entities outside the part.
    private let inner: [Int?]
    /// Indexes in the whole model, by the index in the part.
    private let outer: [Int]

    init(whole: Schema, part: Schema) {
        self.whole = whole
        self.part = part
        inner = whole.entities.map { part.entity(named: $0.name)?.index }
        outer = part.entities.map { whole.entity(named: $0.name)?.index ?? 0 }
    }

    func inner(_ entity: Int) -> Int? { inner.indices.contains(entity) ? inner[entity] : nil }

    func outer(_ entity: Int) -> Int { outer.indices.contains(entity) ? outer[entity] : 0 }

    /// The entities of a family that are in the part. They are consecutive there too.
    func inner(_ entities: Range<Int>) -> Range<Int>? {
        let found = entities.compactMap { inner($0) }
        guard let first = found.min(), let last = found.max() else { return nil }
        return first..<last + 1
    }

    func inner(_ relationship: Schema.Relationship) -> Schema.Relationship? {
        inner(relationship.owner).flatMap { owner in
            part.entities[owner].relationships.first { $0.name == relationship.name }
        }
    }

    func inner(_ constraint: Schema.UniquenessConstraint) -> Schema.UniquenessConstraint? {
        inner(constraint.owner).flatMap { owner in
            part.entities[owner].uniquenessConstraints.first {
                $0.owner == owner && $0.names == constraint.names
            }
        }
    }

    /// The batch with the part's entity indexes.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for an entity outside the part.
    func inner(_ batch: borrowing RowBatch) throws(GranaryError) -> RowBatch {
        var result = copy batch
        for row in result.rows.indices {
            let entity = Int(result.rows[row].entity)
            guard let index = inner(entity) else { throw missing(entity) }
            result.rows[row].entity = Int32(index)
        }
        for cell in result.cells.indices {
            guard case .reference(let key, let entity) = result.cells[cell] else { continue }
            guard let index = inner(Int(entity)) else { throw missing(Int(entity)) }
            result.cells[cell] = .reference(key: key, entity: Int32(index))
        }
        return result
    }

    func outer(_ batch: borrowing RowBatch) -> RowBatch {
        var result = copy batch
        for row in result.rows.indices { result.rows[row].entity = Int32(outer(Int(result.rows[row].entity))) }
        for cell in result.cells.indices {
            if case .reference(let key, let entity) = result.cells[cell] {
                result.cells[cell] = .reference(key: key, entity: Int32(outer(Int(entity))))
            }
        }
        return result
    }

    func missing(_ entity: Int) -> GranaryError {
        let name = whole.entities.indices.contains(entity) ? whole.entities[entity].name : "number \(entity)"
        return GranaryError(.refused, "the store's configuration does not have the entity \(name)")
    }
}
