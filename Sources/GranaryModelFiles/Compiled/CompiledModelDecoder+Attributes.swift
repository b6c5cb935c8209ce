import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelDecoder {
    private static let attributeKeys = propertyKeys.union([
        "NSAttributeType", "NSAttributeValueClassName", "NSDefaultValue", "NSValueTransformerName", "NSFlagsKey",
        "NSAllowsCloudEncryption", "NSDerivationExpression", "NSFilteringPredicate", "NSCompositeElements",
    ])

    /// - Parameter depth: the number of composites that contain the attribute.
    mutating func attribute(
        _ object: CompiledObject, _ kind: CompiledPropertyKind, name: String, depth: Int = 0
    ) throws(GranaryError) -> AttributeDescription {
        let number = try integer("NSAttributeType", of: object) ?? AttributeType.undefined.rawValue
        guard let type = AttributeType(rawValue: number) else {
            throw refusal("there is no attribute type \(number)")
        }
        var attribute = AttributeDescription(name: name, type: kind == .compositeAttribute ? .composite : type)
        attribute.isIndexed = try flag("NSIsIndexed", of: object)
        attribute.valueTransformerName = try text("NSValueTransformerName", of: object)
        let valueClassName = try text("NSAttributeValueClassName", of: object)
        // Every type but Transformable has a fixed class, which the description omits.
        attribute.valueClassName = valueClassName == attribute.type.archivedClassName ? nil : valueClassName
        try readCommon(of: object, into: &attribute)
        try readFlags(of: object, into: &attribute)
        if attribute.type == .composite {
            attribute.compositeName = try compositeName(of: object, name: name, depth: depth)
        }
        if kind == .derivedAttribute {
            try readDerivation(of: object, into: &attribute)
        } else {
            try noteReadOnly(object, &attribute.notes)
        }
        try readDefault(of: object, into: &attribute)
        try readValidation(of: object, into: &attribute)
        try keepUnknown(of: object, known: Self.attributeKeys, &attribute.notes)
        return attribute
    }

    private mutating func readFlags(
        of object: CompiledObject, into attribute: inout AttributeDescription
    ) throws(GranaryError) {
        let number = Int64(try integer("NSFlagsKey", of: object) ?? 0)
        let flags = CompiledAttributeFlags(rawValue: number)
        attribute.allowsExternalBinaryDataStorage = flags.contains(.allowsExternalBinaryDataStorage)
        attribute.preservesValueInHistoryOnDeletion = flags.contains(.preservesValueInHistoryOnDeletion)
        if number & ~CompiledAttributeFlags.all.rawValue != 0 {
            attribute.notes["NSFlagsKey"] = String(number)
            warn("NSFlagsKey \(number) has bits that are not known; it is kept as it is")
        }
    }

    private mutating func readDerivation(
        of object: CompiledObject, into attribute: inout AttributeDescription
    ) throws(GranaryError) {
        if let item = object.fields["NSFilteringPredicate"] {
            attribute.notes["NSFilteringPredicate"] = try predicateText(item)
            note("the filtering predicate of a derived attribute is kept as a note, but not used")
        }
        guard let item = object.fields["NSDerivationExpression"] else {
            warn("the derived attribute has no expression; it is read as an ordinary one", code: .modelReference)
            return
        }
        switch try expression(item) {
        case .node(let node, _): attribute.derivationExpression = PredicateFormat.derivationText(of: node)
        case .refused(let reason):
            attribute.notes["NSDerivationExpression"] = try archive.className(of: item) ?? ""
            warn("the derivation expression cannot be read, so the attribute is read as an ordinary one: \(reason)")
        }
    }

    private mutating func readValidation(
        of object: CompiledObject, into attribute: inout AttributeDescription
    ) throws(GranaryError) {
        let items = try items("NSValidationPredicates", of: object)
        guard !items.isEmpty else { return }
        let warnings = try self.items("NSValidationWarnings", of: object)
        if warnings.count != items.count {
            warn("there are \(items.count) validation predicates, but \(warnings.count) warnings")
        }
        var left: [String] = []
        var leftWarnings: [PropertyListValue?] = []
        for (index, item) in items.enumerated() {
            let warning = index < warnings.count ? try plainValue(warnings[index]) : nil
            switch try predicate(item) {
            case .node(let node, _):
                let entry = ValidationEntry(predicate: node, warning: warning)
                for text in ValidationPredicates.apply([entry], to: &attribute) {
                    left.append(text)
                    leftWarnings.append(warning)
                    warn("a validation predicate is kept, but not evaluated: \(Diagnostic.shortened(text))")
                }
            case .refused(let reason):
                left.append(try archive.className(of: item) ?? "")
                leftWarnings.append(warning)
                warn("a validation predicate cannot be read and is not evaluated: \(reason)")
            }
        }
        KeptValidation.note(left, warnings: leftWarnings, in: &attribute.notes)
    }

    private mutating func plainValue(_ item: KeyedArchive.Item) throws(GranaryError) -> PropertyListValue? {
        switch try contents(item) {
        case .string(let value): return .string(value)
        case .integer(let value): return .integer(value)
        case .boolean(let value): return .boolean(value)
        case .real(let value): return .real(value)
        default: return nil
        }
    }
}
