import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// What a list shows, as its address says: the entity, the condition, the order and the columns.
struct ListQuery {
    /// The maximum number of sort keys.
    static let sortLimit = 4

    let entity: Schema.Entity
    /// The text of the condition; nil for all objects.
    let condition: String?
    /// The condition, as it was written; nil for all objects.
    let written: ObjectPredicate?
    /// The condition together with ``link``, as it was written; nil for all objects.
    let predicate: ObjectPredicate?
    /// The same for searches.
    let resolved: ObjectPredicate?
    let order: [ObjectSortDescriptor]
    let columns: ListColumns
    /// The objects are those that refer to this object.
    let link: ListLink?
    /// The key of the last object of the page before; nil for the first page.
    let after: Int64?

    /// Parses an address whose entity was found.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a condition, an order, a column or a link that does not fit the
    ///   entity; the message of a condition shows its place.
    init(_ address: PageAddress, entity: Schema.Entity, of store: any StoreBackend) throws(GranaryError) {
        let schema = store.schema
        self.entity = entity
        condition = address["where"]
        columns = try ListColumns(of: entity, choosing: address.all("column"))
        let texts = address.all("sort")
        guard texts.count <= Self.sortLimit else {
            throw GranaryError(.usage, "at most \(Self.sortLimit) sort keys can be given")
        }
        var order: [ObjectSortDescriptor] = []
        for text in texts { order.append(try Self.descriptor(text, entity)) }
        self.order = order
        link = try ListLink(address, entity: entity, of: store)
        if let text = address["after"] {
            guard let key = Int64(text) else { throw GranaryError(.usage, "\"\(text)\" is not a key") }
            after = key
        } else {
            after = nil
        }
        let resolver = PredicateResolver(schema: schema, entity: entity)
        var parts: [ObjectPredicate] = []
        var written: ObjectPredicate?
        if let condition {
            let parsed = try ObjectPredicate(condition)
            do throws(GranaryError) {
                let found = try resolver.refusingTransformed.resolve(parsed)
                try TransientCheck(schema: schema, entity: entity).check(found)
            } catch {
                throw PredicateText.marked(error, in: condition)
            }
            written = parsed
            parts.append(parsed)
        }
        self.written = written
        if let link { parts.append(link.predicate) }
        predicate = parts.isEmpty ? nil : parts.count == 1 ? parts[0] : .and(parts)
        resolved = try predicate.map { (predicate) throws(GranaryError) in try resolver.resolve(predicate) }
    }

    /// Reads `name`, `name:asc` or `name:desc`.
    private static func descriptor(_ text: String, _ entity: Schema.Entity) throws(GranaryError) -> ObjectSortDescriptor
    {
        var name = text
        var isAscending = true
        if entity.attribute(named: text) == nil, let colon = text.lastIndex(of: ":") {
            switch text[text.index(after: colon)...] {
            case "asc": name = String(text[..<colon])
            case "desc": (name, isAscending) = (String(text[..<colon]), false)
            default: break
            }
        }
        guard let attribute = entity.attribute(named: name), attribute.isPersistent, attribute.canSort else {
            throw GranaryError(.usage, "\(entity.name) cannot be sorted by \"\(name)\"")
        }
        return ObjectSortDescriptor(attribute.name, ascending: isAscending)
    }
}

extension Schema.Attribute {
    /// Whether lists can be sorted by it: pages that follow each other need an order that conditions express too.
    var canSort: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date, .string: isPersistent
        default: false
        }
    }
}
