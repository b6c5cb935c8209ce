import GranaryModel
import GranaryPredicates

/// Makes attributes and composites of shapes. Equal structs share a composite.
struct ShapeDescriber {
    private(set) var composites: [CompositeDescription] = []
    private var names: [Key: String] = [:]
    private var used: Set<String> = []

    private struct Key: Hashable {
        let shape: PropertyShape
        let isOptional: Bool
        /// The name of the property, for composites whose element has it.
        let property: String?
        /// The default value of an enum.
        var defaultValue: AttributeValue?
    }

    /// An attribute of a shape that is not a relationship; nil for other shapes.
    ///
    /// - Parameter initialValue: the initial value of the property, from which defaults come.
    mutating func attribute(
        _ name: String, _ shape: PropertyShape, isOptional: Bool, initialValue: SourceExpression? = nil
    ) -> AttributeDescription? {
        switch shape {
        case .attribute(let type, let className):
            var attribute = AttributeDescription(name: name, type: type)
            attribute.isOptional = isOptional
            attribute.valueClassName = className
            if type == .transformable { attribute.valueTransformerName = "NSSecureUnarchiveFromData" }
            attribute.defaultValue = DefaultValues.value(initialValue, type)
            return attribute
        case .rawEnum(let enumName, let type, let values):
            // Granary checks the raw values that the source has; SwiftData fails when it reads another one.
            var element = AttributeDescription(name: name, type: type)
            element.isOptional = true
            if let values, let rule = Self.rule(values.map(\.text), type) { element.validationRules = [rule] }
            element.defaultValue = values.flatMap { DefaultValues.value(initialValue, type, of: $0) }
            return composite(name, shape, isOptional, [element], property: name, as: enumName + "Value", isEnum: true)
        case .caseEnum(let enumName, let cases):
            let initial = DefaultValues.value(initialValue, of: cases)
            let elements = cases.map { name in
                var element = AttributeDescription(name: name, type: .string)
                element.isOptional = true
                // As for raw values, the rule tells that the model comes from sources.
                if let rule = Self.rule([name], .string) { element.validationRules = [rule] }
                if name == initial { element.defaultValue = .string(name) }
                return element
            }
            var attribute = composite(
                name, shape, isOptional, elements, property: nil, as: enumName + "Cases", isEnum: true)
            attribute.userInfo["enum"] = .array(cases.map { .string($0) })
            return attribute
        case .structure(let structName, let shapes):
            var elements: [AttributeDescription] = []
            for element in shapes {
                // An element of an optional struct is optional.
                let isOptional = element.isOptional || isOptional
                if let made = attribute(element.name, element.shape, isOptional: isOptional) { elements.append(made) }
            }
            return composite(name, shape, isOptional, elements, property: nil, as: structName, isEnum: false)
        case .toOne, .toMany, .absent: return nil
        }
    }

    private mutating func composite(
        _ name: String, _ shape: PropertyShape, _ isOptional: Bool, _ elements: [AttributeDescription],
        property: String?, as wanted: String, isEnum: Bool
    ) -> AttributeDescription {
        var attribute = AttributeDescription(name: name, type: .composite)
        attribute.isOptional = isOptional
        if isEnum { attribute.userInfo["EnumType"] = .boolean(true) }
        // Whether an enum is optional makes no difference to its elements.
        let key = Key(
            shape: shape, isOptional: isOptional && !isEnum, property: property,
            defaultValue: isEnum ? elements.compactMap(\.defaultValue).first : nil)
        if let known = names[key] {
            attribute.compositeName = known
            return attribute
        }
        let base = key.isOptional ? "Optional" + wanted : wanted
        var free = base
        var number = 2
        while !used.insert(free).inserted {
            free = "\(base)\(number)"
            number += 1
        }
        names[key] = free
        composites.append(CompositeDescription(name: free, elements: elements))
        attribute.compositeName = free
        return attribute
    }

    /// `SELF IN {"a", "b"}`.
    private static func rule(_ values: [String], _ type: AttributeType) -> ValidationRule? {
        guard !values.isEmpty, values.count <= 1_000 else { return nil }
        let items = values.map { value in
            type == .string
                ? "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" : value
        }
        guard let predicate = try? ObjectPredicate.parse("SELF IN {\(items.joined(separator: ", "))}") else {
            return nil
        }
        return ValidationRule(predicate: predicate, message: "")
    }
}
