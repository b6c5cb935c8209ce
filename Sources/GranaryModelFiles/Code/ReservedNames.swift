/// Names that a property of a generated class cannot have.
enum ReservedNames {
    /// The own properties and the methods without arguments of managed objects, and the methods that generated code calls.
    /// A test compares the list with the sources.
    static let managedObject: Set<String> = [
        "addTyped", "awakeFromFetch", "awakeFromInsert", "changedValues", "committedValues", "Creation",
        "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "fetchRequest", "hasChanges",
        "hash", "hashValue", "hasPersistentChangedValues", "importsInBulk", "insertTyped", "isDeleted", "isFault",
        "isInserted", "isUpdated", "managedObjectContext", "objectID", "predicateExpression", "prepareForDeletion",
        "removeTyped", "replaceTyped", "requiredValue", "setTypedList", "setTypedObject",
        "setTypedPrimitiveTransformedValue",
        "setTypedPrimitiveValue", "setTypedSet", "setTypedTransformedValue", "setTypedValue",
        "setUntypedPrimitiveValue",
        "setUntypedValue", "typedFetchedObjects", "typedList", "typedObject", "typedPrimitiveTransformedValue",
        "typedPrimitiveValue", "typedSet", "typedTransformedValue", "typedValue", "untypedPrimitiveTransformedValue",
        "untypedPrimitiveValue", "untypedTransformedValue", "untypedValue", "validateForDelete", "validateForInsert",
        "validateForUpdate", "willSave", "willTurnIntoFault",
    ]

    /// The stored property of the structures for composites.
    static let composite: Set<String> = ["managedObject"]
}

/// The types that generated code names, written with their module where the model has the same name.
struct TypeNames {
    private static let foundation: Set<String> = [
        "Data", "Date", "Decimal", "IndexSet", "TimeInterval", "URL", "UUID",
    ]
    private static let granary: Set<String> = ["AttributeValue", "ManagedObject"]
    private static let swift: Set<String> = [
        "Bool", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Sendable", "Sequence", "Set", "String",
    ]

    static let all = foundation.union(granary).union(swift)
    /// The modules, whose names no class may have.
    static let modules: Set<String> = ["Foundation", "Granary", "Swift"]

    /// The names of the model's classes.
    let classes: Set<String>
    /// Whether a type of Foundation was named.
    private(set) var usesFoundation = false
    /// Whether a type of Granary was named.
    private(set) var usesGranary = false

    init(classes: Set<String>) { self.classes = classes }

    mutating func callAsFunction(_ name: String) -> String {
        let isFoundation = Self.foundation.contains(name)
        let isGranary = Self.granary.contains(name)
        if isFoundation { usesFoundation = true }
        if isGranary { usesGranary = true }
        guard classes.contains(name) else { return name }
        return (isFoundation ? "Foundation." : isGranary ? "Granary." : "Swift.") + name
    }
}
