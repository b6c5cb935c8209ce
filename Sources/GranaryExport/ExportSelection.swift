import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// The objects of one entity and its subentities that an export selects, and their order.
struct ExportSelection {
    private let entity: Schema.Entity
    private let predicate: ObjectPredicate?
    private let order: [ObjectSortDescriptor]
    private let limit: Int?
    private let offset: Int

    /// Checks the selection against its entity. Nil if the options select all objects.
    ///
    /// - Throws: ``GranaryError`` with code `usage` unless exactly one entity is named, for a predicate or an order
    ///   that does not fit the entity or uses a transient property, and for a negative number.
    init?(schema: Schema, options: ExportOptions) throws(GranaryError) {
        guard options.selects else { return nil }
        guard let name = options.entities.first, Set(options.entities).count == 1 else {
            throw GranaryError(
                .usage, "a predicate, an order, a limit or an offset needs exactly one entity; name one")
        }
        guard let entity = schema.entity(named: name) else { throw schema.unknownEntity(name) }
        if let limit = options.limit, limit < 0 { throw GranaryError(.usage, "the limit \(limit) is negative") }
        if options.offset < 0 { throw GranaryError(.usage, "the offset \(options.offset) is negative") }
        self.entity = entity
        let resolver = PredicateResolver(schema: schema, entity: entity)
        if let condition = options.predicate {
            predicate = try resolver.resolve(condition)
        } else {
            predicate = nil
        }
        try resolver.check(options.sortDescriptors)
        let check = TransientCheck(schema: schema, entity: entity)
        if let predicate { try check.check(predicate) }
        try check.check(options.sortDescriptors)
        order = options.sortDescriptors
        limit = options.limit
        offset = options.offset
    }

    /// Throws if the objects are written to several tables, which have no common order.
    func check(tables: Int) throws(GranaryError) {
        guard tables > 1, !order.isEmpty || limit != nil || offset > 0 else { return }
        throw GranaryError(
            .usage,
            "the objects of \(entity.name) are exported as \(tables) tables, one for each concrete entity, which have no "
                + "common order, limit or offset; name one of these entities")
    }

    /// The search for the selected objects of `entities`.
    func search(_ entities: Range<Int>) -> StoreSearch {
        StoreSearch(entities: entities, predicate: predicate, order: order, limit: limit, offset: offset)
    }
}

extension ExportOptions {
    /// Whether the options select objects within an entity.
    var selects: Bool { predicate != nil || !sortDescriptors.isEmpty || limit != nil || offset != 0 }
}
