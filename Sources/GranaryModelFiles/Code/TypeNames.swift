/// The types that generated code names, written with their module where the model has the same name.
struct TypeNames {
    private static let foundation: Set<String> = [
        "Bundle", "Data", "Date", "Decimal", "IndexSet", "TimeInterval", "URL", "UUID",
    ]
    private static let granary: Set<String> = [
        "AttributeValue", "CompositeElements", "GeneratedModel", "ManagedObject", "ManagedObjectContext",
        "ManagedObjectID",
        "ManagedObjectValues", "ObjectPredicate", "ObjectSortDescriptor", "PersistentContainer", "ValueProperty",
        "ValueSource", "ValueEncoder",
    ]
    private static let swift: Set<String> = [
        "AnyKeyPath", "Bool", "Double", "Float", "Hashable", "Int", "Int16", "Int32", "Int64", "Sendable", "Sequence",
        "Set",
        "String",
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

    /// Returns a name for a generic parameter that no class has.
    func unused(_ name: String) -> String {
        var result = name
        while classes.contains(result) { result += "_" }
        return result
    }

    mutating func callAsFunction(_ name: String) -> String {
        let isFoundation = Self.foundation.contains(name)
        let isGranary = Self.granary.contains(name)
        if isFoundation { usesFoundation = true }
        if isGranary { usesGranary = true }
        guard classes.contains(name) else { return name }
        return (isFoundation ? "Foundation." : isGranary ? "Granary." : "Swift.") + name
    }
}
