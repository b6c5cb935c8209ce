import Foundation
import GranaryBase
import GranaryModel

/// Finds the way of storing undecided properties with which an entity has a known version hash.
struct VariantSearch {
    /// The maximum number of combinations per entity; each takes about a microsecond.
    static let limit = 500_000

    let expected: [String: Data]

    enum Result {
        /// The layout, and the shapes and inverses of the undecided properties by the number of the property.
        case found(InheritanceLayout, [Int: PropertyVariants.Variant])
        case differs
        case tooMany
    }

    /// Tries all combinations in each layout.
    func search(
        _ entity: SwiftDataEntity, in layouts: [InheritanceLayout], describer: inout EntityDescriber
    ) -> Result {
        guard let hash = expected[entity.name] else { return .differs }
        let all = entity.properties.map { PropertyVariants($0, describer: &describer) }
        for layout in layouts {
            let result = search(entity, all, for: hash, in: layout, &describer)
            if case .differs = result { continue }
            return result
        }
        return .differs
    }

    private func search(
        _ entity: SwiftDataEntity, _ all: [PropertyVariants], for hash: Data, in layout: InheritanceLayout,
        _ describer: inout EntityDescriber
    ) -> Result {
        var count = 1
        for property in all {
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: property.variants.count)
            guard !isTooLarge, product <= Self.limit else { return .tooMany }
            count = product
        }
        guard count > 0 else { return .differs }
        var description = EntityDescription(name: entity.name)
        description.uniquenessConstraints = entity.constraints + layout.ownConstraints
        let inherited = layout.properties.compactMap { property in
            property.meaning.shape.flatMap { describer.hash(of: property, shape: $0, inverse: property.inverse) }
                .map { (property.name, $0) }
        }
        let superentity = layout.superentity.flatMap { expected[$0] }
        let hasher = PropertyHasher(composites: [])
        var choice = Array(repeating: 0, count: all.count)
        for _ in 0..<count {
            let properties = zip(all, choice).compactMap { property, index in
                property.variants[index].hash.map { (property.name, $0) }
            }
            if hasher.hash(of: description, superentity: superentity, properties: properties + inherited) == hash {
                let undecided = entity.properties.indices.filter { entity.properties[$0].isUndecided }
                return .found(
                    layout,
                    Dictionary(uniqueKeysWithValues: undecided.map { ($0, all[$0].variants[choice[$0]]) }))
            }
            advance(&choice, all)
        }
        return .differs
    }

    private func advance(_ choice: inout [Int], _ all: [PropertyVariants]) {
        for index in choice.indices {
            choice[index] += 1
            if choice[index] < all[index].variants.count { return }
            choice[index] = 0
        }
    }
}
