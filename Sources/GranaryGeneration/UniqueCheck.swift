import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Checks uniqueness constraints with values that generators in code make. All others are unique by their planning.
struct UniqueCheck {
    private let store: any StoreBackend
    private let constraints: [Schema.UniquenessConstraint]
    private var seen: [Schema.UniquenessConstraint: [[AttributeValue]: UInt64]] = [:]

    init(_ constraints: [Schema.UniquenessConstraint], store: any StoreBackend) {
        self.constraints = constraints
        self.store = store
    }

    /// - Parameters:
    ///   - number: the number of the object.
    ///   - checksStore: whether values can be in use by stored objects.
    /// - Throws: ``GranaryError`` with code `refused` if another object has the same values.
    mutating func check(
        _ number: UInt64, _ row: Int, of batch: RowBatch, _ entity: Schema.Entity, checksStore: Bool
    ) throws {
        for constraint in constraints where entity.uniquenessConstraints.contains(constraint) {
            guard let content = try Self.content(constraint, row, of: batch, entity) else { continue }
            let other = seen[constraint, default: [:]].updateValue(number, forKey: content)
            let isStored = try checksStore && !store.keys(matching: constraint, in: batch, row: row).isEmpty
            guard other != nil || isStored else { continue }
            let names = constraint.names.joined(separator: ", ")
            let message =
                "\(names) must be unique, and the generator of object \(number) gives the values of "
                + (other.map { "object \($0)" } ?? "a stored object")
            let code = Diagnostic.Code.uniqueDuplicate
            throw GranaryError(
                .refused, "\(entity.name).\(message)",
                diagnostics: [
                    Diagnostic(code, message, entity: entity.name, property: names, coreDataCode: code.coreDataCode)
                ])
        }
    }

    /// The values of the constraint's properties; nil if one is NULL.
    private static func content(
        _ constraint: Schema.UniquenessConstraint, _ row: Int, of batch: RowBatch, _ entity: Schema.Entity
    ) throws -> [AttributeValue]? {
        var content: [AttributeValue] = []
        for property in constraint.properties {
            switch property {
            case .attribute(let index):
                guard let value = try batch.value(row: row, of: entity.attributes[index]) else { return nil }
                content.append(value)
            case .relationship(let index):
                guard case .reference(let key, _) = batch[row, entity.relationships[index].slot] else { return nil }
                content.append(.integer(key))
            }
        }
        return content
    }
}
