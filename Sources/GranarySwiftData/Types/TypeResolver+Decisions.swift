import GranaryModel

extension TypeResolver {
    /// The meaning of a type that the user has decided.
    func meaning(
        of decision: DecidedType, in scope: [String], property: String, depth: Int
    ) -> TypeMeaning {
        switch decision {
        case .attribute(let type): return .known(.attribute(type))
        case .rawEnum(let type): return .known(.rawEnum(name: property, type, values: nil))
        case .absent: return .known(.absent)
        case .codable:
            return .unknown(
                "Codable tells only how an array of it is stored; for one value write its properties: struct{name: Type}",
                subject: nil)
        case .structure(let fields):
            var elements: [ShapeElement] = []
            for field in fields {
                let meaning = meaning(of: field.type, in: scope, property: field.name, depth: depth + 1)
                guard let shape = meaning.shape, !shape.isRelationship else { return meaning }
                elements.append(ShapeElement(name: field.name, isOptional: meaning.isOptional, shape: shape))
            }
            let shape = PropertyShape.structure(name: property, elements)
            guard shape.size <= CompositeFlattener.elementLimit else {
                return .unknown("the struct has more than \(CompositeFlattener.elementLimit) elements", subject: nil)
            }
            return .known(shape)
        }
    }
}
