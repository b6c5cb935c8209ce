import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport

/// Computes derived attributes from all objects of a store: slow, but obviously correct.
struct DerivedTwin {
    struct Object {
        let entity: Schema.Entity
        var values: [String: AttributeValue] = [:]
        var references: [String: Int64] = [:]
        var links: [String: [Int64]] = [:]
    }

    let schema: Schema
    /// The objects by root entity and key.
    let objects: [Int: [Int64: Object]]

    init(_ store: any StoreBackend) throws {
        let schema = store.schema
        var objects: [Int: [Int64: Object]] = [:]
        for root in schema.entities where root.superentity == nil {
            var found: [Int64: Object] = [:]
            try store.read(entities: root.family, batchSize: 100) { batch in
                for (row, header) in batch.rows.enumerated() {
                    let entity = schema.entities[Int(header.entity)]
                    var object = Object(entity: entity)
                    for attribute in entity.attributes {
                        object.values[attribute.name] = try batch.value(row: row, of: attribute)
                    }
                    for relationship in entity.relationships {
                        guard case .reference(let key, _) = batch[row, relationship.slot] else { continue }
                        object.references[relationship.name] = key
                    }
                    found[header.key] = object
                }
                return true
            }
            for index in root.family {
                for relationship in schema.entities[index].relationships
                where relationship.isToMany && relationship.owner == index {
                    try store.readLinks(of: relationship, owners: nil) { link in
                        found[link.owner]?.links[relationship.name, default: []].append(link.destination)
                    }
                }
            }
            objects[root.index] = found
        }
        self.schema = schema
        self.objects = objects
    }

    /// The derived attributes with wrong values, except `now()`.
    func differences() -> [String] {
        var found: [String] = []
        for hierarchy in objects.values {
            for (key, object) in hierarchy {
                for attribute in object.entity.attributes {
                    guard let expression = attribute.description.derivationExpression, expression != "now()" else {
                        continue
                    }
                    let stored = object.values[attribute.name]
                    let expected = value(of: expression, object, as: attribute.type)
                    guard stored != expected else { continue }
                    found.append(
                        "\(object.entity.name) p\(key) \(attribute.name): \(String(describing: stored)), not "
                            + String(describing: expected))
                }
            }
        }
        return found
    }

    private func value(of expression: String, _ object: Object, as type: AttributeType) -> AttributeValue? {
        if let open = expression.firstIndex(of: "(") {
            let path = String(expression[expression.index(after: open)...].dropLast())
            guard case .string(let text)? = value(of: path, object, as: .string) else { return nil }
            switch String(expression[..<open]) {
            case "uppercase:": return .string(text.uppercased())
            case "lowercase:": return .string(text.lowercased())
            default:
                return .string(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
            }
        }
        let path = expression.split(separator: ".").map(String.init)
        guard path.count > 1 else { return object.values[path[0]] }
        guard let relationship = object.entity.relationship(named: path[0]) else { return nil }
        let others = objects[schema.entities[relationship.destination].root] ?? [:]
        guard relationship.isToMany else {
            return object.references[path[0]].flatMap { others[$0]?.values[path[1]] }
        }
        let members = (object.links[path[0]] ?? []).compactMap { others[$0] }
        if path.count == 2 { return .integer(Int64(members.count)) }
        let (operation, name) = path[1].hasPrefix("@") ? (path[1], path[2]) : (path[2], path[1])
        let numbers = members.compactMap { $0.values[name].map(Self.number) }
        let sum = numbers.reduce(0, +)
        switch operation {
        case "@sum": return Self.value(sum, type)
        case "@min": return numbers.min().map { Self.value($0, type) }
        case "@max": return numbers.max().map { Self.value($0, type) }
        default: return numbers.isEmpty ? nil : .double(sum / Double(numbers.count))
        }
    }

    /// Fractions in the tests are quarters, which doubles add exactly.
    private static func number(_ value: AttributeValue) -> Double {
        switch value {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        default: 0
        }
    }

    private static func value(_ number: Double, _ type: AttributeType) -> AttributeValue {
        switch type {
        case .decimal: .decimal(Decimal(Int(number * 4)) / 4)
        case .double: .double(number)
        default: .integer(Int64(number))
        }
    }
}
