import Foundation
import GranaryModel

/// The ways in which one property can be stored, with the hash of each.
struct PropertyVariants {
    struct Variant {
        /// Nil if the property is not stored.
        let hash: Data?
        let shape: PropertyShape
        let inverse: String?
        /// Whether the counts of a relationship are in the model.
        let hasCounts: Bool
    }

    let name: String
    let variants: [Variant]

    init(_ property: SwiftDataProperty, describer: inout EntityDescriber) {
        name = property.name
        let shapes = property.meaning.shape.map { [$0] } ?? property.meaning.candidates
        let inverses: [String?] =
            property.inverseQuestion == nil
            ? [property.inverse] : property.inverseCandidates.map { $0.isEmpty ? nil : $0 }
        var variants: [Variant] = []
        for shape in shapes {
            for inverse in shape.isRelationship ? inverses : [nil] {
                for hasCounts in property.areCountsUndecided ? [true, false] : [true] {
                    let hash = describer.hash(
                        of: hasCounts ? property : property.withoutCounts, shape: shape, inverse: inverse)
                    variants.append(Variant(hash: hash, shape: shape, inverse: inverse, hasCounts: hasCounts))
                }
            }
        }
        self.variants = variants
    }
}
