import GranaryBase
import GranaryModel

extension EntityReader {
    /// A stored property; nil for any other variable.
    mutating func property(_ variable: SourceVariable, of entry: SourceTypeEntry) -> SwiftDataProperty? {
        guard !variable.isStatic, !variable.isComputed,
            !variable.attributes.contains(where: { $0.name == "Transient" || $0.name == "SwiftData.Transient" }),
            index.conditions.value(variable.conditions) != false
        else { return nil }
        if variable.isLazy {
            warn("a lazy property is taken as not stored", entry, property: variable.name, at: variable.place)
            return nil
        }
        let type = variable.type ?? resolver.type(of: variable.initialValue, in: entry.path)
        let meaning = meaning(of: variable, type, entry)
        var property = SwiftDataProperty(
            name: variable.name, position: SourcePosition(file: entry.file, variable.place), meaning: meaning,
            typeText: type?.text ?? "", initialValue: variable.initialValue)
        for attribute in variable.attributes { apply(attribute, to: &property, entry) }
        if index.conditions.value(variable.conditions) == nil {
            let names = ConditionValues.names(variable.conditions)
            let present = property.meaning.shape.map { [$0] } ?? property.meaning.candidates
            property.meaning.shape = nil
            property.meaning.candidates = present + [.absent]
            let flags = names.map { "-D '\($0)'" }.joined(separator: " ")
            let unset = names.map { "-D '\($0)=0'" }.joined(separator: " ")
            property.meaning.question = "#if decides whether the property exists: \(flags), or \(unset)"
        }
        if property.meaning.shape == .absent { return nil }
        if let inference = property.meaning.inference {
            warn(inference, entry, property: variable.name, at: variable.place)
        }
        return property
    }

    private func meaning(
        of variable: SourceVariable, _ type: SourceType?, _ entry: SourceTypeEntry
    ) -> TypeMeaning {
        if let decision = decided["\(entry.bareName).\(variable.name)"] {
            var meaning = resolver.meaning(of: decision, in: entry.path, property: variable.name, depth: 0)
            if let type {
                let declared = resolver.meaning(of: type, in: entry.path, property: variable.name)
                meaning.isOptional = meaning.isOptional || declared.isOptional
            }
            return meaning
        }
        guard let type else {
            return .unknown(
                "the type cannot be told from the initial value; write it in the source",
                subject: "\(entry.bareName).\(variable.name)", candidates: BuiltinTypes.allShapes(named: variable.name))
        }
        return resolver.meaning(of: type, in: entry.path, property: variable.name)
    }

    private mutating func apply(
        _ attribute: SourceAttribute, to property: inout SwiftDataProperty, _ entry: SourceTypeEntry
    ) {
        switch attribute.name {
        case "Attribute", "SwiftData.Attribute": applyAttribute(attribute, to: &property, entry)
        case "Relationship", "SwiftData.Relationship":
            property.isAnnotated = true
            applyRelationship(attribute, to: &property, entry)
        default:
            guard !resolver.isHarmless(attribute) else { return }
            refuse(
                "the source does not show what @\(attribute.name) makes of the property", entry,
                property: property.name,
                at: attribute.place, help: "-D '@\(attribute.name)=0'")
        }
    }

    /// Applies an argument that `@Attribute` and `@Relationship` have; false for any other.
    private mutating func applyCommon(
        _ argument: SourceArgument, of attribute: SourceAttribute, to property: inout SwiftDataProperty,
        _ entry: SourceTypeEntry
    ) -> Bool {
        switch (argument.label, argument.value) {
        case ("originalName"?, .string(let name)): property.originalName = name
        case ("hashModifier"?, .string(let text)):
            property.hashModifier = text
            warn(
                "no known store confirms how hashModifier counts; it is read as Core Data's modifier", entry,
                property: property.name, at: attribute.place)
        case (nil, .member(_, "unique")): property.isUnique = true
        default: return false
        }
        return true
    }

    private mutating func applyAttribute(
        _ attribute: SourceAttribute, to property: inout SwiftDataProperty, _ entry: SourceTypeEntry
    ) {
        for argument in attribute.arguments where !applyCommon(argument, of: attribute, to: &property, entry) {
            switch (argument.label, argument.value) {
            case (nil, .member(_, "externalStorage")): property.storesExternally = true
            case (nil, .member(_, "preserveValueOnDeletion")):
                property.preservesValueOnDeletion = true
                warn(
                    "no known store confirms how preserveValueOnDeletion counts; it is read as in Core Data", entry,
                    property: property.name, at: attribute.place)
            case (nil, .member(_, "allowsCloudEncryption")): property.allowsCloudEncryption = true
            case (nil, .member(_, "spotlight")): property.isIndexedBySpotlight = true
            case (nil, .member(_, "ephemeral")): property.isTransient = true
            case (nil, .call(.member(_, "transformable"), let arguments)):
                property.meaning.shape = .attribute(.transformable, className: property.className)
                property.meaning.question = nil
                property.transformerName = arguments.first?.value.transformerName
            default:
                refuse(
                    "the option of @Attribute is not known", entry, property: property.name, at: attribute.place)
            }
        }
    }

    private mutating func applyRelationship(
        _ attribute: SourceAttribute, to property: inout SwiftDataProperty, _ entry: SourceTypeEntry
    ) {
        for argument in attribute.arguments where !applyCommon(argument, of: attribute, to: &property, entry) {
            switch (argument.label, argument.value) {
            case ("deleteRule"?, .member(_, let rule)):
                switch rule {
                case "cascade": property.deleteRule = .cascade
                case "deny": property.deleteRule = .deny
                case "noAction": property.deleteRule = .noAction
                case "nullify": property.deleteRule = .nullify
                default:
                    refuse("the delete rule .\(rule) is not known", entry, property: property.name, at: attribute.place)
                }
            case ("inverse"?, .keyPath(let type, let components)) where components.count == 1:
                property.explicitInverse = (type, components[0])
            case ("inverse"?, .null): break
            case ("minimumModelCount"?, .integer(let digits)) where digits == "0": break
            case ("maximumModelCount"?, .integer(let digits)) where digits == "0": break
            case ("minimumModelCount"?, .integer(let digits)) where triesVariants && Int32(digits) != nil:
                property.minimumCount = Int(digits) ?? 0
                property.areCountsUndecided = true
            case ("maximumModelCount"?, .integer(let digits)) where triesVariants && Int32(digits) != nil:
                property.maximumCount = Int(digits) ?? 0
                property.areCountsUndecided = true
            case ("minimumModelCount"?, _), ("maximumModelCount"?, _):
                refuse(
                    "no known store tells how \(argument.label ?? "") counts", entry, property: property.name,
                    at: attribute.place, help: "--expect STORE")
            default:
                refuse(
                    "the option of @Relationship is not known", entry, property: property.name, at: attribute.place)
            }
        }
    }
}

extension SourceExpression {
    /// The name of the value transformer in `ColorTransformer.self`, `"ColorTransformer"` or
    /// `ColorTransformer.name.rawValue`.
    fileprivate var transformerName: String? {
        switch self {
        case .string(let name): name
        case .member(let base?, "self"): base.dottedName
        default: nil
        }
    }
}

extension SwiftDataProperty {
    /// The class of a Transformable's values.
    fileprivate var className: String? {
        typeText.isEmpty ? nil : typeText.hasSuffix("?") ? String(typeText.dropLast()) : typeText
    }
}
