import GranaryModel
import GranaryPredicates

/// A class to generate.
struct PlannedClass {
    /// The identifier of the class.
    var name: String
    /// The identifier of the machine's class between it and its superclass, in two files: `_Customer`.
    var machineName: String
    /// The name in the model, under which the class is registered.
    let registeredName: String
    /// The entity, for comments.
    let entityName: String
    /// The user writes the class, and only the accessors are generated (Category/Extension in Xcode's models).
    let isExtension: Bool
    /// The identifier of the superclass; nil for the plain managed object.
    var superclass: String?
    var properties: [PlannedProperty] = []
    /// Whether entities that do not inherit from each other have the class, so that it has no properties.
    var isShared = false
    /// What the file says about renamed properties, and about properties that are left out.
    var notes: [String] = []
}
