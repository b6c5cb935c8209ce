import GranaryBase
import GranaryModel
import TestSupport

/// A model that a seed determines: inheritance, every attribute type with and without rules, every cardinality.
struct GeneratedModel {
    /// The cardinality of a relationship and its inverse.
    enum Kind: CaseIterable {
        case toOne, oneToOne, oneToMany, orderedOneToMany, manyToMany, orderedManyToMany, toMany, ownInverse
    }

    /// A relationship and its inverse.
    struct Pair {
        let kind: Kind
        let owner: String
        let name: String
        let destination: String
        let inverse: String
    }

    let model: ManagedObjectModel
    let pairs: [Pair]

    private static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
        .transformable,
    ]

    /// - Parameters:
    ///   - hasKeys: whether each root entity has a unique attribute, `key`.
    ///   - hasComposites: whether some entities have a composite attribute.
    ///   - hasDerived: whether entities with a text have one that is derived from it.
    init(hasKeys: Bool, hasComposites: Bool = false, hasDerived: Bool = false, _ random: inout SeededGenerator) {
        let count = Int.random(in: 2...5, using: &random)
        var parents: [Int?] = []
        var properties: [[PropertyDescription]] = []
        for index in 0..<count {
            let isSubentity = index > 0 && Int.random(in: 0..<3, using: &random) == 0
            parents.append(isSubentity ? Int.random(in: 0..<index, using: &random) : nil)
            var own: [PropertyDescription] = hasKeys && !isSubentity ? [.attribute("key", .string)] : []
            for (number, type) in Self.types.enumerated() where Bool.random(using: &random) {
                own.append(Self.attribute("a\(index)x\(number)", type, &random))
                guard hasDerived, type == .string else { continue }
                own.append(.attribute("d\(index)", .string, .derived("canonical:(a\(index)x\(number))")))
            }
            if hasComposites, index % 2 == 0 {
                own.append(.attribute("c\(index)", .composite, .composite("Place")))
            }
            properties.append(own)
        }
        var pairs: [Pair] = []
        for number in 0..<Int.random(in: 1...7, using: &random) {
            let kind = Kind.allCases.randomElement(using: &random) ?? .toOne
            let owner = Int.random(in: 0..<count, using: &random)
            let destination = kind == .ownInverse ? owner : Int.random(in: 0..<count, using: &random)
            let pair = Pair(
                kind: kind, owner: "E\(owner)", name: "r\(number)", destination: "E\(destination)",
                inverse: "i\(number)")
            let (here, there) = Self.ends(of: pair)
            properties[owner].append(here)
            if let there { properties[destination].append(there) }
            pairs.append(pair)
        }
        var entities: [EntityDescription] = []
        for index in 0..<count {
            let isAbstract = parents.contains(index) && Bool.random(using: &random)
            entities.append(
                EntityDescription(
                    "E\(index)", properties[index], superentity: parents[index].map { "E\($0)" },
                    isAbstract: isAbstract, unique: hasKeys && parents[index] == nil ? [["key"]] : []))
        }
        var model = ManagedObjectModel(entities: entities)
        if hasComposites {
            model.composites = [
                CompositeDescription(
                    name: "Place",
                    elements: [
                        AttributeDescription(name: "x", type: .integer16),
                        AttributeDescription(name: "y", type: .double),
                        AttributeDescription(name: "note", type: .string),
                    ])
            ]
        }
        self.model = model
        self.pairs = pairs
    }

    private static func ends(of pair: Pair) -> (here: PropertyDescription, there: PropertyDescription?) {
        let (name, owner, destination, inverse) = (pair.name, pair.owner, pair.destination, pair.inverse)
        let one = PropertyDescription.toOne(inverse, owner, inverse: name)
        switch pair.kind {
        case .toOne: return (.toOne(name, destination, inverse: nil, .required), nil)
        case .oneToOne: return (.toOne(name, destination, inverse: inverse), one)
        case .oneToMany: return (.toMany(name, destination, inverse: inverse, .count(1, 2)), one)
        case .orderedOneToMany: return (.toMany(name, destination, inverse: inverse, .ordered), one)
        case .manyToMany:
            return (.toMany(name, destination, inverse: inverse, .count(2, 3)), .toMany(inverse, owner, inverse: name))
        case .orderedManyToMany:
            return (.toMany(name, destination, inverse: inverse, .ordered), .toMany(inverse, owner, inverse: name))
        case .toMany: return (.toMany(name, destination, inverse: nil), nil)
        case .ownInverse: return (.toMany(name, destination, inverse: name), nil)
        }
    }

    /// An attribute, often with a rule that its values break.
    private static func attribute(
        _ name: String, _ type: AttributeType, _ random: inout SeededGenerator
    ) -> PropertyDescription {
        switch (type, Int.random(in: 0..<4, using: &random)) {
        case (.string, 1): return .attribute(name, type, .length(2...4), .defaultValue("new"))
        case (.string, 2): return .attribute(name, type, .pattern("[a-z]+"))
        case (.integer16, 1), (.integer32, 1), (.integer64, 1):
            return .attribute(name, type, .minimum(10), .maximum(20), .defaultValue(15))
        case (.double, 1), (.float, 1), (.decimal, 1): return .attribute(name, type, .minimum(1), .maximum(2))
        case (.binary, 1): return .attribute(name, type, .externalStorage)
        case (_, 0): return .attribute(name, type, .required)
        default: return .attribute(name, type)
        }
    }
}
