import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelDecoder {
    /// The composite that an attribute's elements make.
    ///
    /// An archive has the elements in each attribute, and no name for them. Equal elements are one composite here; it is
    /// called after the first attribute that has them, `EventLocation` for the attribute `location` of `Event`. The
    /// name is no part of the version hash. The depth limit bounds the recursion, the work limit the breadth.
    mutating func compositeName(
        of object: CompiledObject, name: String, depth: Int
    ) throws(GranaryError) -> String {
        guard depth < CompositeFlattener.depthLimit else {
            throw refusal("a composite nests deeper than \(CompositeFlattener.depthLimit)", code: .modelInheritance)
        }
        var elements: [AttributeDescription] = []
        for item in try items("NSCompositeElements", of: object) {
            let element = try unpack(item, "an element of the composite")
            switch CompiledPropertyKind(element) {
            case .attribute?, .compositeAttribute?, .derivedAttribute?: break
            default: throw refusal("an element of the composite is of the class \(quoted(element.className))")
            }
            guard let name = try text("NSPropertyName", of: element) else {
                throw refusal("an element of the composite has no name")
            }
            let kind: CompiledPropertyKind =
                element.isKind(of: "NSCompositeAttributeDescription") ? .compositeAttribute : .attribute
            elements.append(try attribute(element, kind, name: name, depth: depth + 1))
        }
        if elements.isEmpty { warn("the composite has no elements", code: .modelReference) }
        if let known = compositeNames[elements] { return known }
        let composite = CompositeDescription(name: freeName(for: name), elements: elements)
        composites.append(composite)
        compositeNames[elements] = composite.name
        return composite.name
    }

    private mutating func freeName(for attribute: String) -> String {
        let base = (place.entity ?? "") + attribute.prefix(1).uppercased() + attribute.dropFirst()
        // The count goes on where it was: a hostile archive has thousands of one name.
        var number = compositeNameCounts[base, default: 0]
        var name = base
        repeat {
            number += 1
            name = number == 1 ? base : "\(base)\(number)"
        } while !takenCompositeNames.insert(name).inserted
        compositeNameCounts[base] = number
        return name
    }
}
