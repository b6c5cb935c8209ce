import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The links of to-many columns and the natural keys that the rows of one batch refer to, in the order of the rows.
struct BatchLinks {
    struct Column {
        /// The links of a to-many column.
        var links: [Link] = []
        var nextLink = 0
        /// The natural keys of the destinations in the order of the rows; nil if they are named by id.
        var names: [(key: Int64, name: DestinationKeys.Lookup)]?
        var nextName = 0
    }

    /// One element for each column of the table; empty if no column needs any.
    var columns: [Column]
    /// Checks whether an object exists, if references by id to missing objects are refused.
    let contains: ((_ entity: Int, _ key: Int64) -> Bool)?

    /// Returns the next link of an owner; nil after its last. Callers must ask in the order of the batch's rows.
    mutating func nextLink(column: Int, owner: Int64) -> Link? {
        let next = columns[column].nextLink
        guard next < columns[column].links.count, columns[column].links[next].owner == owner else { return nil }
        columns[column].nextLink += 1
        return columns[column].links[next]
    }

    /// Passes the name of the next object in a column to `body`.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if its key is NULL or the object does not exist.
    mutating func withReference<Result>(
        column: Int, entity: Int, key: Int64, _ schema: Schema, _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        guard columns.indices.contains(column), let names = columns[column].names else {
            let name = schema.objectName(entity: entity, key: key)
            guard contains?(entity, key) ?? true else { throw missing(name) }
            return try name.withBorrowedText(body)
        }
        switch name(of: key, column, in: names) {
        case .value(let value): return try value.withBorrowed(body)
        case .null:
            throw GranaryError(
                Diagnostic(
                    .valueMissing,
                    "refers to \(schema.objectName(entity: entity, key: key)), whose key is NULL; "
                        + "write references by id",
                    help: "--reference id"))
        case .missing: throw missing(schema.objectName(entity: entity, key: key), help: "--reference id")
        }
    }

    /// The natural key of an object. The objects are asked for in the order of the names, but some are skipped.
    private mutating func name(
        of key: Int64, _ column: Int, in names: [(key: Int64, name: DestinationKeys.Lookup)]
    ) -> DestinationKeys.Lookup {
        var next = columns[column].nextName
        for _ in names.indices {
            if next >= names.count { next = 0 }
            if names[next].key == key {
                columns[column].nextName = next + 1
                return names[next].name
            }
            next += 1
        }
        return .missing
    }

    /// Discards the links of an owner whose row is not written.
    mutating func skip(owner: Int64) {
        for column in columns.indices { while nextLink(column: column, owner: owner) != nil {} }
    }

    /// - Parameter help: the option with which the reference can be written.
    private func missing(_ name: String, help: String? = nil) -> GranaryError {
        GranaryError(
            Diagnostic(
                .relationshipNotFound,
                "refers to \(name), which is not in the store"
                    + (help == nil ? "" : "; write references by id"), help: help))
    }
}
