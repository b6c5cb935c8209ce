import Foundation
import GranaryModel
import GranaryPredicates
import TestSupport

/// A model made from a seed number, with counts that it can satisfy.
struct RandomModel {
    private(set) var model = ManagedObjectModel()
    private(set) var counts: [String: Int] = [:]
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed &* 7919 &+ 17)
        let roots = 1 + below(4)
        for number in 0..<roots {
            let name = "Root\(number)"
            model.entities.append(entity(name))
            counts[name] = below(25)
            guard below(3) == 0 else { continue }
            if below(2) == 0 {
                model.entities[model.entities.count - 1].isAbstract = true
                counts[name] = nil
            }
            for child in 0..<1 + below(2) {
                var entity = entity("\(name)Kind\(child)")
                entity.superentityName = name
                model.entities.append(entity)
                counts[entity.name] = below(25)
            }
        }
        for number in 0..<below(5) { addRelationship(number) }
    }

    private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func entity(_ name: String) -> EntityDescription {
        var entity = EntityDescription(name: name)
        // Names differ among the entities of a hierarchy.
        for number in 0..<below(6) { entity.attributes.append(attribute("\(name.lowercased())Value\(number)")) }
        if below(2) == 0 {
            var code = AttributeDescription(
                name: name.lowercased() + "Code", type: below(2) == 0 ? .string : .integer32)
            code.isOptional = below(2) == 0
            entity.attributes.append(code)
            entity.uniquenessConstraints = [[code.name]]
            if below(3) == 0, let other = entity.attributes.first, other.name != code.name {
                entity.uniquenessConstraints.append([other.name, code.name])
            }
        }
        return entity
    }

    private mutating func attribute(_ name: String) -> AttributeDescription {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date, .binary,
            .uuid,
            .uri, .transformable,
        ]
        var attribute = AttributeDescription(name: name, type: types[below(types.count)])
        attribute.isOptional = below(2) == 0
        guard below(2) == 0 else { return attribute }
        let low = below(200) - 100
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            attribute.minimumValue = .integer(Int64(low))
            attribute.maximumValue = .integer(Int64(low + below(2000)))
        case .decimal:
            attribute.minimumValue = .decimal(Decimal(low))
            attribute.maximumValue = .decimal(Decimal(low + below(50)))
        case .double:
            attribute.minimumValue = .double(Double(low) / 8)
            attribute.maximumValue = .double(Double(low) / 8 + Double(below(9)) / 7)
        case .float: attribute.minimumValue = .float(Float(low) / 3)
        case .date: attribute.minimumValue = .date(Date(timeIntervalSinceReferenceDate: Double(low) * 1e7 + 0.5))
        case .string:
            if below(2) == 0 {
                attribute.minimumLength = below(30)
                attribute.maximumLength = (attribute.minimumLength ?? 0) + below(10)
            } else {
                let patterns = ["[A-Z]{3}", "(\\d|x)+", "[a-f0-9]{8}(-[a-f0-9]{4})?", "a|b|c", "^\\w{2,5}$"]
                attribute.regularExpression = patterns[below(patterns.count)]
            }
        default: break
        }
        return attribute
    }

    /// Adds a relationship that any counts satisfy, except that a required one is added only to entities with objects.
    private mutating func addRelationship(_ number: Int) {
        let source = below(model.entities.count)
        let destination = below(model.entities.count)
        let names = (model.entities[source].name, model.entities[destination].name)
        var one = RelationshipDescription(name: "link\(number)", destination: names.1)
        one.isOptional = true
        let kind = below(4)
        one.maxCount = kind < 2 ? 1 : 0
        one.isOrdered = kind == 3
        if kind == 0, (counts[names.1] ?? 0) > 0 { one.isOptional = false }
        guard below(4) > 0 else { return model.entities[source].relationships.append(one) }
        var back = RelationshipDescription(name: "back\(number)", destination: names.0, inverse: one.name)
        back.isOptional = true
        back.maxCount = below(3) == 0 && one.isOptional ? 1 : 0
        back.isOrdered = back.isToMany && below(2) == 0
        if back.isToMany, below(3) == 0 { back.minCount = 1 + below(3) }
        one.inverseName = back.name
        // A required relationship to objects that accept no single link is not always possible.
        if !one.isOptional { back.minCount = 0 }
        model.entities[source].relationships.append(one)
        model.entities[destination].relationships.append(back)
    }
}
