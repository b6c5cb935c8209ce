/// Names that a property of a generated class cannot have.
enum ReservedNames {
    /// The own properties and the methods without arguments of managed objects, and the methods that generated code
    /// calls. A test compares the list with the sources.
    static let managedObject: Set<String> = [
        "addTyped", "awakeFromFetch", "awakeFromInsert", "changedValues", "committedValues", "Creation",
        "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "fetchRequest", "hasChanges",
        "hash", "hashValue", "hasPersistentChangedValues", "importsInBulk", "insertTyped", "isDeleted", "isFault",
        "isInserted", "isUpdated", "managedObjectContext", "objectID", "predicateExpression", "prepareForDeletion",
        "propertyNames", "removeTyped", "replaceTyped", "requiredValue", "setTypedList", "setTypedObject",
        "setTypedPrimitiveTransformedValue",
        "setTypedPrimitiveValue", "setTypedSet", "setTypedTransformedValue", "setTypedValue",
        "setUntypedPrimitiveValue",
        "setUntypedValue", "typedFetchedObjects", "typedList", "typedObject", "typedPrimitiveTransformedValue",
        "typedPrimitiveValue", "typedSet", "typedTransformedValue", "typedValue", "untypedPrimitiveTransformedValue",
        "untypedPrimitiveValue", "untypedTransformedValue", "untypedValue", "validateForDelete", "validateForInsert",
        "validateForUpdate", "Values", "willSave", "willTurnIntoFault",
    ]

    /// The stored property of the structures for composites.
    static let composite: Set<String> = ["managedObject"]
}
