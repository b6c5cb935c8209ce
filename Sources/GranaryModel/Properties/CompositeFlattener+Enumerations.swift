import GranaryPredicates

/// Enumerations of SwiftData, which are Composite attributes with one value in all.
extension CompositeFlattener {
    /// A Composite attribute as one value with its name; nil if it is not an enumeration.
    ///
    /// An enumeration with raw values has one element, with the name of the attribute. An enumeration without them has
    /// the Boolean `EnumType` in its user info, and an optional String element for each case, in which an object of
    /// this case has the name of the case.
    func enumeration(of attribute: AttributeDescription, at path: String) -> CompositeLeaf? {
        guard isSwiftData, attribute.type == .composite,
            let elements = composite(named: attribute.compositeName)?.elements, let first = elements.first
        else { return nil }
        if elements.count == 1, first.name.utf8.elementsEqual(attribute.name.utf8), first.type != .composite {
            var value = first
            // The element is always optional. With the raw values, which only sources tell, the value is required as in
            // Swift: an app fails when it reads NULL for an enumeration that is not optional.
            value.isOptional = attribute.isOptional || (first.isOptional && first.validationRules.isEmpty)
            value.isTransient = first.isTransient || attribute.isTransient
            value.renamingIdentifier = attribute.renamingIdentifier
            value.userInfo = attribute.userInfo.merging(first.userInfo) { _, inner in inner }
            return CompositeLeaf(path: path, attribute: value, isRawValue: true)
        }
        guard Self.isTrue(attribute.userInfo["EnumType"]),
            elements.allSatisfy({ $0.type == .string && $0.isOptional && $0.derivationExpression == nil })
        else { return nil }
        var value = AttributeDescription(name: attribute.name, type: .string)
        // As for raw values, only sources tell that a case is required.
        value.isOptional = attribute.isOptional || elements.contains { $0.validationRules.isEmpty }
        value.defaultValue = elements.lazy.compactMap(\.defaultValue).first
        value.isTransient = attribute.isTransient
        value.renamingIdentifier = attribute.renamingIdentifier
        value.userInfo = attribute.userInfo
        let cases = elements.map(\.name)
        value.validationRules = [
            ValidationRule(
                predicate: .comparison(
                    .init(.evaluatedObject, .isIn, .list(cases.map { .constant(.string($0)) }))), message: "")
        ]
        return CompositeLeaf(path: path, attribute: value, cases: cases)
    }

    /// Xcode's XML keeps user info as text only.
    private static func isTrue(_ value: UserInfoValue?) -> Bool {
        switch value {
        case .boolean(let flag): flag
        case .integer(let number): number != 0
        case .string(let text): ["true", "1", "yes"].contains(text.lowercased())
        default: false
        }
    }
}

extension ManagedObjectModel {
    /// A Composite attribute, or a composite element, as one value; nil if it is not an enumeration of SwiftData.
    package func enumeration(of attribute: AttributeDescription) -> AttributeDescription? {
        guard isSwiftData, attribute.type == .composite else { return nil }
        return CompositeFlattener(model: self).enumeration(of: attribute, at: attribute.name)?.attribute
    }
}
