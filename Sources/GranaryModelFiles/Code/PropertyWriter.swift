/// Writes the accessors of properties.
struct PropertyWriter {
    /// `public ` or nothing, before each declaration.
    let access: String
    var names: TypeNames

    /// Returns the lines of a property's declarations, without indentation of the class.
    mutating func lines(_ property: PlannedProperty) -> [String] {
        let key = SwiftIdentifier.literal(property.key)
        let name = SwiftIdentifier.text(property.name)
        let summary = "/// \(SwiftIdentifier.comment(property.summary))"
        switch property.kind {
        case .attribute(let attribute, let isReadOnly):
            return [summary] + lines(attribute, name, key, isReadOnly: isReadOnly, receiver: "", setter: "set")
        case .primitive(let attribute, let isReadOnly):
            return [summary] + primitiveLines(attribute, name, key, isReadOnly: isReadOnly)
        case .composite(let typeName, let elements):
            return [summary, "\(access)var \(name): \(typeName) { \(typeName)(managedObject: self) }", ""]
                + structure(typeName, elements, property.key)
        case .toOne(let className):
            return [summary]
                + block(
                    name, "\(objectType(className))?", getter: "typedObject(forKey: \(key))",
                    setter: "setTypedObject(newValue, forKey: \(key))", "set")
        case .toMany(let className, let isOrdered, let suffix):
            return [summary] + links(name, objectType(className), key, isOrdered: isOrdered, suffix)
        case .fetched(let className):
            return [
                summary, "\(access)var \(name): [\(objectType(className))] { typedFetchedObjects(forKey: \(key)) }",
            ]
        }
    }

    /// The name of a class; nil for the plain managed object.
    private mutating func objectType(_ className: String?) -> String {
        className.map(SwiftIdentifier.text) ?? names("ManagedObject")
    }

    // MARK: - Attributes

    /// - Parameters:
    ///   - receiver: what accesses the object, with its dot.
    ///   - setter: the keyword, with `nonmutating` in a structure.
    private mutating func lines(
        _ attribute: AttributeAccess, _ name: String, _ key: String, isReadOnly: Bool, receiver: String, setter: String
    ) -> [String] {
        let type: String
        let getter: String
        let set: String
        switch attribute {
        case .value(let value, let isOptional):
            type = names(value) + (isOptional ? "?" : "")
            getter = "\(receiver)\(isOptional ? "typedValue" : "requiredValue")(forKey: \(key))"
            set = "\(receiver)setTypedValue(newValue, forKey: \(key))"
        case .seconds:
            let date = names("Date")
            type = names("TimeInterval")
            getter = "(\(receiver)requiredValue(forKey: \(key)) as \(date)).timeIntervalSinceReferenceDate"
            set = "\(receiver)setTypedValue(\(date)(timeIntervalSinceReferenceDate: newValue), forKey: \(key))"
        case .transformed(let value):
            type = value.text(&names) + "?"
            getter = "\(receiver)typedTransformedValue(forKey: \(key))"
            set = "\(receiver)setTypedTransformedValue(newValue, forKey: \(key))"
        case .anyTransformed:
            type = "(any \(names("Sendable")))?"
            getter = "\(receiver)untypedTransformedValue(forKey: \(key))"
            set = "\(receiver)setTypedTransformedValue(newValue, forKey: \(key))"
        case .untyped:
            type = names("AttributeValue") + "?"
            getter = "\(receiver)untypedValue(forKey: \(key))"
            set = "\(receiver)setUntypedValue(newValue, forKey: \(key))"
        }
        if isReadOnly { return ["\(access)var \(name): \(type) { \(getter) }"] }
        return block(name, type, getter: getter, setter: set, setter)
    }

    private mutating func primitiveLines(
        _ attribute: AttributeAccess, _ name: String, _ key: String, isReadOnly: Bool
    ) -> [String] {
        let type = attribute.optionalType(&names)
        let form: String
        let setter: String
        switch attribute {
        case .value, .seconds: (form, setter) = ("typedPrimitiveValue", "setTypedPrimitiveValue")
        case .transformed:
            (form, setter) = ("typedPrimitiveTransformedValue", "setTypedPrimitiveTransformedValue")
        case .anyTransformed:
            (form, setter) = ("untypedPrimitiveTransformedValue", "setTypedPrimitiveTransformedValue")
        case .untyped: (form, setter) = ("untypedPrimitiveValue", "setUntypedPrimitiveValue")
        }
        let getter = "\(form)(forKey: \(key))"
        if isReadOnly { return ["\(access)var \(name): \(type) { \(getter) }"] }
        return block(name, type, getter: getter, setter: "\(setter)(newValue, forKey: \(key))", "set")
    }

    private func block(
        _ name: String, _ type: String, getter: String, setter: String, _ keyword: String
    ) -> [String] {
        [
            "\(access)var \(name): \(type) {", "    get { \(getter) }", "    \(keyword) { \(setter) }", "}",
        ]
    }

    private mutating func structure(_ typeName: String, _ elements: [PlannedProperty], _ key: String) -> [String] {
        var lines = [
            "/// \(SwiftIdentifier.comment("Access to the elements of `\(key)` of one object."))",
            "\(access)struct \(typeName): \(names("CompositeElements")) {",
            "    let managedObject: \(names("ManagedObject"))",
        ]
        for element in elements {
            let name = SwiftIdentifier.text(element.name)
            lines.append("")
            lines.append("    /// \(SwiftIdentifier.comment(element.summary))")
            switch element.kind {
            case .attribute(let attribute, let isReadOnly):
                lines += self.lines(
                    attribute, name, SwiftIdentifier.literal(element.key), isReadOnly: isReadOnly,
                    receiver: "managedObject.", setter: "nonmutating set"
                ).map { "    " + $0 }
            case .composite(let inner, let members):
                lines.append("    \(access)var \(name): \(inner) { \(inner)(managedObject: managedObject) }")
                lines.append("")
                lines += structure(inner, members, element.key).map { $0.isEmpty ? $0 : "    " + $0 }
            case .primitive, .toOne, .toMany, .fetched: break
            }
        }
        return lines + ["}"]
    }

    // MARK: - Relationships

    private mutating func links(
        _ name: String, _ type: String, _ key: String, isOrdered: Bool, _ suffix: String
    ) -> [String] {
        let set = "\(names("Set"))<\(type)>"
        let sequence = "some \(names("Sequence"))<\(type)>"
        var lines = block(
            name, isOrdered ? "[\(type)]" : set, getter: "\(isOrdered ? "typedList" : "typedSet")(forKey: \(key))",
            setter: "\(isOrdered ? "setTypedList" : "setTypedSet")(newValue, forKey: \(key))", "set")
        let add = "addTo\(suffix)"
        let remove = "removeFrom\(suffix)"
        lines += ["", "\(access)func \(add)(_ value: \(type)) { addTyped(value, forKey: \(key)) }"]
        lines += [
            "", "\(access)func \(add)(_ values: \(sequence)) { addTyped(contentsOf: values, forKey: \(key)) }",
        ]
        lines += ["", "\(access)func \(remove)(_ value: \(type)) { removeTyped(value, forKey: \(key)) }"]
        lines += [
            "", "\(access)func \(remove)(_ values: \(sequence)) { removeTyped(contentsOf: values, forKey: \(key)) }",
        ]
        guard isOrdered else { return lines }
        let index = names("Int")
        lines += [
            "", "\(access)func insertInto\(suffix)(_ value: \(type), at index: \(index)) {",
            "    insertTyped(value, at: index, forKey: \(key))", "}",
            "", "\(access)func \(remove)(at index: \(index)) { removeTyped(at: index, forKey: \(key)) }",
            "", "\(access)func replace\(suffix)(at index: \(index), with value: \(type)) {",
            "    replaceTyped(at: index, with: value, forKey: \(key))", "}",
        ]
        let indexes = names("IndexSet")
        lines += [
            "", "\(access)func insertInto\(suffix)(_ values: [\(type)], at indexes: \(indexes)) {",
            "    insertTyped(values, at: indexes, forKey: \(key))", "}",
            "", "\(access)func \(remove)(at indexes: \(indexes)) { removeTyped(at: indexes, forKey: \(key)) }",
            "", "\(access)func replace\(suffix)(at indexes: \(indexes), with values: [\(type)]) {",
            "    replaceTyped(at: indexes, with: values, forKey: \(key))", "}",
        ]
        return lines
    }
}
