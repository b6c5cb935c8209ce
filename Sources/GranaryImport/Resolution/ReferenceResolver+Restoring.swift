import GranaryBase
import GranaryModel

/// References to missing objects in an export that is restored as it is.
extension ReferenceResolver {
    /// Keeps a reference by `$id` to an object that no record has, with a warning. Old stores have such references.
    ///
    /// - Returns: nil if there is no column that could hold the reference: the text is no `$id`, or the members of the
    ///   list have the column.
    mutating func keep(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ key: [UInt8]
    ) -> Found? {
        guard !relationship.isToMany || schema.isManyToMany(relationship), let name = ExportedName(key[...]),
            let entity = name.entity(in: schema.entities[relationship.destination].family, of: schema)
        else { return nil }
        // The key is reserved: if a new object got it later, the kept reference would lead to that object.
        missingKeys[entity.root] = max(missingKeys[entity.root] ?? 0, name.key)
        var warning = diagnostic(
            reference, .relationshipNotFound,
            "there is no object \(Diagnostic.shortened(entity.name))/p\(name.key); the reference is kept")
        warning.severity = .warning
        if !reference.isRejected { report(nil, warning) }
        return Found(entity: Int32(entity.index), key: name.key)
    }

    /// Creates an object with only its key for a reference by key of a part of an export.
    ///
    /// - Returns: nil if the reference is no key, or if none can be created.
    mutating func makeUnchecked(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ indexNumber: Int?, _ key: [UInt8]
    ) -> Found? {
        guard let indexNumber, !reference.isRejected,
            case .success(let made) = creator.make(indexNumber, key, relationship, keys, isChecked: false)
        else { return nil }
        return Found(entity: made.entity, key: made.key)
    }
}
