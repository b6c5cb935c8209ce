/// Writes the class property that gives the names in the model of a class's properties, for conditions in Swift.
struct PropertyNamesWriter {
    /// `override` or `override open`.
    let override: String
    var names: TypeNames

    /// Returns the lines of the members, without indentation of the class; none if the class adds no properties.
    ///
    /// Key paths belong to the class for which they are written, and conditions are written for the users' classes and
    /// their subclasses. So a generic function makes them, which is called with the class that is asked. An extension
    /// cannot override the property; its function is for the class that the user writes.
    mutating func lines(_ planned: PlannedClass, declaredBy name: String) -> [String] {
        let assignments = planned.properties.flatMap { Self.assignments($0, path: "") }
        guard !assignments.isEmpty else { return [] }
        let root = names.unused("Root")
        let table = "[\(names("AnyKeyPath")): \(names("String"))]"
        var lines: [String] = []
        if !planned.isExtension {
            lines += [
                "\(override) class var propertyNames: \(table) {",
                "    propertyNames(of: Self.self, super.propertyNames)",
                "}", "",
            ]
        }
        let access = planned.isExtension ? "" : "private "
        lines += [
            "\(access)static func propertyNames<\(root): \(SwiftIdentifier.text(name))>(",
            "    of type: \(root).Type, _ inherited: \(table)", ") -> \(table) {", "    var names = inherited",
        ]
        lines += assignments.map { "    names[\\\(root).\($0.path)] = \(SwiftIdentifier.literal($0.key))" }
        return lines + ["    return names", "}"]
    }

    /// The properties that conditions can use; fetched properties and values without change tracking are none.
    private static func assignments(_ property: PlannedProperty, path: String) -> [(path: String, key: String)] {
        let path = path + SwiftIdentifier.text(property.name)
        switch property.kind {
        case .attribute, .toOne, .toMany: return [(path, property.key)]
        case .composite(_, let elements): return elements.flatMap { assignments($0, path: path + ".") }
        case .primitive, .fetched: return []
        }
    }
}
