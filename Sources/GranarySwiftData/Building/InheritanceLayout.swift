/// A way in which a class that inherits from another can be an entity. No known store tells which one SwiftData uses.
struct InheritanceLayout {
    /// The name of the superentity; nil if the class is an entity of its own.
    var superentity: String?
    /// The properties that it inherits.
    var properties: [SwiftDataProperty] = []
    /// The constraints of the superclass, if the entity has them itself.
    var ownConstraints: [[String]] = []

    /// The layout of a class that inherits from none.
    static var alone: Self { Self() }

    /// The layouts to try, the likeliest first.
    ///
    /// - Parameter isEntity: whether the superclass has `@Model`.
    static func all(of parent: SwiftDataEntity, isEntity: Bool) -> [Self] {
        let properties = parent.properties + parent.inherited
        let flat = Self(properties: properties, ownConstraints: parent.constraints)
        return isEntity
            ? [Self(superentity: parent.name, properties: properties), flat, alone] : [alone, flat]
    }

    /// The layout in words, for messages.
    var text: String {
        if let superentity { return "a subentity of \(superentity)" }
        return properties.isEmpty
            ? "an entity without the properties of its superclass" : "an entity with the properties of its superclass"
    }
}
